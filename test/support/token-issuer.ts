/** An authorisation server as far as a resource server sees it: an issuer, a key set on loopback, and tokens of every kind. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose';

/** Claims of a token; one that is undefined is left out. */
export type Claims = Readonly<Record<string, unknown>>;

export class TokenIssuer {
  /** Answers to requests for the key set that there were. */
  fetches = 0;

  private constructor(
    private readonly server: Server,
    private readonly keys: { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey },
    readonly audience: string,
  ) {}

  static async start(audience: string): Promise<TokenIssuer> {
    const keys = await generateKeyPair('RS256', { extractable: true });
    const set = JSON.stringify({
      keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }],
    });
    const server = createServer((_request, response) => {
      issuer.fetches++;
      response.setHeader('content-type', 'application/json').end(set);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new TokenIssuer(server, keys, audience);
    return issuer;
  }

  get url(): string {
    const address = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  /** A token that is good but for what is given. */
  token(claims: Claims = {}, header: { alg?: string; kid?: string; typ?: string } = {}): Promise<string> {
    return this.#signer(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
      .sign(this.keys.privateKey);
  }

  /** A token signed by somebody else with the same key id. */
  async forged(): Promise<string> {
    const { privateKey } = await generateKeyPair('RS256');
    return this.#signer({}).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey);
  }

  /** A token signed with the public key as if it were a shared secret. */
  async confused(): Promise<string> {
    const secret = new TextEncoder().encode(await exportSPKI(this.keys.publicKey));
    return this.#signer({}).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret);
  }

  /** A token with the algorithm `none`. */
  unsigned(): string {
    return new UnsecuredJWT(this.#claims({})).encode();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  #signer(claims: Claims): SignJWT {
    return new SignJWT(this.#claims(claims));
  }

  #claims(claims: Claims): JWTPayload {
    const nowSeconds = Math.floor(Date.now() / 1000);
    return {
      iss: this.url,
      aud: this.audience,
      sub: 'alice',
      scope: 'smallweb:read',
      iat: nowSeconds,
      exp: nowSeconds + 300,
      ...claims,
    };
  }
}
