import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  fileStem,
  isIdentityExpired,
  parseIdentities,
  serialiseIdentity,
  shownInstant,
} from '../../src/cert/core/identity-record.js';
import { ScopeIndex } from '../../src/cert/core/scope-index.js';
import { parseFingerprint } from '../../src/common/fingerprint.js';
import { isJsonObject } from '../../src/common/json.js';
import { isoInstant } from '../../src/common/request-info.js';
import { parsePins, serialisePin } from '../../src/trust/core/pin-record.js';
import { hostileText, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

/** What may stand where a member is expected. */
const anything = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, -62_135_596_800, 253_402_300_799, 1965, 65_536, '', [], {}, { a: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const or = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: anything });

/** JSON text of an object; keys that JavaScript treats in special ways among them. */
const fileOf = (key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.oneof(
          { weight: 9, arbitrary: key },
          { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', '', ':1', 'h:0') },
        ),
        value,
      ),
      {
        maxLength: 5,
      },
    )
    .map(
      (members) =>
        `{${members.map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member ?? null)}`).join(',')}}`,
    );

const seconds = fc.double({ min: 0, max: 4e9, noNaN: true });
const fingerprint = fc.oneof(
  fc.constantFrom('a'.repeat(64), `sha256:${'B'.repeat(64)}`, `AA:${'bb:'.repeat(31)}`, 'short'),
  hostileText,
);
const host = textOf('a.example', '::1', '[::1]', 'A', '.', 'é');
const pin = or(
  fc.record(
    {
      host: or(host),
      port: or(fc.constant(1965)),
      fingerprint: or(fingerprint),
      first_seen: or(seconds),
      last_seen: or(seconds),
      expires: or(fc.oneof(fc.constant(null), seconds)),
      spki: or(fingerprint),
      ours: anything,
    },
    { requiredKeys: ['host', 'fingerprint', 'first_seen', 'last_seen'] },
  ),
);
const pinKey = fc.tuple(host, fc.constantFrom(':1965', ':1', ':70000', '')).map((parts) => parts.join(''));

function membersOf(text: string): ReturnType<typeof parsed> {
  return parsed(JSON.parse(text));
}

function parsed(value: unknown): Parameters<typeof parsePins>[0] {
  assert.ok(isJsonObject(value));
  return value;
}

export const tofuFile = fuzzTarget('tofu-file', fileOf(pinKey, pin), (text) => {
  const pins = parsePins(membersOf(text));
  if (pins === null) return;
  for (const record of pins.values()) {
    isoInstant(record.firstSeenSeconds * 1000);
    isoInstant(record.lastSeenSeconds * 1000);
    if (record.expiresSeconds !== null) isoInstant(record.expiresSeconds * 1000);
  }
  const written = JSON.stringify(
    Object.fromEntries(Array.from(pins, ([key, record]) => [key, serialisePin(key, record)])),
  );
  assert.deepEqual(parsePins(membersOf(written)), pins, 'what is written is read as something else');
});

const identity = or(
  fc.record(
    {
      host: or(host),
      port: or(fc.constant(1965)),
      path: or(textOf('/', 'a', '/..', 'é', '%2F')),
      fingerprint: or(fingerprint),
      subject: or(textOf('CN=', 'name', ',', '\\', '/', '..', '\0', '+')),
      issuer: or(hostileText),
      not_before: or(textOf('2026-01-01T00:00:00', '+00:00', 'Z', '-')),
      not_after: or(textOf('2026-01-01T00:00:00', '+00:00', 'Z', '-')),
      key_id: or(fc.constantFrom(null, '0'.repeat(32), '../../../etc/passwd', '0'.repeat(31), 'F'.repeat(32))),
      ours: anything,
    },
    { requiredKeys: ['host', 'fingerprint', 'subject', 'issuer', 'not_before', 'not_after'] },
  ),
);

export const registryFile = fuzzTarget('registry-file', fileOf(pinKey, identity), (text) => {
  const identities = parseIdentities(membersOf(text));
  if (identities === null) return;
  for (const record of identities.values()) {
    const stem = fileStem(record);
    assert.ok(stem === null || !/[/\\\0]|^\./.test(stem), `a file outside the folder: ${stem}`);
    shownInstant(record.notAfter);
    isIdentityExpired(record, 0);
  }
  const covering = new ScopeIndex(identities.values()).covering({ host: 'a.example', port: 1965, path: '/a/b' });
  assert.ok(covering.every((record) => record.host === 'a.example' && record.port === 1965));
  const written = JSON.stringify(
    Object.fromEntries(Array.from(identities, ([key, record]) => [key, serialiseIdentity(key, record)])),
  );
  assert.deepEqual(parseIdentities(membersOf(written)), identities, 'what is written is read as something else');
});

export const fingerprints = fuzzTarget('fingerprint', fingerprint, (text) => {
  const canonical = parseFingerprint(text);
  assert.ok(canonical === null || /^[0-9a-f]{64}$/.test(canonical));
  if (canonical !== null) assert.equal(parseFingerprint(`SHA256:${canonical.toUpperCase()}`), canonical);
});
