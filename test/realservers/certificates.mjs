/** Self-signed certificates of the Gemini servers and of one client, as PEM and DER files. */
import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as x509 from '@peculiar/x509';

const DAY_MS = 86_400_000;
const EC = (namedCurve) => ({ name: 'ECDSA', namedCurve, hash: 'SHA-256' });
const RSA = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' };

/** Key, and validity in days from now. */
const KINDS = {
  molly: { algorithm: EC('P-256'), from: -1, to: 3650 },
  jetforce: { algorithm: RSA, from: -1, to: 3650 },
  agate: { algorithm: EC('P-384'), from: -1, to: 3650 },
  expired: { algorithm: EC('P-256'), from: -400, to: -30 },
  notyet: { algorithm: EC('P-256'), from: 1, to: 400 },
  client: { algorithm: EC('P-256'), from: -1, to: 3650 },
};

export const CERTIFICATE_NAMES = Object.keys(KINDS);

/** Writes NAME.crt, NAME.key (PEM), NAME.crt.der and NAME.key.der into `folder`; returns the SHA-256 fingerprint, lowercase hex. */
export async function writeCertificate(folder, name) {
  const { algorithm, from, to } = KINDS[name];
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = new x509.SubjectAlternativeNameExtension([
    { type: 'dns', value: 'localhost' },
    { type: 'ip', value: '127.0.0.1' },
  ]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: name === 'client' ? 'CN=tester' : 'CN=localhost',
      notBefore: new Date(Date.now() + from * DAY_MS),
      notAfter: new Date(Date.now() + to * DAY_MS),
      keys,
      signingAlgorithm: algorithm,
      extensions: name === 'client' ? [] : [names],
    },
    webcrypto,
  );
  const certificateDer = Buffer.from(certificate.rawData);
  const keyDer = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const write = (suffix, content) => writeFileSync(path.join(folder, `${name}${suffix}`), content, { mode: 0o600 });
  write('.crt.der', certificateDer);
  write('.key.der', keyDer);
  write('.crt', certificate.toString('pem'));
  write('.key', pem('PRIVATE KEY', keyDer));
  return createHash('sha256').update(certificateDer).digest('hex');
}

function pem(label, der) {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
