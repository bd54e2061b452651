/** New identities: what their certificates say and do not say, and that TLS takes them. */
import { describe, expect, test } from '@jest/globals';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type SecureVersion } from 'node:tls';
import { X509IdentityMinter } from '../../src/cert/io/x509-identity-minter.js';
import type { KeyType, MintedIdentity } from '../../src/cert/identity-minter.port.js';
import { testCertificate } from '../support/test-certificates.js';

const NOW_MS = Date.now();
const minter = new X509IdentityMinter();
const made = new Map<KeyType, Promise<MintedIdentity>>();

function identity(keyType: KeyType): Promise<MintedIdentity> {
  const known = made.get(keyType) ?? minter.mint(keyType, NOW_MS);
  made.set(keyType, known);
  return known;
}

describe.each(['rsa', 'ec'] as const)('an identity with an %s key', (keyType) => {
  test('has a certificate of its own key, signed by itself', async () => {
    const { certificatePem, privateKeyPem, fingerprint } = await identity(keyType);
    const certificate = new X509Certificate(certificatePem);
    const key = createPrivateKey(privateKeyPem);
    expect(certificate.checkPrivateKey(key)).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(fingerprint).toBe(createHash('sha256').update(certificate.raw).digest('hex'));
    expect(privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(certificatePem).toMatch(/^-----BEGIN CERTIFICATE-----\n[^\r]*-----END CERTIFICATE-----\n$/);
    expect([key.asymmetricKeyType, key.asymmetricKeyDetails]).toEqual(
      keyType === 'rsa'
        ? ['rsa', { modulusLength: 2048, publicExponent: 65537n }]
        : ['ec', { namedCurve: 'prime256v1' }],
    );
  });

  test('tells nothing of host, person or moment but its validity', async () => {
    const { certificatePem, subject, issuer, notBeforeMs, notAfterMs } = await identity(keyType);
    const certificate = new X509Certificate(certificatePem);
    expect([subject, issuer]).toEqual(['O=Gemini Client,CN=gemini-client', 'O=Gemini Client,CN=gemini-client']);
    expect([certificate.subject, certificate.issuer]).toEqual([
      'CN=gemini-client\nO=Gemini Client',
      'CN=gemini-client\nO=Gemini Client',
    ]);
    expect(certificate.subjectAltName).toBeUndefined();
    expect(notBeforeMs).toBe(Math.floor(NOW_MS / 1000) * 1000);
    expect(notAfterMs - notBeforeMs).toBe(365 * 86_400_000);
    expect([Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]).toEqual([notBeforeMs, notAfterMs]);
  });

  test('is for TLS clients, and differs from the next one', async () => {
    const certificate = new X509Certificate((await identity(keyType)).certificatePem);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    const another = await minter.mint(keyType, NOW_MS);
    expect(new X509Certificate(another.certificatePem).serialNumber).not.toBe(certificate.serialNumber);
    expect(another.privateKeyPem).not.toBe((await identity(keyType)).privateKeyPem);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('is accepted in %s', async (version: SecureVersion) => {
    const { certPem, keyPem } = await testCertificate({});
    const { certificatePem, privateKeyPem, fingerprint } = await identity(keyType);
    let seen: string | undefined;
    const server = createServer(
      {
        cert: certPem,
        key: keyPem,
        requestCert: true,
        rejectUnauthorized: false,
        minVersion: version,
        maxVersion: version,
      },
      (socket) => {
        const raw = socket.getPeerX509Certificate()?.raw;
        seen = raw && createHash('sha256').update(raw).digest('hex');
        socket.end();
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connect({
      host: '127.0.0.1',
      port,
      cert: certificatePem,
      key: privateKeyPem,
      rejectUnauthorized: false,
    });
    socket.resume();
    await once(socket, 'close');
    server.close();
    expect(seen).toBe(fingerprint);
  });
});
