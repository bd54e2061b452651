/**
 * Makes keys and self-signed certificates.
 *
 * Certificates tell as little as they can: a fixed name, no host, a random serial number. Two identities of one person
 * share nothing but the kind of program that made them.
 *
 * Keys are made by Node in its thread pool. node-forge signs RSA certificates, @peculiar/x509 those for EC keys (node-forge
 * knows none); both are loaded at the first use, because few sessions make an identity.
 */
import { generateKeyPair, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalFingerprint } from '../../common/fingerprint.js';
import type { IdentityMinter, KeyPairPem, KeyType, MintedIdentity } from '../identity-minter.port.js';

/** Days that a new identity is valid. */
const VALID_DAYS = 365;

const COMMON_NAME = 'gemini-client';
const ORGANIZATION = 'Gemini Client';
/** RFC 4514 lists the parts of a name from its end. */
const DISTINGUISHED_NAME = `O=${ORGANIZATION},CN=${COMMON_NAME}`;

interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export class X509IdentityMinter implements IdentityMinter {
  async mint(keyType: KeyType, nowMs: number): Promise<MintedIdentity> {
    const notBeforeMs = Math.floor(nowMs / 1000) * 1000;
    const notAfterMs = notBeforeMs + VALID_DAYS * 86_400_000;
    const validity = { notBefore: new Date(notBeforeMs), notAfter: new Date(notAfterMs) };
    const keyPair = await (keyType === 'rsa' ? mintRsa(validity) : mintEc(validity));
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

async function mintRsa({ notBefore, notAfter }: Validity): Promise<KeyPairPem> {
  const [keys, { default: forge }] = await Promise.all([
    promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicExponent: 0x10001,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
    import('node-forge'),
  ]);
  const { pki, md } = forge;
  const certificate = pki.createCertificate();
  const name = [
    { name: 'commonName', value: COMMON_NAME },
    { name: 'organizationName', value: ORGANIZATION },
  ];
  certificate.publicKey = pki.publicKeyFromPem(keys.publicKey);
  certificate.serialNumber = serialNumber();
  certificate.validity = { notBefore, notAfter };
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', critical: true, clientAuth: true },
  ]);
  certificate.sign(pki.privateKeyFromPem(keys.privateKey), md.sha256.create());
  return {
    certificatePem: pki.certificateToPem(certificate).replaceAll('\r\n', '\n'),
    privateKeyPem: keys.privateKey,
  };
}

async function mintEc({ notBefore, notAfter }: Validity): Promise<KeyPairPem> {
  const { subtle } = webcrypto;
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const [x509, keys] = await Promise.all([
    import('@peculiar/x509'),
    subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']),
  ]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      keys,
      signingAlgorithm,
      name: [{ CN: [COMMON_NAME] }, { O: [ORGANIZATION] }],
      serialNumber: serialNumber(),
      notBefore,
      notAfter,
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth], true),
      ],
    },
    webcrypto,
  );
  const pkcs8 = await subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificatePem: `${certificate.toString('pem').trimEnd()}\n`,
    privateKeyPem: `${x509.PemConverter.encode(pkcs8, 'PRIVATE KEY').trimEnd()}\n`,
  };
}

/** 127 random bits in hex, positive as DER reads them (RFC 5280 section 4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}
