/** RSA identities: keys by Node in its thread pool, certificates by node-forge (about 20 ms on the event loop). */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';
import type { KeyPairPem } from '../identity-minter.port.js';
import type { CertificateTerms } from './certificate-terms.js';

/** A new RSA 2048 key and its self-signed certificate (SHA-256). */
export async function mintRsa({ name, serialNumber, notBefore, notAfter }: CertificateTerms): Promise<KeyPairPem> {
  const keys = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicExponent: 0x10001,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const { pki, md } = forge;
  const attributes = [
    { name: 'commonName', value: name.commonName },
    { name: 'organizationName', value: name.organization },
  ];
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(keys.publicKey);
  certificate.serialNumber = serialNumber;
  certificate.validity = { notBefore, notAfter };
  certificate.setSubject(attributes);
  certificate.setIssuer(attributes);
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
