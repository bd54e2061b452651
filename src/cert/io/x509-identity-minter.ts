/**
 * Makes keys and self-signed certificates.
 *
 * Certificates tell as little as they can: a fixed name, no host, a random serial number. Two identities of one person
 * share nothing but the kind of program that made them.
 *
 * Each kind of key has a file and a library of its own, loaded at the first use: few sessions make an identity.
 */
import { randomBytes, X509Certificate } from 'node:crypto';
import { canonicalFingerprint } from '../../common/fingerprint.js';
import type { IdentityMinter, KeyPairPem, KeyType, MintedIdentity } from '../identity-minter.port.js';
import type { CertificateTerms } from './certificate-terms.js';

/** Days that a new identity is valid. */
const VALID_DAYS = 365;

const NAME = { commonName: 'gemini-client', organization: 'Gemini Client' };
/** RFC 4514 lists the parts of a name from its end. */
const DISTINGUISHED_NAME = `O=${NAME.organization},CN=${NAME.commonName}`;

export class X509IdentityMinter implements IdentityMinter {
  async mint(keyType: KeyType, nowMs: number): Promise<MintedIdentity> {
    const notBeforeMs = Math.floor(nowMs / 1000) * 1000;
    const notAfterMs = notBeforeMs + VALID_DAYS * 86_400_000;
    const keyPair = await mintKeyPair(keyType, {
      name: NAME,
      serialNumber: serialNumber(),
      notBefore: new Date(notBeforeMs),
      notAfter: new Date(notAfterMs),
    });
    return {
      ...keyPair,
      fingerprint: canonicalFingerprint(new X509Certificate(keyPair.certificatePem).fingerprint256),
      subject: DISTINGUISHED_NAME,
      issuer: DISTINGUISHED_NAME,
      notBeforeMs,
      notAfterMs,
    };
  }
}

async function mintKeyPair(keyType: KeyType, terms: CertificateTerms): Promise<KeyPairPem> {
  switch (keyType) {
    case 'rsa': {
      const { mintRsa } = await import('./mint-rsa.js');
      return mintRsa(terms);
    }
    case 'ec': {
      const { mintEc } = await import('./mint-ec.js');
      return mintEc(terms);
    }
  }
}

/** 126 random bits in hex, positive as DER reads them and never short (RFC 5280 section 4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}
