import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { COOL_DOWN_MS, FRESH_MS, KEPT_MS } from '../../../src/auth/issuer-keys.js';
import { JoseTokenCheck } from '../../../src/auth/io/jose-token-check.js';
import { TokenAuthenticator } from '../../../src/auth/token-authenticator.js';
import { err, ok, type Result } from '../../../src/common/result.js';
import { FakeClock, settled } from '../../support/fake-clock.js';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://gw.example/mcp';

type Claims = Readonly<Record<string, unknown>>;

interface Pair {
  readonly jwk: object;
  readonly privateKey: CryptoKey;
}

let first: Pair;
let second: Pair;
let clock: FakeClock;
let published: Result<string, string>;
let fetches: number;
let warnings: string[];

async function pair(kid: string): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }, privateKey };
}

const setOf = (...pairs: Pair[]) => ok(JSON.stringify({ keys: pairs.map(({ jwk }) => jwk) }));

beforeAll(async () => {
  [first, second] = await Promise.all([pair('first'), pair('second')]);
});

beforeEach(() => {
  clock = new FakeClock();
  published = setOf(first);
  fetches = 0;
  warnings = [];
});

function authenticator(tenantClaim: string | null = null) {
  return new TokenAuthenticator({
    check: new JoseTokenCheck({
      issuer: ISSUER,
      audiences: [AUDIENCE],
      algorithms: ['ES256'],
      clockToleranceSeconds: 30,
    }),
    source: { fetch: () => Promise.resolve((fetches++, published)) },
    tenantClaim,
    clock,
    warn: (reason) => void warnings.push(reason),
  });
}

function token(claims: Claims = {}, header: object = {}, key = first.privateKey, kid = 'first'): Promise<string> {
  const nowSeconds = clock.nowMs() / 1000;
  const all = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'alice',
    scope: 'smallweb:read openid',
    exp: nowSeconds + 300,
    ...claims,
  };
  return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(key);
}

const text = (value: string) => ({ kind: 'token', text: value }) as const;

describe('a token', () => {
  test('stands for its subject, with those of its scopes that are ours', async () => {
    expect(await authenticator().authenticate(text(await token()))).toEqual({
      ok: true,
      value: { tenant: 'default', subject: 'alice', scopes: new Set(['smallweb:read']) },
    });
  });

  test('may list its scopes in scp, and name its tenant in the claim that is set', async () => {
    const claims = { scope: undefined, scp: ['smallweb:trust'], org_id: 'org_1' };
    expect(await authenticator('org_id').authenticate(text(await token(claims)))).toMatchObject({
      value: { tenant: 'org_1', scopes: new Set(['smallweb:trust']) },
    });
  });

  test.each<[string, Claims, object]>([
    ['another audience', { aud: 'https://other.example' }, {}],
    ['no audience', { aud: undefined }, {}],
    ['another issuer', { iss: 'https://evil.example' }, {}],
    ['its end in the past', { exp: 1 }, {}],
    ['no end', { exp: undefined }, {}],
    ['its start in the future', { nbf: 4_000_000_000 }, {}],
    ['no subject', { sub: undefined }, {}],
    ['a subject with controls', { sub: 'a\nb' }, {}],
    ['a key to be shown', { cnf: { jkt: 'x' } }, {}],
    ['another type', {}, { typ: 'logout+jwt' }],
    ['an extension that must be understood', {}, { crit: ['exp'], exp: 1 }],
  ])('is refused with %s', async (_name, claims, header) => {
    const made = await token(claims, header).catch(() => 'cannot.be.made');
    expect(await authenticator().authenticate(text(made))).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  test('is refused without the tenant that must be named, and with one that cannot be', async () => {
    for (const claims of [{}, { org_id: '../x' }, { org_id: ['a'] }, { org_id: '' }]) {
      expect(await authenticator('org_id').authenticate(text(await token(claims)))).toMatchObject({ ok: false });
    }
    expect(await authenticator('__proto__').authenticate(text(await token()))).toMatchObject({ ok: false });
  });

  test('is good for as long as clocks may differ after its end, and no longer, also when it was seen before', async () => {
    const one = authenticator();
    const made = text(await token());
    expect(await one.authenticate(made)).toMatchObject({ ok: true });
    clock.advance(329_000);
    expect(await one.authenticate(made)).toMatchObject({ ok: true });
    clock.advance(2_000);
    expect(await one.authenticate(made)).toMatchObject({ ok: false });
  });

  test('seen before is refused when the wall clock alone passes its end', async () => {
    const one = authenticator();
    const made = text(await token());
    await one.authenticate(made);
    clock.jumpWallClock(400_000);
    expect(await one.authenticate(made)).toMatchObject({ ok: false });
  });
});

describe('the keys of an issuer', () => {
  test('are fetched once for many', async () => {
    const one = authenticator();
    const made = text(await token());
    await Promise.all([one.authenticate(made), one.authenticate(made)]);
    await one.authenticate(made);
    expect(fetches).toBe(1);
  });

  test('are fetched again for a key that is not known, which then counts', async () => {
    const one = authenticator();
    await one.authenticate(text(await token()));
    published = setOf(first, second);
    clock.advance(COOL_DOWN_MS);
    expect(await one.authenticate(text(await token({}, {}, second.privateKey, 'second')))).toMatchObject({ ok: true });
    expect(fetches).toBe(2);
  });

  test('are not fetched for every made-up key id', async () => {
    const one = authenticator();
    await one.authenticate(text(await token()));
    clock.advance(COOL_DOWN_MS);
    for (let i = 0; i < 20; i++) {
      const made = await token({}, {}, second.privateKey, `made-up-${i}`);
      expect(await one.authenticate(text(made))).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    }
    expect(fetches).toBe(2);
  });

  test('serve on through an outage, for a day, and the issuer is asked now and then only', async () => {
    const one = authenticator();
    await one.authenticate(text(await token()));
    published = err('ECONNREFUSED');
    clock.advance(FRESH_MS + 1);
    for (let i = 0; i < 5; i++) {
      expect(await one.authenticate(text(await token({ jti: String(i) })))).toMatchObject({ ok: true });
      await settled();
    }
    expect([fetches, warnings.length]).toEqual([2, 1]);
    clock.advance(KEPT_MS);
    expect(await one.authenticate(text(await token()))).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  });

  test('that are withdrawn end what was found out with them', async () => {
    const one = authenticator();
    const made = text(await token({ exp: clock.nowMs() / 1000 + 10_000 }));
    expect(await one.authenticate(made)).toMatchObject({ ok: true });
    published = setOf(second);
    clock.advance(FRESH_MS + 1);
    await one.authenticate(made);
    await settled();
    expect(await one.authenticate(made)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  test.each(['', 'null', '[]', '{"keys":1}', '{"keys":[1]}', '<html>'])('are not taken from %j', async (body) => {
    published = ok(body);
    expect(await authenticator().authenticate(text(await token()))).toMatchObject({
      ok: false,
      error: { kind: 'unavailable' },
    });
    expect(warnings).toHaveLength(1);
  });
});
