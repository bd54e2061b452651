import { describe, expect, test } from '@jest/globals';
import { LOCAL_PRINCIPAL } from '../../../src/common/principal.js';
import { Deadline } from '../../../src/common/deadline.js';
import { failure } from '../../../src/common/error-codes.js';
import type { GeminiProtocol, GeminiRequest } from '../../../src/gemini/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { SERVER_CERTIFICATE, type ScriptedAnswer } from './fake-dialer.js';
import { protocolWith } from './protocol-driver.js';

const CONTEXT = {
  principal: LOCAL_PRINCIPAL,
  addresses: [{ address: '192.0.2.1', family: 4 }],
  deadline: new Deadline(new FakeClock(), 30_000),
} as const;

const IDENTITY = { fingerprint: 'sha256:c3', certificatePem: 'certificate', privateKeyPem: 'key' };

const CONNECTION = {
  tls_version: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  cert_fingerprint: `sha256:${SERVER_CERTIFICATE.fingerprint}`,
  tofu_warning: null,
};

function answer(bytes: string, close: ScriptedAnswer['close'] = 'clean'): ScriptedAnswer {
  return { bytes: Buffer.from(bytes), close };
}

function requestOf(protocol: GeminiProtocol, url: string, input: string | null = null): GeminiRequest {
  const parsed = protocol.parse({ url, answer: input, refresh: false, offset: 0, format: 'full' });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe('exchange', () => {
  test('sends the request line to the addresses it is given, and tells the connection', async () => {
    const { protocol, dialer } = protocolWith(() => answer('20 text/plain\r\nhello'), { warning: 'first use' });
    const exchange = await protocol.exchange(
      requestOf(protocol, 'gemini://H:1966/a b'.replace(' ', '%20'), 'x y'),
      CONTEXT,
    );
    expect(exchange).toMatchObject({
      kind: 'document',
      document: { kind: 'text', text: 'hello' },
      incomplete: null,
      connection: { ...CONNECTION, tofu_warning: 'first use' },
    });
    expect(dialer.dials).toMatchObject([
      {
        host: 'h',
        port: 1966,
        addresses: CONTEXT.addresses,
        identity: null,
        request: 'gemini://h:1966/a%20b?x%20y\r\n',
        deadline: CONTEXT.deadline,
      },
    ]);
  });

  test.each([
    ['10 Name?\r\n', { kind: 'answer', members: { kind: 'input' }, connection: CONNECTION }],
    ['31 /x\r\n', { kind: 'answer', members: { kind: 'redirect', permanent: true }, connection: CONNECTION }],
    ['60 Who?\r\n', { kind: 'answer', members: { kind: 'certificate' }, connection: CONNECTION }],
    ['30 \r\n', { kind: 'failure', failure: { code: 'INVALID_REDIRECT' }, connection: CONNECTION }],
    ['51 no\r\n', { kind: 'failure', failure: { code: 'PERMANENT_ERROR' }, connection: CONNECTION }],
    [
      '44 soon \r\n',
      { kind: 'failure', failure: { code: 'TEMPORARY_ERROR' }, slowDown: 'soon ', connection: CONNECTION },
    ],
  ])('%j', async (bytes, outcome) => {
    const { protocol } = protocolWith(() => answer(bytes, 'open'));
    expect(await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject(outcome);
  });

  test('other failures than 44 ask for no pause', async () => {
    const { protocol } = protocolWith(() => answer('41 x\r\n'));
    expect(await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT)).not.toHaveProperty('slowDown');
  });

  test.each([
    ['a malformed answer', answer('hi\r\n'), 'PROTOCOL_ERROR'],
    ['nobody there', undefined, 'FETCH_ERROR'],
    ['a stall before the body', answer('20 a/b\r\n', 'open'), 'FETCH_ERROR'],
  ])('%s is told without a connection', async (_, scripted, code) => {
    const { protocol } = protocolWith(() => scripted);
    const exchange = await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT);
    expect(exchange).toMatchObject({ kind: 'failure', failure: { code } });
    expect(exchange.connection).toBeUndefined();
  });

  test.each([
    ['abrupt', 'no_close_notify'],
    ['open', 'timeout'],
  ] as const)('a body that ends early (%s) is delivered and marked', async (close, incomplete) => {
    const { protocol } = protocolWith(() => answer('20 text/plain\r\nhalf', close));
    expect(await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject({
      document: { text: 'half' },
      incomplete,
    });
  });

  test('the size limit counts header and body', async () => {
    const { protocol } = protocolWith(() => answer('20 text/plain\r\n12345678'), { options: { maxResponseBytes: 20 } });
    expect(await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject({
      document: { text: '12345', size: 5 },
      incomplete: 'size_cap',
    });
  });

  test('a denied type is refused at its header: a body that never ends is not waited for', async () => {
    const { protocol } = protocolWith(() => answer('20 image/png\r\nx', 'open'), {
      options: { deniedMimeTypes: ['image/*'] },
    });
    expect(await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject({
      kind: 'failure',
      failure: { code: 'CONTENT_FILTERED', facts: { mime_type: 'image/png' } },
      connection: CONNECTION,
    });
  });
});

describe('trust', () => {
  const changed = failure('CERTIFICATE_CHANGED', 'It changed.');

  test('a certificate that is refused withholds the request', async () => {
    const { protocol, dialer } = protocolWith(() => answer('20 text/plain\r\nx'), { refusal: changed });
    expect(await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT)).toEqual({
      kind: 'failure',
      failure: changed,
    });
    expect(dialer.requests).toEqual([]);
  });

  test('the refusal says that an identity was offered', async () => {
    const { protocol } = protocolWith(() => answer(''), { refusal: changed, identity: IDENTITY });
    expect(await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject({
      failure: { code: 'CERTIFICATE_CHANGED', message: expect.stringContaining('identity for this URL was offered') },
    });
  });

  test('pins that cannot be read are noticed before anybody is dialled', async () => {
    const unready = failure('CERTIFICATE_STORE_UNAVAILABLE', 'broken');
    const { protocol, dialer } = protocolWith(() => answer(''), { unready });
    expect(await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject({ failure: unready });
    expect(dialer.dials).toEqual([]);
  });
});

describe('identities', () => {
  test('the one that covers the request is presented, and names the variant together with its tenant', async () => {
    const { protocol, dialer } = protocolWith(() => answer('20 text/plain\r\nx'), { identity: IDENTITY });
    const request = requestOf(protocol, 'gemini://h/app');
    expect(await protocol.variant(request, LOCAL_PRINCIPAL)).toBe('local\0sha256:c3');
    expect(await protocol.variant(request, { ...LOCAL_PRINCIPAL, tenant: 'acme' })).toBe('acme\0sha256:c3');
    expect((await protocol.exchange(request, CONTEXT)).connection).toEqual(CONNECTION);
    expect(dialer.dials).toMatchObject([{ identity: IDENTITY }]);
  });

  test('none gives the empty variant, and so does one that cannot be read', async () => {
    const broken = failure('TLS_ERROR', 'unreadable');
    const plain = protocolWith(() => undefined).protocol;
    expect(await plain.variant(requestOf(plain, 'gemini://h/'), LOCAL_PRINCIPAL)).toBe('');
    const { protocol, dialer } = protocolWith(() => undefined, { identity: broken });
    expect(await protocol.variant(requestOf(protocol, 'gemini://h/'), LOCAL_PRINCIPAL)).toBe('');
    expect(await protocol.exchange(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject({ failure: broken });
    expect(dialer.dials).toEqual([]);
  });

  test('over TLS 1.2 a warning goes with it', async () => {
    const old = (): ScriptedAnswer => ({ ...answer('20 text/plain\r\nx'), version: 'TLSv1.2' });
    const withIdentity = protocolWith(old, { identity: IDENTITY }).protocol;
    const { connection } = await withIdentity.exchange(requestOf(withIdentity, 'gemini://h/'), CONTEXT);
    expect(connection).toMatchObject({
      tls_version: 'TLSv1.2',
      client_cert_warning: expect.stringContaining('TLS 1.2'),
    });
    const without = protocolWith(old).protocol;
    expect((await without.exchange(requestOf(without, 'gemini://h/'), CONTEXT)).connection).not.toHaveProperty(
      'client_cert_warning',
    );
  });
});

describe('robots probe', () => {
  const POLICY = 'User-agent: *\nDisallow: /x\n';

  function probed(
    routes: Readonly<Record<string, ScriptedAnswer | undefined>>,
    surroundings: Parameters<typeof protocolWith>[1] = {},
  ): ReturnType<typeof protocolWith> {
    return protocolWith((line) => routes[line], surroundings);
  }

  test('asks the root of the host and port, whatever was asked for, and carries the remark on the pin', async () => {
    const { protocol, dialer } = probed(
      { 'gemini://h:1966/robots.txt': answer(`20 text/plain\r\n${POLICY}`) },
      { warning: 'first use', options: { deniedMimeTypes: ['text/*'] } },
    );
    const request = requestOf(protocol, 'gemini://h:1966/deep/page?secret');
    expect(await protocol.probeRobots(request, CONTEXT)).toEqual({
      kind: 'policy',
      text: POLICY,
      connection: { ...CONNECTION, tofu_warning: 'first use' },
    });
    expect(dialer.requests).toEqual(['gemini://h:1966/robots.txt']);
  });

  test('reads no more than its own limit, or that of any answer', async () => {
    const long = answer(`20 text/plain\r\n${'Disallow: /x\n'.repeat(50_000)}`);
    const { protocol } = probed({ 'gemini://h/robots.txt': long });
    const policy = await protocol.probeRobots(requestOf(protocol, 'gemini://h/'), CONTEXT);
    expect(policy.kind === 'policy' && policy.text.length).toBeGreaterThan(511_900);
    expect(policy.kind === 'policy' && policy.text.length).toBeLessThanOrEqual(512_000);
    const small = probed({ 'gemini://h/robots.txt': long }, { options: { maxResponseBytes: 45 } }).protocol;
    expect(await small.probeRobots(requestOf(small, 'gemini://h/'), CONTEXT)).toMatchObject({
      text: 'Disallow: /x\nDisallow: /x\n',
    });
  });

  test('follows one redirect within the host and port', async () => {
    const { protocol, dialer } = probed({
      'gemini://h/robots.txt': answer('31 /meta/robots.txt\r\n'),
      'gemini://h/meta/robots.txt': answer(`20 text/gemini\r\n${POLICY}`),
    });
    expect(await protocol.probeRobots(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject({
      kind: 'policy',
      text: POLICY,
      connection: CONNECTION,
    });
    expect(dialer.requests).toHaveLength(2);
  });

  test('follows no second one: there is no policy then', async () => {
    const { protocol, dialer } = probed({
      'gemini://h/robots.txt': answer('31 /a\r\n'),
      'gemini://h/a': answer('31 /b\r\n'),
      'gemini://h/b': answer(`20 text/plain\r\n${POLICY}`),
    });
    expect(await protocol.probeRobots(requestOf(protocol, 'gemini://h/'), CONTEXT)).toEqual({
      kind: 'absent',
      connection: CONNECTION,
    });
    expect(dialer.requests).toHaveLength(2);
  });

  test.each([
    ['51 no\r\n', { kind: 'absent', connection: CONNECTION }],
    ['41 down\r\n', { kind: 'unavailable', cause: 'status 41', connection: CONNECTION }],
    ['44 9\r\n', { kind: 'unavailable', cause: 'status 44', slowDown: '9', connection: CONNECTION }],
    ['hello', { kind: 'unavailable', cause: 'malformed reply', reason: 'malformed' }],
  ])('%j', async (bytes, outcome) => {
    const { protocol } = probed({ 'gemini://h/robots.txt': answer(bytes) });
    expect(await protocol.probeRobots(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject(outcome);
  });

  test.each([
    ['silence', { kind: 'unavailable', cause: 'timed out', retry: true }, answer('', 'late'), {}],
    ['a closed port', { kind: 'unavailable', cause: 'refused or unreachable' }, undefined, {}],
    ['a changed certificate', { kind: 'surface' }, answer(''), { refusal: failure('CERTIFICATE_CHANGED', 'x') }],
    [
      'pins that cannot be read',
      { kind: 'surface' },
      answer(''),
      { unready: failure('CERTIFICATE_STORE_UNAVAILABLE', 'x') },
    ],
  ])('%s', async (_, outcome, scripted, surroundings) => {
    const { protocol } = probed({ 'gemini://h/robots.txt': scripted }, surroundings);
    expect(await protocol.probeRobots(requestOf(protocol, 'gemini://h/'), CONTEXT)).toMatchObject(outcome);
  });
});

describe('echo', () => {
  const { protocol } = protocolWith(() => undefined);

  test('has the path as written, the URL encoded, and of the query only that there was one', () => {
    const request = requestOf(protocol, 'GEMINI://H:1965/é\u200b/x?secret');
    expect(protocol.describe(request)).toEqual({
      url: 'gemini://h/%C3%A9%E2%80%8B/x',
      host: 'h',
      port: 1965,
      path: '/é/x',
      has_query: true,
    });
    expect(protocol.describe(requestOf(protocol, 'gemini://h/?'))).toMatchObject({ has_query: true });
    expect(protocol.describe(requestOf(protocol, 'gemini://h/'))).toMatchObject({ has_query: false });
  });

  test('a refused URL shows neither query nor userinfo', () => {
    expect(protocol.describeRefused('gemini://user:pw@h:0/x?secret')).toEqual({ url: 'gemini://h:0/x' });
  });

  test('no URL is answered without the network', () => {
    expect(protocol.refuse()).toBeNull();
  });
});
