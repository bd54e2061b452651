import { describe, expect, test } from '@jest/globals';
import { MAX_CREDENTIAL_UNITS, presentedCredential } from '../../../../src/auth/core/credentials.js';

const KEY = `gmcp_0123456789ab_${'s'.repeat(43)}`;

describe('the credential of a request', () => {
  test.each([
    ['a token', ['Authorization', 'Bearer a.b.c'], { kind: 'token', text: 'a.b.c' }],
    ['the scheme in any case', ['authorization', 'bEARER   a.b.c'], { kind: 'token', text: 'a.b.c' }],
    ['a key as a token', ['Authorization', `Bearer ${KEY}`], { kind: 'api-key', text: KEY }],
    ['a key in its own header', ['X-API-Key', KEY], { kind: 'api-key', text: KEY }],
  ])('is %s', (_name, headers, credential) => {
    expect(presentedCredential(headers, '/mcp')).toEqual({ ok: true, value: credential });
  });

  test.each([
    ['missing', 'nothing', [], '/mcp'],
    ['missing', 'another scheme', ['Authorization', 'Basic YTpi'], '/mcp'],
    ['missing', 'an empty header', ['Authorization', ''], '/mcp'],
    ['invalid', 'a scheme alone', ['Authorization', 'Bearer '], '/mcp'],
    ['invalid', 'blanks within', ['Authorization', 'Bearer a b'], '/mcp'],
    ['invalid', 'a list', ['Authorization', 'Bearer a, Bearer b'], '/mcp'],
    ['invalid', 'bytes beyond ASCII', ['Authorization', 'Bearer \u00e4'], '/mcp'],
    ['invalid', 'too long a text', ['Authorization', `Bearer ${'a'.repeat(MAX_CREDENTIAL_UNITS + 1)}`], '/mcp'],
    ['malformed', 'the same header twice', ['Authorization', 'Bearer a', 'authorization', 'Bearer a'], '/mcp'],
    ['malformed', 'both headers', ['Authorization', 'Bearer a', 'X-API-Key', KEY], '/mcp'],
    ['malformed', 'a token in the query', ['Authorization', 'Bearer a'], '/mcp?access_token=a'],
    ['malformed', 'a key in the query', [], `/mcp?x=1&API%5FKey=${KEY}`],
  ])('is %s when there is %s', (kind, _name, headers, url) => {
    expect(presentedCredential(headers, url)).toMatchObject({ ok: false, error: { kind } });
  });

  test('is found beside a query that has nothing to do with it', () => {
    expect(presentedCredential(['Authorization', 'Bearer a'], '/messages/?session_id=1')).toMatchObject({ ok: true });
  });
});
