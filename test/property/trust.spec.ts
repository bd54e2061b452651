import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparablePath, coversPath } from '../../src/cert/core/scope.js';
import { decidePin, type PinPolicy, type PresentedCertificate } from '../../src/trust/core/decide-pin.js';
import { parsePin, serialisePin, type PinRecord } from '../../src/trust/core/pin-record.js';
import { withSighting } from '../../src/trust/core/sighting.js';
import { ownerMark, parseOwnerMark, hostLabel } from '../../src/file-store/core/lock-owner.js';

const NOW_MS = Date.UTC(2026, 5, 1);

const digest = fc.constantFrom('aa', 'bb', 'cc').map((byte) => byte.repeat(32));
const maybeDigest = fc.option(digest, { nil: null });
// JSON knows no negative zero.
const seconds = fc.double({ min: -1e9, max: 2.5e11, noNaN: true }).map((value) => value + 0);
const nearMs = fc.integer({ min: -1e9, max: 1e9 }).map((offset) => NOW_MS + offset);

const pin: fc.Arbitrary<PinRecord> = fc.record({
  fingerprint: digest,
  firstSeenSeconds: seconds,
  lastSeenSeconds: seconds,
  expiresSeconds: fc.option(
    nearMs.map((ms) => ms / 1000),
    { nil: null },
  ),
  spki: maybeDigest,
  extra: fc.dictionary(fc.constantFrom('note', 'x'), fc.string()),
});
const presented: fc.Arbitrary<PresentedCertificate> = fc.record({
  fingerprint: digest,
  spki: maybeDigest,
  notBeforeMs: nearMs,
  notAfterMs: nearMs,
});
const policy: fc.Arbitrary<PinPolicy> = fc.record({
  rejectExpired: fc.boolean(),
  renewal: fc.record({ expired: fc.boolean(), sameKey: fc.boolean() }),
});
const strict = policy.map((some) => ({ ...some, renewal: { expired: false, sameKey: false } }));

describe('decidePin', () => {
  test('under the strict policy never lets another certificate pass', () => {
    fc.assert(
      fc.property(pin, presented, strict, (stored, shown, rules) => {
        const { kind } = decidePin(stored, shown, NOW_MS, rules);
        expect(kind === 'changed').toBe(stored.fingerprint !== shown.fingerprint);
        expect(kind).not.toBe('pin');
      }),
    );
  });

  test('never pins in place of another certificate what is not good now', () => {
    fc.assert(
      fc.property(pin, presented, policy, (stored, shown, rules) => {
        const decision = decidePin(stored, shown, NOW_MS, rules);
        if (decision.kind !== 'pin') return;
        expect(shown.notAfterMs).toBeGreaterThanOrEqual(NOW_MS);
        expect(decision.record.firstSeenSeconds).toBe(stored.firstSeenSeconds);
      }),
    );
  });

  test('never refuses again, as changed, what it has just pinned', () => {
    fc.assert(
      fc.property(fc.option(pin, { nil: null }), presented, policy, (stored, shown, rules) => {
        const decision = decidePin(stored, shown, NOW_MS, rules);
        if (decision.kind !== 'pin') return;
        expect(decidePin(decision.record, shown, NOW_MS, rules).kind).toBe('match');
      }),
    );
  });

  test('rejecting expired certificates lets none pass', () => {
    fc.assert(
      fc.property(fc.option(pin, { nil: null }), presented, (stored, shown) => {
        const rules = { rejectExpired: true, renewal: { expired: true, sameKey: true } };
        const decision = decidePin(stored, shown, NOW_MS, rules);
        if (decision.kind === 'match' || decision.kind === 'pin') expect(decision.expired).toBe(false);
      }),
    );
  });
});

test('a pin survives the file', () => {
  fc.assert(
    fc.property(pin, (some) => {
      const text = JSON.stringify(serialisePin('a.example:1965', some));
      expect(parsePin(JSON.parse(text))).toEqual(some);
    }),
  );
});

test('sightings may come in any order', () => {
  const sighting = fc.record({
    fingerprint: digest,
    seenSeconds: seconds,
    expiresSeconds: fc.constant(1),
    spki: fc.constant('k'),
  });
  fc.assert(
    fc.property(pin, sighting, sighting, (some, one, other) => {
      expect(withSighting(withSighting(some, one), other)).toEqual(withSighting(withSighting(some, other), one));
    }),
  );
});

describe('scopes', () => {
  const path = fc.array(fc.constantFrom('a', 'ab', '', 'ä', '%C3%A4', '.')).map((parts) => `/${parts.join('/')}`);

  test('cover themselves and whatever is put below them', () => {
    fc.assert(
      fc.property(path, path, (scope, rest) => {
        expect(coversPath(scope, scope)).toBe(true);
        expect(coversPath(scope, scope.endsWith('/') ? scope + rest.slice(1) : scope + rest)).toBe(true);
      }),
    );
  });

  test('never cover what does not start with them', () => {
    fc.assert(
      fc.property(path, path, (scope, other) => {
        if (coversPath(scope, other)) expect(other.startsWith(scope)).toBe(true);
      }),
    );
  });

  test('have one comparable form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = comparablePath(text);
        expect(comparablePath(once)).toBe(once);
        expect(once).toMatch(/^[\x21-\x7e]*$/);
      }),
    );
  });
});

test('the owner of a lock can be read from its mark, whatever the host is called', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.string({ minLength: 1 }), (pid, started, host) => {
      const owner = { pid, started: String(started), host: hostLabel(host) };
      expect(parseOwnerMark(ownerMark(owner, '00ff'))).toEqual(owner);
    }),
  );
});
