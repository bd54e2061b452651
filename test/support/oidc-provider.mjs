/**
 * A real OpenID provider on loopback, as a process of its own: `node oidc-provider.mjs PORT KID`, port 0 for a free one. It prints its
 * issuer once it listens. Signs with a fresh key of that id, and gives client `bot` access tokens for whatever resource it asks for.
 */
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

const [port = '0', kid = 'first'] = process.argv.slice(2);
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' };

const server = createServer();
server.listen(Number(port), '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: 'bot',
        client_secret: 'secret-of-a-test',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: 'smallweb:read smallweb:trust',
          audience: resource,
          accessTokenTTL: 300,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  server.on('request', provider.callback());
  process.stdout.write(`${issuer}\n`);
});
