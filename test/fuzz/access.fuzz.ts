import assert from 'node:assert/strict';
import fc from 'fast-check';
import { judgeApiKey, parseApiKeys, serialiseApiKey } from '../../src/auth/core/api-key-record.js';
import { apiKeyId, hashApiKey, isApiKeyId } from '../../src/auth/core/api-key.js';
import { parseTenants } from '../../src/auth/core/tenants-file.js';
import { isJsonObject } from '../../src/common/json.js';
import { err, ok } from '../../src/common/result.js';
import { isUnparsable, parsedBody } from '../../src/mcp/transports/http/json-body.js';
import { bytesOf, bytesOfText, hostileBytes, hostileText, textOf } from './hostile.js';
import { fuzzTarget } from './target.js';

const KEY = `gmcp_${'0a'.repeat(6)}_${'A'.repeat(43)}`;
const anything = fc.oneof(
  hostileText,
  fc.constantFrom(null, 0, -1, 1.5, 1e308, '', [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);
const or = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: anything });
/** JSON text of an object; names that JavaScript treats in special ways among its members. */
const objectText = (name: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.oneof({ weight: 8, arbitrary: name }, fc.constantFrom('__proto__', 'constructor', '')), value), {
      maxLength: 5,
    })
    .map(
      (members) =>
        `{${members.map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member ?? null)}`).join(',')}}`,
    );

const time = fc.constantFrom(
  '2026-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2026-13-01T00:00:00Z',
  'now',
  '',
  null,
);
const scopes = fc.array(fc.constantFrom('smallweb:read', 'smallweb:trust', 'smallweb:identity', 'smallweb:all', ''), {
  maxLength: 4,
});
const key = or(
  fc.record({
    hash: or(fc.constantFrom(`sha256:${hashApiKey(KEY)}`, hashApiKey(KEY), 'sha256:', `sha256:${'G'.repeat(64)}`)),
    tenant: or(textOf('acme', 'local', '-', '/', '..', 'é', ' ', '\n')),
    subject: or(textOf('a', '@', '.', '\0', 'é', '\u202e')),
    scopes: or(scopes),
    created: or(time),
    expires: or(time),
    revoked: or(time),
  }),
);

export const apiKeyFile = fuzzTarget(
  'api-key-file',
  objectText(fc.constantFrom('0a'.repeat(6), 'ff'.repeat(6), '0A'.repeat(6), '0a'), key),
  (text) => {
    const members: unknown = JSON.parse(text);
    assert.ok(isJsonObject(members));
    const keys = parseApiKeys(members);
    if (keys === null) return;
    for (const [id, record] of keys) {
      assert.ok(isApiKeyId(id));
      const principal = judgeApiKey(record, hashApiKey(KEY), 0);
      assert.ok(principal === null || record.hash === hashApiKey(KEY));
      assert.equal(judgeApiKey(record, '0'.repeat(64), 0), null, 'a key that nobody has');
    }
    const written: unknown = JSON.parse(
      JSON.stringify(Object.fromEntries(Array.from(keys, ([id, record]) => [id, serialiseApiKey(id, record)]))),
    );
    assert.ok(isJsonObject(written));
    assert.deepEqual(parseApiKeys(written), keys, 'what is written is read as something else');
  },
);

export const apiKeyText = fuzzTarget(
  'api-key',
  textOf(KEY, 'gmcp_', '_', '0a', 'A'.repeat(43), '\n', ' ', 'é'),
  (text) => {
    const id = apiKeyId(text);
    assert.ok(id === null || (isApiKeyId(id) && /^[\x21-\x7e]+$/.test(text)));
  },
);

const limits = or(fc.record({ requests_per_minute: or(fc.nat()), concurrent: or(fc.nat()) }, { requiredKeys: [] }));
const rules = or(
  fc.record(
    {
      scopes: or(scopes),
      tools: or(fc.array(fc.constantFrom('gopher_fetch', 'gemini_fetch', 'none'), { maxLength: 3 })),
      hosts: or(
        fc.record(
          {
            gemini: or(
              fc.record(
                {
                  allowed: or(fc.array(hostileText, { maxLength: 3 })),
                  denied: or(fc.array(hostileText, { maxLength: 3 })),
                },
                { requiredKeys: [] },
              ),
            ),
            gopher: anything,
            ftp: anything,
          },
          { requiredKeys: [] },
        ),
      ),
      quotas: or(fc.record({ tenant: limits, subject: limits, others: limits }, { requiredKeys: [] })),
      unknown: anything,
    },
    { requiredKeys: [] },
  ),
);
const tenants = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(objectText(textOf('acme', 'b', '-', '.', ' ', 'é'), rules), fc.oneof(fc.constant(undefined), rules))
      .map(
        ([named, others]) =>
          `{"tenants":${named}${others === undefined ? '' : `,"others":${JSON.stringify(others ?? null)}`}}`,
      ),
  },
  { weight: 1, arbitrary: hostileText },
);

export const tenantsFile = fuzzTarget('tenants-file', tenants, (text) => {
  const read = parseTenants(text, {
    protocols: ['gopher', 'gemini'],
    toolNames: ['gopher_fetch', 'gemini_fetch'],
    parseHost: (entry) => (/^\.?[a-z0-9.-]+$/.test(entry) ? ok(entry) : err('must be a host')),
  });
  if (read.ok) return;
  assert.ok(read.error.length > 0);
  for (const { requirement } of read.error) assert.match(requirement, /^must/);
});

export const httpBody = fuzzTarget(
  'http-body',
  fc.oneof(
    bytesOfText(
      textOf(
        '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        '[',
        ']',
        '{',
        '}',
        '"',
        '\\u0000',
        '\\ud800',
        '__proto__',
        ':',
        ',',
        '1e999',
        '\u2028',
        'é',
      ),
    ),
    hostileBytes,
  ),
  (characters) => {
    const bytes = bytesOf(characters);
    const body = parsedBody(bytes);
    if (isUnparsable(body)) return;
    assert.deepEqual(body, JSON.parse(bytes.toString()));
    assert.ok(Buffer.from(bytes.toString()).equals(bytes), 'bytes that are no UTF-8 were read');
  },
);
