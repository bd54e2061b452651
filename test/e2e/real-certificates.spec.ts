/**
 * Trust and identities against real Gemini servers: first use, certificates out of date and not valid yet, a real change of
 * certificate and its recovery, and molly-brown's certificate zone, which lets in only the certificates it lists.
 */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

import { lookup, objectsOf, textOf, type JsonObject } from '../support/json.js';
import {
  admitClientCertificate,
  readRealServers,
  rotateCertificate,
  type GeminiServer,
} from '../support/real-servers.js';
import { ToolSession } from '../support/tool-session.js';

jest.setTimeout(120_000);

const SETTINGS = {
  GEMINI_ALLOW_LOCAL_HOSTS: 'true',
  GEMINI_REQUESTS_PER_MINUTE: '0',
  // The probe would make the first contact; what it says is tested on its own.
  GEMINI_RESPECT_ROBOTS_TXT: 'false',
};

const { ports } = readRealServers();
const HOST = 'localhost';

let session: ToolSession;

beforeAll(async () => {
  session = await ToolSession.start('stdio', SETTINGS);
});

afterAll(() => session.close());

function urlAt(server: GeminiServer, rest: string): string {
  return `gemini://${HOST}:${ports[server]}${rest}`;
}

/** A page from the server itself, never from the cache. */
function fetch(server: GeminiServer, rest = '/'): Promise<JsonObject> {
  return session.call('gemini_fetch', { url: urlAt(server, rest), refresh: true });
}

/** Fingerprint of the certificate that the server shows now. */
function fingerprint(server: GeminiServer): string {
  return readRealServers().fingerprints[server];
}

async function pinOf(server: GeminiServer): Promise<JsonObject | undefined> {
  const { entries } = await session.call('gemini_trust_list', { host: HOST });
  return objectsOf(entries).find(({ port }) => port === ports[server]);
}

describe('first use', () => {
  test.each(['molly', 'jetforce', 'agate'] as const)('pins the certificate of %s and says so once', async (server) => {
    const seen = `sha256:${fingerprint(server)}`;
    const first = await fetch(server);
    expect(first).toMatchObject({
      kind: 'gemtext',
      request_info: { cert_fingerprint: seen, tofu_warning: expect.stringMatching(/first/i), tls_version: 'TLSv1.3' },
    });
    expect(await pinOf(server)).toMatchObject({ fingerprint: fingerprint(server), expired: false });
    expect(await fetch(server, '/gemlog/')).toMatchObject({
      kind: 'gemtext',
      request_info: { cert_fingerprint: seen, tofu_warning: null },
    });
  });

  test('the remark reaches the caller also when the robots probe made the first contact', async () => {
    const probing = await ToolSession.start('stdio', { ...SETTINGS, GEMINI_RESPECT_ROBOTS_TXT: 'true' });
    try {
      const page = await probing.call('gemini_fetch', { url: urlAt('agate', '/') });
      expect(page).toMatchObject({ kind: 'gemtext', request_info: { tofu_warning: expect.stringMatching(/first/i) } });
    } finally {
      await probing.close();
    }
  });
});

describe('validity', () => {
  test('a certificate that is out of date gives the page with a warning', async () => {
    expect(await fetch('expired')).toMatchObject({
      kind: 'gemtext',
      request_info: { tofu_warning: expect.stringMatching(/expired/i) },
    });
    expect(await pinOf('expired')).toMatchObject({ expired: true });
  });

  test('it is refused where the operator wants that, and not pinned', async () => {
    const strict = await ToolSession.start('stdio', { ...SETTINGS, GEMINI_TOFU_REJECT_EXPIRED: 'true' });
    try {
      const page = await strict.call('gemini_fetch', { url: urlAt('expired', '/') });
      expect(page).toMatchObject({ kind: 'error', error: { code: 'CERTIFICATE_EXPIRED' } });
      expect(await strict.call('gemini_trust_list', {})).toMatchObject({ entries: [] });
    } finally {
      await strict.close();
    }
  });

  test('a certificate that is valid from tomorrow is refused and not pinned', async () => {
    expect(await fetch('notyet')).toMatchObject({ kind: 'error', error: { code: 'CERTIFICATE_NOT_YET_VALID' } });
    expect(await pinOf('notyet')).toBeUndefined();
  });
});

describe('a changed certificate', () => {
  let before = '';

  beforeAll(async () => {
    before = fingerprint('jetforce');
    await fetch('jetforce');
    await rotateCertificate('jetforce');
  });

  test('stops the request and tells both fingerprints', async () => {
    expect(fingerprint('jetforce')).not.toBe(before);
    const answer = await fetch('jetforce', '/text/utf8.txt');
    expect(answer).toMatchObject({
      kind: 'error',
      error: {
        code: 'CERTIFICATE_CHANGED',
        pinned_fingerprint: expect.stringContaining(before),
        presented_fingerprint: expect.stringContaining(fingerprint('jetforce')),
        first_seen: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        pinned_expired: false,
        same_key: false,
      },
    });
  });

  test('takes the pages cached before it away', async () => {
    const cached = await session.call('gemini_fetch', { url: urlAt('jetforce', '/') });
    expect(cached).toMatchObject({ kind: 'error', error: { code: 'CERTIFICATE_CHANGED' } });
  });

  test('does not concern the other servers of the host', async () => {
    expect(await fetch('molly', '/text/utf8.txt')).toMatchObject({ kind: 'success' });
  });

  test('a pin is removed only by its own fingerprint', async () => {
    const args = { action: 'remove', host: HOST, port: ports.jetforce };
    const wrong = await session.call('gemini_trust_update', { ...args, fingerprint: fingerprint('jetforce') });
    expect(wrong).toMatchObject({ kind: 'error', error: { code: 'FINGERPRINT_MISMATCH' } });
    expect(JSON.stringify(wrong)).not.toContain(before);
    const right = await session.call('gemini_trust_update', { ...args, fingerprint: before });
    expect(right).toMatchObject({ kind: 'trust_update', changed: true });
  });

  test('after the removal the new certificate is pinned on first use', async () => {
    const now = fingerprint('jetforce');
    expect(await fetch('jetforce')).toMatchObject({
      kind: 'gemtext',
      request_info: { cert_fingerprint: `sha256:${now}`, tofu_warning: expect.stringMatching(/first/i) },
    });
    expect(await pinOf('jetforce')).toMatchObject({ fingerprint: now });
  });

  test('a second change can be met by pinning the new fingerprint, told by other means', async () => {
    await rotateCertificate('jetforce');
    expect(await fetch('jetforce')).toMatchObject({ error: { code: 'CERTIFICATE_CHANGED' } });
    const pin = { action: 'pin', host: HOST, port: ports.jetforce, fingerprint: fingerprint('jetforce') };
    expect(await session.call('gemini_trust_update', pin)).toMatchObject({ changed: true });
    expect(await fetch('jetforce')).toMatchObject({ kind: 'gemtext', request_info: { tofu_warning: null } });
  });
});

describe.each(['rsa', 'ec'])('an identity with a key of type %s', (key_type) => {
  const zone = urlAt('molly', '/certzone/');
  let identity = '';

  test('is asked for by the zone', async () => {
    expect(await fetch('molly', '/certzone/')).toMatchObject({ kind: 'certificate', status: 60, required: true });
  });

  test('is made on request, and covers the zone alone', async () => {
    const made = await session.call('gemini_client_cert_update', { action: 'create', url: zone, key_type });
    expect(made).toMatchObject({
      kind: 'client_cert_update',
      changed: true,
      path: '/certzone/',
      fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    identity = textOf(made['fingerprint']);
    const { entries } = await session.call('gemini_client_cert_list', {});
    expect(objectsOf(entries)).toEqual([expect.objectContaining({ url: zone, fingerprint: identity, expired: false })]);
  });

  test('is presented, and refused by a zone that does not list it', async () => {
    expect(await fetch('molly', '/certzone/')).toMatchObject({ kind: 'certificate', required: false });
  });

  test('opens the zone once its fingerprint is listed there', async () => {
    await admitClientCertificate(identity.replace('sha256:', ''));
    const page = await fetch('molly', '/certzone/');
    expect(page).toMatchObject({ kind: 'gemtext' });
    expect(lookup(page, 'document.lines.0.text')).toBe('For holders of the test certificate');
  });

  test('is not presented outside its scope', async () => {
    expect(await fetch('molly', '/cgi-bin/cert')).toMatchObject({ kind: 'certificate', status: 60 });
  });

  test('is not replaced by a second one', async () => {
    const again = await session.call('gemini_client_cert_update', { action: 'create', url: zone });
    expect(again).toMatchObject({ kind: 'error', error: { code: 'CERTIFICATE_EXISTS' } });
  });

  test('is removed only by its own fingerprint, and then the zone asks again, for cached pages too', async () => {
    const remove = { action: 'remove', url: zone };
    const wrong = await session.call('gemini_client_cert_update', { ...remove, fingerprint: '0'.repeat(64) });
    expect(wrong).toMatchObject({ kind: 'error', error: { code: 'FINGERPRINT_MISMATCH' } });
    const right = await session.call('gemini_client_cert_update', { ...remove, fingerprint: identity });
    expect(right).toMatchObject({ kind: 'client_cert_update', changed: true });
    const cached = await session.call('gemini_fetch', { url: zone });
    expect(cached).toMatchObject({ kind: 'certificate', status: 60 });
    expect(await session.call('gemini_client_cert_list', {})).toMatchObject({ entries: [] });
  });
});

test('a script sees the fingerprint of the identity that the tools told', async () => {
  const url = urlAt('jetforce', '/cgi-bin/cert');
  const made = await session.call('gemini_client_cert_update', { action: 'create', url });
  const page = await fetch('jetforce', '/cgi-bin/cert');
  expect(page).toMatchObject({ kind: 'success', content: expect.stringMatching(/^hash=/) });
  // jetforce writes SHA256 and upper-case hex.
  expect(textOf(page['content']).trim().toLowerCase()).toBe(`hash=${textOf(made['fingerprint'])}`);
});
