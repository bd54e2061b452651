/** Kinds of keys: RSA 2048 is what every server takes; P-256 is smaller and faster. */
export type KeyType = 'rsa' | 'ec';

/** What TLS presents. */
export interface KeyPairPem {
  readonly certificatePem: string;
  /** PKCS#8, unencrypted. */
  readonly privateKeyPem: string;
}

/** A new identity that nobody knows yet. */
export interface MintedIdentity extends KeyPairPem {
  /** SHA-256 of the certificate, canonical. */
  readonly fingerprint: string;
  /** Distinguished names, RFC 4514. */
  readonly subject: string;
  readonly issuer: string;
  /** Whole seconds. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** Makes identities. */
export interface IdentityMinter {
  /** A self-signed certificate with a new key, valid from `nowMs` on. Takes a while, mostly off the event loop. */
  mint(keyType: KeyType, nowMs: number): Promise<MintedIdentity>;
}

/** Injection token of {@link IdentityMinter}. */
export const IdentityMinter = Symbol('IdentityMinter');
