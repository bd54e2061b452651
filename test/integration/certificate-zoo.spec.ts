/**
 * Every kind of certificate that a capsule may show, through the built server: a page or a clear error, never an internal
 * fault, never silence.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { isObject, lookup, objectsOf, type JsonObject } from '../support/json.js';
import { LoopbackServer, type ServerConnection, type TlsSettings } from '../support/loopback-server.js';
import { McpStdioClient } from '../support/mcp-stdio-client.js';
import {
  makeScratchFolder,
  removeScratchFolder,
  serverCommand,
  serverEnvironment,
} from '../support/server-under-test.js';
import { testCertificate, type CertificateOptions, type TestCertificate } from '../support/test-certificates.js';

const TIMEOUT_MS = 120_000;
const PAGE = '20 text/gemini\r\n# Zoo\n';

let folder = '';
let client: McpStdioClient;
/** Open until the end, so that no port, and with it no pin, comes twice. */
const servers: LoopbackServer[] = [];

beforeAll(async () => {
  folder = await makeScratchFolder();
  const environment = serverEnvironment(folder, {
    GEMINI_ALLOW_LOCAL_HOSTS: 'true',
    GEMINI_RESPECT_ROBOTS_TXT: 'false',
    GEMINI_REQUESTS_PER_MINUTE: '0',
    GEMINI_TIMEOUT_SECONDS: '20',
    GOPHER_MCP_LOG_LEVEL: 'ERROR',
  });
  client = new McpStdioClient({ command: serverCommand(), folder, environment });
  await client.initialize();
}, TIMEOUT_MS);

afterAll(async () => {
  await client.close();
  await Promise.all(servers.map((server) => server.close()));
  await removeScratchFolder(folder);
}, TIMEOUT_MS);

/** Starts a capsule with such a certificate; `onRequest` sees each connection that brought a request. */
async function startCapsule(
  certificate: TestCertificate,
  tls: Partial<TlsSettings>,
  onRequest: (connection: ServerConnection) => void = () => undefined,
): Promise<string> {
  const server = await LoopbackServer.listen('127.0.0.1', 0, () => ({
    tls: { certificate, ...tls },
    handle: async (connection) => {
      await connection.readUntil((received) => received.includes('\r\n'));
      onRequest(connection);
      await connection.write(Buffer.from(PAGE));
      await connection.end('clean');
    },
  }));
  servers.push(server);
  return `gemini://127.0.0.1:${server.port}/`;
}

async function call(tool: string, args: JsonObject): Promise<JsonObject> {
  const { result } = await client.callTool(tool, args);
  const payload = lookup(result, 'structuredContent');
  if (!isObject(payload)) throw new Error('there is no structured content');
  return payload;
}

/** Fetches a page from a server with such a certificate; gives the payload and the real fingerprint. */
async function visit(
  options: CertificateOptions,
  tls: Partial<TlsSettings> = {},
): Promise<{ payload: JsonObject; fingerprint: string }> {
  const certificate = await testCertificate(options);
  const url = await startCapsule(certificate, tls);
  const payload = await call('gemini_fetch', { url });
  return { payload, fingerprint: `sha256:${certificate.fingerprint}` };
}

const ACCEPTED: readonly [what: string, options: CertificateOptions][] = [
  ['RSA 1024', { key: 'rsa1024' }],
  ['RSA 2048', { key: 'rsa2048' }],
  ['RSA 3072', { key: 'rsa3072' }],
  ['RSA 4096', { key: 'rsa4096' }],
  ['RSA 8192', { key: 'rsa8192' }],
  ['EC P-256', { key: 'ec' }],
  ['EC P-384', { key: 'p384' }],
  ['EC P-521', { key: 'p521' }],
  ['Ed25519', { key: 'ed25519' }],
  ['signed with SHA-1', { key: 'rsa2048', hash: 'SHA-1' }],
  ['a name that is not the host', { subject: 'CN=somewhere.else.example' }],
  ['no common name', { subject: 'O=Nobody' }],
  ['an empty subject', { subject: '' }],
  ['a chain of eight authorities', { chainLength: 8 }],
  ['valid until the end of the year 9999', { notAfterDays: '9999' }],
  ['valid in four minutes, which a slow clock explains', { notBeforeDays: 4 / (24 * 60) }],
];

const VERSIONS = [
  ['RSA', 'rsa2048', 'TLSv1.2'],
  ['EC', 'ec', 'TLSv1.2'],
  ['Ed25519', 'ed25519', 'TLSv1.2'],
  ['RSA', 'rsa2048', 'TLSv1.3'],
  ['EC', 'ec', 'TLSv1.3'],
  ['Ed25519', 'ed25519', 'TLSv1.3'],
] as const;

describe('certificates that are pinned and give the page', () => {
  test.each(ACCEPTED)(
    '%s',
    async (_, options) => {
      const { payload, fingerprint } = await visit(options);
      expect(payload).toMatchObject({
        kind: 'gemtext',
        request_info: { cert_fingerprint: fingerprint, tofu_warning: expect.any(String) },
      });
    },
    TIMEOUT_MS,
  );

  test.each(VERSIONS)(
    '%s (%s) under %s',
    async (_, key, version) => {
      const { payload } = await visit({ key }, { minVersion: version, maxVersion: version });
      expect(payload).toMatchObject({ kind: 'gemtext', request_info: { tls_version: version } });
    },
    TIMEOUT_MS,
  );

  test('an expired one gives the page with a warning that says so', async () => {
    const { payload } = await visit({ notBeforeDays: -60, notAfterDays: -20 });
    expect(payload).toMatchObject({
      kind: 'gemtext',
      request_info: { tofu_warning: expect.stringMatching(/expired/i) },
    });
  });
});

describe('certificates that are refused, with the reason', () => {
  test('one that becomes valid in two days', async () => {
    const { payload } = await visit({ notBeforeDays: 2 });
    expect(payload).toMatchObject({ kind: 'error', error: { code: 'CERTIFICATE_NOT_YET_VALID' } });
  });

  test(
    'a chain too long for a handshake is a TLS error, not silence',
    async () => {
      const { payload } = await visit({ chainLength: 400 });
      expect(payload).toMatchObject({
        kind: 'error',
        error: { code: 'TLS_ERROR', message: expect.any(String), next_step: expect.any(String) },
      });
    },
    TIMEOUT_MS,
  );

  test('a server of TLS 1.1 is a TLS error that names the version as the reason', async () => {
    const { payload } = await visit({ label: 'old' }, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
    expect(payload).toMatchObject({ kind: 'error', error: { code: 'TLS_ERROR', reason: 'tls_version' } });
  });
});

const IDENTITIES = [
  ['rsa', 'TLSv1.2'],
  ['rsa', 'TLSv1.3'],
  ['ec', 'TLSv1.2'],
  ['ec', 'TLSv1.3'],
] as const;

describe('identities', () => {
  test.each(IDENTITIES)(
    'of type %s are made, presented under %s, and removed',
    async (key_type, version) => {
      const seen: (string | null)[] = [];
      const url = await startCapsule(
        await testCertificate({}),
        { asksForCertificate: true, minVersion: version, maxVersion: version },
        ({ clientFingerprint }) => seen.push(clientFingerprint && `sha256:${clientFingerprint}`),
      );
      const made = await call('gemini_client_cert_update', { action: 'create', url, key_type });
      expect(made).toMatchObject({ kind: 'client_cert_update', changed: true });
      const fingerprint = made['fingerprint'] ?? null;
      expect(await call('gemini_fetch', { url })).toMatchObject({ kind: 'gemtext' });
      const removed = await call('gemini_client_cert_update', { action: 'remove', url, fingerprint });
      expect(removed).toMatchObject({ changed: true });
      expect(await call('gemini_fetch', { url, refresh: true })).toMatchObject({ kind: 'gemtext' });
      expect(seen).toEqual([fingerprint, null]);
    },
    TIMEOUT_MS,
  );
});

test('after the whole zoo the server still answers, and lists one pin for each certificate it took', async () => {
  const { entries } = await call('gemini_trust_list', {});
  const ports = objectsOf(entries).map(({ port }) => port);
  expect(ports).toHaveLength(ACCEPTED.length + VERSIONS.length + 1 + IDENTITIES.length);
  expect(new Set(ports).size).toBe(ports.length);
});
