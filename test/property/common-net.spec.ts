import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseAuthority } from '../../src/common/net/authority.js';
import { bracketed, isIpLiteral, normalizeHost } from '../../src/common/net/host.js';
import { cidrContains, classifyAddress, formatIp, parseCidr, parseIp } from '../../src/common/net/ip.js';

const oddHost = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.string({
    unit: fc.constantFrom(...Array.from('aZ0-_.%@/:[] '), 'é', 'ß', '。', '／', '①', '\u200d', 'א', '\xad'),
    maxLength: 20,
  }),
  fc.string({ unit: 'grapheme' }),
);

describe('normalizeHost', () => {
  test('is idempotent', () => {
    fc.assert(
      fc.property(oddHost, (host) => {
        const once = normalizeHost(host);
        if (once !== null) expect(normalizeHost(once)).toBe(once);
      }),
    );
  });

  test('gives only what can stand in a URL and on the wire', () => {
    fc.assert(
      fc.property(oddHost, (host) => {
        const name = normalizeHost(host);
        if (name === null) return;
        if (isIpLiteral(name) === 6) expect(name).toMatch(/^[0-9a-f:.]+$/);
        else expect(name).toMatch(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/);
        expect(parseAuthority(`${bracketed(name)}:70`)).toEqual({ userinfo: null, host: name, port: 70 });
      }),
    );
  });

  test('does not depend on case, a trailing dot or outer blanks', () => {
    fc.assert(
      fc.property(fc.domain(), (host) => {
        expect(normalizeHost(` ${host.toUpperCase()}. `)).toBe(normalizeHost(host));
      }),
    );
  });

  test('gives one spelling for all spellings of an IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const full = parseIp(address)?.groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase());
        expect(normalizeHost(`[${full?.join(':') ?? ''}]`)).toBe(normalizeHost(address));
      }),
    );
  });
});

describe('addresses', () => {
  test('canonical text means the same address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseIp(text);
        expect(address).not.toBeNull();
        if (address !== null) expect(parseIp(formatIp(address))).toEqual(address);
      }),
    );
  });

  test('an IPv4 address is judged the same when mapped or translated by NAT64', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = classifyAddress(address, 4);
        expect(classifyAddress(`::ffff:${address}`, 6)).toBe(expected);
        expect(classifyAddress(`64:ff9b::${address}`, 6)).toBe(expected);
      }),
    );
  });

  test('an inside IPv4 address is refused in whatever wraps it', () => {
    const inside = fc.constantFrom('127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.1.1', '100.64.0.1', '0.0.0.0');
    fc.assert(
      fc.property(inside, fc.ipV6(), (address, around) => {
        const [high, low] = (parseIp(address)?.groups ?? []).map((group) => group.toString(16));
        const prefix = (parseIp(around)?.groups ?? []).slice(0, 4).map((group) => group.toString(16));
        for (const wrapped of [`2002:${high}:${low}::1`, `${prefix.join(':')}:0:5efe:${high}:${low}`, `::${address}`]) {
          expect([wrapped, classifyAddress(wrapped, 6)]).not.toEqual([wrapped, null]);
        }
      }),
    );
  });

  test('an address lies in every network made of its own first bits', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.nat(128), (address, prefixLength) => {
        const cidr = parseCidr(`${address}/${prefixLength}`);
        expect(cidr !== null && cidrContains(cidr, address)).toBe(true);
      }),
    );
  });

  test('any text is judged without throwing, and passes only as an address', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef:./%xg')) }), (text) => {
        if (classifyAddress(text, 6) === null) expect(parseIp(text)?.family).toBe(6);
        if (classifyAddress(text, 4) === null) expect(parseIp(text)?.family).toBe(4);
      }),
    );
  });
});

test('parseAuthority takes any text, and gives back its parts', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab:@[]0179.%é ')) }), (text) => {
      const parts = parseAuthority(text);
      if (parts === null) return;
      expect(text.startsWith(parts.userinfo === null ? '' : `${parts.userinfo}@`)).toBe(true);
      expect(text).toContain(parts.host);
      if (parts.port !== null) expect(parts.port >= 1 && parts.port <= 65535).toBe(true);
    }),
  );
});
