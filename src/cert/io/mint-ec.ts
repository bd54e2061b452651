/** EC identities: keys by Node, certificates by @peculiar/x509, because node-forge knows no EC keys. */
import { webcrypto } from 'node:crypto';
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { KeyPairPem } from '../identity-minter.port.js';
import type { CertificateTerms } from './certificate-terms.js';

/** A new P-256 key and its self-signed certificate (ECDSA with SHA-256). */
export async function mintEc({ name, serialNumber, notBefore, notAfter }: CertificateTerms): Promise<KeyPairPem> {
  const { subtle } = webcrypto;
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      keys,
      signingAlgorithm,
      name: [{ CN: [name.commonName] }, { O: [name.organization] }],
      serialNumber,
      notBefore,
      notAfter,
      extensions: [
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth], true),
      ],
    },
    webcrypto,
  );
  const pkcs8 = await subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificatePem: `${certificate.toString('pem').trimEnd()}\n`,
    privateKeyPem: `${PemConverter.encode(pkcs8, 'PRIVATE KEY').trimEnd()}\n`,
  };
}
