import { describe, expect, test } from '@jest/globals';
import { authRefusal, scopeChallenge } from '../../../../src/auth/core/auth-refusal.js';
import { Challenges } from '../../../../src/auth/core/challenge.js';
import { protectedResource } from '../../../../src/auth/core/protected-resource.js';

const URL_OF_METADATA = 'https://gw.example/.well-known/oauth-protected-resource/mcp';
const challenges = new Challenges(URL_OF_METADATA);

describe('a challenge', () => {
  test('says no error to a request that said nothing (RFC 6750, 3.1)', () => {
    const { status, errorCode, headers } = challenges.of(authRefusal('missing', 'Nothing came.'));
    expect([status, errorCode]).toEqual([401, 'UNAUTHORIZED']);
    expect(headers).toEqual({
      'www-authenticate': `Bearer realm="gopher-mcp", scope="smallweb:read", resource_metadata="${URL_OF_METADATA}"`,
    });
  });

  test('says what is wrong with a token', () => {
    const { status, headers } = challenges.of(authRefusal('invalid', 'It has expired.'));
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token", error_description="It has expired."');
  });

  test('names the scopes that would be enough', () => {
    const { status, errorCode, headers } = challenges.of(scopeChallenge('smallweb:trust', 'smallweb:identity'));
    expect([status, errorCode]).toEqual([403, 'FORBIDDEN']);
    expect(headers['www-authenticate']).toContain('error="insufficient_scope"');
    expect(headers['www-authenticate']).toContain('scope="smallweb:trust smallweb:identity"');
  });

  test('is none when it is our fault', () => {
    const { status, errorCode, headers } = challenges.of(authRefusal('unavailable', 'Later.'));
    expect([status, errorCode, headers]).toEqual([503, 'AUTHENTICATION_UNAVAILABLE', { 'retry-after': '5' }]);
  });

  test('names no metadata where there is no authorisation server', () => {
    expect(new Challenges(null).of(authRefusal('missing', 'x')).headers['www-authenticate']).not.toContain('metadata');
  });
});

describe('the metadata of a resource (RFC 9728)', () => {
  test.each([
    ['https://gw.example/mcp', '/.well-known/oauth-protected-resource/mcp'],
    ['https://gw.example:8443/a/b', '/.well-known/oauth-protected-resource/a/b'],
    ['https://gw.example', '/.well-known/oauth-protected-resource'],
    ['https://gw.example/', '/.well-known/oauth-protected-resource'],
  ])('of %s is at %s', (resource, path) => {
    const found = protectedResource(resource, 'https://issuer.example');
    expect(found.metadataPath).toBe(path);
    expect(found.metadataUrl).toBe(new URL(resource).origin + path);
    expect(found.metadata).toMatchObject({ resource, authorization_servers: ['https://issuer.example'] });
  });
});
