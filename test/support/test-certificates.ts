/**
 * Certificates for the local Gemini servers, made when first asked for and kept for the life of the process: the same
 * options give the same certificate.
 */
import { createHash, createPrivateKey, createPublicKey, webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as x509 from '@peculiar/x509';

import { REPOSITORY } from './server-under-test.js';

x509.cryptoProvider.set(webcrypto);

/** Kinds of keys by the names the test data uses; `rsa` is followed by the number of bits. */
export type KeyKind = 'ec' | 'p384' | 'p521' | 'ed25519' | `rsa${1024 | 2048 | 3072 | 4096 | 8192}`;

export interface CertificateOptions {
  /** Default `ec` (P-256). */
  readonly key?: KeyKind;
  /** Certificates with the same id share one key. */
  readonly keyId?: string;
  /** Distinguished name of subject and issuer, RFC 4514; may be empty. Default `CN=case.test`. */
  readonly subject?: string;
  /** Days from now. Default -30. */
  readonly notBeforeDays?: number;
  /** Days from now, or `9999` for the last second of that year. Default 365. */
  readonly notAfterDays?: number | '9999';
  /** Default SHA-256; without effect on Ed25519. */
  readonly hash?: 'SHA-1' | 'SHA-256';
  /** Authorities above the certificate, all of them sent. Default 0: self-signed. */
  readonly chainLength?: number;
  /** Tells certificates apart that differ in nothing else. */
  readonly label?: string;
}

/** What a TLS server needs, and what a client is to report. */
export interface TestCertificate {
  /** The certificate and those above it. */
  readonly certPem: string;
  /** PKCS#8. */
  readonly keyPem: string;
  /** SHA-256 of the certificate in lowercase hex. */
  readonly fingerprint: string;
}

interface Keys {
  readonly pair: webcrypto.CryptoKeyPair;
  readonly keyPem: string;
}

const MS_PER_DAY = 86_400_000;
const certificates = new Map<string, Promise<TestCertificate>>();
const keys = new Map<string, Promise<Keys>>();
let lastSerial = 0;

/** The certificate for these options. */
export function testCertificate(options: CertificateOptions): Promise<TestCertificate> {
  return remembered(certificates, JSON.stringify(options, Object.keys(options).sort()), () => make(options));
}

function remembered<T>(store: Map<string, T>, key: string, build: () => T): T {
  const known = store.get(key);
  if (known !== undefined) return known;
  const made = build();
  store.set(key, made);
  return made;
}

async function make(options: CertificateOptions): Promise<TestCertificate> {
  const { keyId, chainLength = 0 } = options;
  const kind = options.key ?? 'ec';
  const hash = options.hash ?? 'SHA-256';
  const own = await (keyId === undefined ? makeKeys(kind, hash) : remembered(keys, keyId, () => makeKeys(kind, hash)));
  const name = options.subject ?? 'CN=case.test';
  const period = periodOf(options);
  if (chainLength === 0) {
    const certificate = await sign({ subject: name, issuer: name, period, keys: own, signer: own, kind, hash });
    return outcome([certificate], own);
  }
  const authorities = await makeAuthorities(chainLength);
  const nearest = authorities.at(-1);
  if (nearest === undefined) throw new Error('a chain needs an authority');
  const leaf = await sign({
    subject: name,
    issuer: nearest.name,
    period,
    keys: own,
    signer: nearest.keys,
    kind: 'ec',
    hash: 'SHA-256',
  });
  return outcome([leaf, ...authorities.map(({ certificate }) => certificate).reverse()], own);
}

interface Authority {
  readonly name: string;
  readonly keys: Keys;
  readonly certificate: x509.X509Certificate;
}

/** `count` authorities from the root down, each signed by the one before. They share a key, which nobody notices. */
async function makeAuthorities(count: number): Promise<readonly Authority[]> {
  const own = await makeKeys('ec', 'SHA-256');
  const made: Authority[] = [];
  for (let level = 0; level < count; level++) {
    const name = `CN=authority ${level}`;
    const above = made.at(-1) ?? { name, keys: own };
    const certificate = await sign({
      subject: name,
      issuer: above.name,
      period: periodOf({}),
      keys: own,
      signer: above.keys,
      kind: 'ec',
      hash: 'SHA-256',
      isAuthority: true,
    });
    made.push({ name, keys: own, certificate });
  }
  return made;
}

interface SignRequest {
  readonly subject: string;
  readonly issuer: string;
  readonly period: { readonly notBefore: Date; readonly notAfter: Date };
  readonly keys: Keys;
  readonly signer: Keys;
  /** Kind of the signer's key. */
  readonly kind: KeyKind;
  readonly hash: string;
  readonly isAuthority?: boolean;
}

function sign(request: SignRequest): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.create({
    serialNumber: (++lastSerial).toString(16).padStart(4, '0'),
    subject: request.subject,
    issuer: request.issuer,
    ...request.period,
    publicKey: request.keys.pair.publicKey,
    signingKey: request.signer.pair.privateKey,
    signingAlgorithm: { ...algorithmOf(request.kind, request.hash), hash: request.hash },
    extensions: request.isAuthority === true ? [new x509.BasicConstraintsExtension(true, undefined, true)] : [],
  });
}

async function makeKeys(kind: KeyKind, hash: string): Promise<Keys> {
  if (kind === 'rsa4096' || kind === 'rsa8192') return readKeys(kind, algorithmOf(kind, hash));
  const pair = await webcrypto.subtle.generateKey(algorithmOf(kind, hash), true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error(`${kind} gives no pair of keys`);
  const der = await webcrypto.subtle.exportKey('pkcs8', pair.privateKey);
  return { pair, keyPem: pem('PRIVATE KEY', Buffer.from(der)) };
}

/** Keys that take too long to make, kept as a file. */
async function readKeys(kind: KeyKind, algorithm: Algorithm): Promise<Keys> {
  const keyPem = await readFile(join(REPOSITORY, 'test', 'fixtures', 'keys', `${kind}.pem`), 'utf8');
  const privateKey = createPrivateKey(keyPem);
  const { subtle } = webcrypto;
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    keyPem,
    pair: {
      privateKey: await subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']),
      publicKey: await subtle.importKey('spki', spki, algorithm, true, ['verify']),
    },
  };
}

type Algorithm = webcrypto.RsaHashedKeyGenParams | webcrypto.EcKeyGenParams;

function algorithmOf(kind: KeyKind, hash: string): Algorithm {
  switch (kind) {
    case 'ec':
      return { name: 'ECDSA', namedCurve: 'P-256' };
    case 'p384':
      return { name: 'ECDSA', namedCurve: 'P-384' };
    case 'p521':
      return { name: 'ECDSA', namedCurve: 'P-521' };
    case 'ed25519':
      // Web Crypto wants the name alone; the type of elliptic-curve parameters is the nearest there is.
      return { name: 'Ed25519', namedCurve: 'Ed25519' };
    case 'rsa1024':
    case 'rsa2048':
    case 'rsa3072':
    case 'rsa4096':
    case 'rsa8192':
      return {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength: Number(kind.slice('rsa'.length)),
        publicExponent: new Uint8Array([1, 0, 1]),
        hash,
      };
  }
}

function periodOf(options: CertificateOptions): { notBefore: Date; notAfter: Date } {
  const { notBeforeDays = -30, notAfterDays = 365 } = options;
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  return {
    notBefore: new Date(nowMs + notBeforeDays * MS_PER_DAY),
    notAfter: notAfterDays === '9999' ? new Date('9999-12-31T23:59:59Z') : new Date(nowMs + notAfterDays * MS_PER_DAY),
  };
}

function outcome(chain: readonly x509.X509Certificate[], own: Keys): TestCertificate {
  const encoded = chain.map((certificate) => Buffer.from(certificate.rawData));
  return {
    certPem: encoded.map((der) => pem('CERTIFICATE', der)).join(''),
    keyPem: own.keyPem,
    fingerprint: createHash('sha256')
      .update(encoded[0] ?? '')
      .digest('hex'),
  };
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
