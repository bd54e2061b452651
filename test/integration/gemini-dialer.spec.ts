/** The TLS dialer against servers of our own: how connections come about, how they end, and what that makes of the answer. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, X509Certificate } from 'node:crypto';
import { Deadline } from '../../src/common/deadline.js';
import { failure, type Failure } from '../../src/common/error-codes.js';
import type { Result } from '../../src/common/result.js';
import { ResponseReader } from '../../src/gemini/core/response-reader.js';
import type { TlsAnswer, TlsDial } from '../../src/gemini/index.js';
import { NodeTlsDialer } from '../../src/gemini/io/node-tls-dialer.js';
import type { ServerCertificate } from '../../src/gemini/tls-dialer.port.js';
import { HurriedClock } from '../support/hurried-clock.js';
import { LoopbackServer, type ConnectionHandler, type TlsSettings } from '../support/loopback-server.js';
import { testCertificate, type TestCertificate } from '../support/test-certificates.js';

const REQUEST = 'gemini://localhost/\r\n';
const V4 = { address: '127.0.0.1', family: 4 } as const;
const V6 = { address: '::1', family: 6 } as const;

let certificate: TestCertificate;
const servers: LoopbackServer[] = [];

beforeAll(async () => {
  certificate = await testCertificate({});
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function listen(
  handle: ConnectionHandler,
  tls: Partial<TlsSettings> | null = {},
  host = '127.0.0.1',
): Promise<LoopbackServer> {
  const server = await LoopbackServer.listen(host, 0, () => ({
    tls: tls === null ? undefined : { certificate, ...tls },
    handle,
  }));
  servers.push(server);
  return server;
}

/** Waits for the request, writes, then does what the test wants. */
function answering(
  bytes: string,
  then: ConnectionHandler = (connection) => connection.end('clean'),
): ConnectionHandler {
  return async (connection) => {
    await connection.readUntil((received) => received.includes('\r\n'));
    await connection.write(Buffer.from(bytes));
    await then(connection);
  };
}

const staying: ConnectionHandler = (connection) => connection.clientEnded();

interface Dialled {
  readonly outcome: Result<TlsAnswer, Failure>;
  readonly seen: readonly (ServerCertificate | null)[];
  /** How fast time passed, so that a wait shows without being waited for. */
  readonly elapsedMs: number;
}

async function dial(
  port: number,
  changes: Partial<TlsDial> & { timeoutMs?: number; maxBytes?: number } = {},
): Promise<Dialled> {
  const { timeoutMs = 20_000, maxBytes = 1_000_000, ...rest } = changes;
  // Twenty times as fast: deadlines and the wait for a last close are reached without patience.
  const clock = new HurriedClock(20);
  const deadline = new Deadline(clock, timeoutMs);
  const seen: (ServerCertificate | null)[] = [];
  const startMs = clock.monotonicMs();
  const outcome = await new NodeTlsDialer(clock).dial({
    host: 'localhost',
    port,
    addresses: [V4],
    identity: null,
    request: REQUEST,
    reader: new ResponseReader({ maxBytes, wantsBody: () => true }),
    admit: async (shown) => {
      seen.push(shown);
      return null;
    },
    deadline,
    ...rest,
  });
  deadline.dispose();
  return { outcome, seen, elapsedMs: clock.monotonicMs() - startMs };
}

function told({ outcome }: Dialled): object {
  if (!outcome.ok) return { code: outcome.error.code, reason: outcome.error.facts.reason };
  const { header, body, incomplete } = outcome.value.response;
  return { status: header.status, body: body.toString(), incomplete };
}

describe('how an answer ends', () => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'close_notify is told from a bare end, every time (%s)',
    async (version) => {
      const tls = { minVersion: version, maxVersion: version };
      for (const size of [0, 5, 10_000, 65_514, 300_000]) {
        const body = 'x'.repeat(size);
        const clean = await listen(answering(`20 text/plain\r\n${body}`), tls);
        const apart = await listen(
          answering(`20 text/plain\r\n${body}`, async (connection) => {
            await connection.pause(5);
            await connection.end('clean');
          }),
          tls,
        );
        const abrupt = await listen(
          answering(`20 text/plain\r\n${body}`, (connection) => connection.end('abrupt')),
          tls,
        );
        for (let round = 0; round < 3; round++) {
          expect(told(await dial(clean.port))).toEqual({ status: 20, body, incomplete: null });
          expect(told(await dial(apart.port))).toEqual({ status: 20, body, incomplete: null });
          expect(told(await dial(abrupt.port))).toEqual({ status: 20, body, incomplete: 'no_close_notify' });
        }
      }
    },
  );

  test('a reset in the body is a failure, whatever came before', async () => {
    const { port } = await listen(
      answering('20 text/plain\r\nhalf', async (connection) => {
        await connection.pause(20);
        await connection.end('reset');
      }),
    );
    expect(told(await dial(port))).toEqual({ code: 'FETCH_ERROR', reason: 'reset' });
  });

  test('a body that stalls is given as far as it came, at the deadline', async () => {
    const { port } = await listen(answering('20 text/plain\r\nhalf', staying));
    const dialled = await dial(port, { timeoutMs: 4000 });
    expect(told(dialled)).toEqual({ status: 20, body: 'half', incomplete: 'timeout' });
    expect(dialled.elapsedMs).toBeGreaterThan(3900);
  });

  test('so is one that drips', async () => {
    const { port } = await listen(
      answering('20 text/plain\r\n', async (connection) => {
        while (!connection.isGone) {
          await connection.write(Buffer.from('x'));
          await connection.pause(10);
        }
      }),
    );
    expect(told(await dial(port, { timeoutMs: 4000 }))).toEqual({
      status: 20,
      body: expect.stringMatching(/^x+$/),
      incomplete: 'timeout',
    });
  });

  test.each(['', '20 te', '20 text/plain\r\n'])(
    'silence behind %j ends at the deadline without an answer',
    async (bytes) => {
      const { port } = await listen(answering(bytes, staying));
      expect(told(await dial(port, { timeoutMs: 4000 }))).toEqual({ code: 'FETCH_ERROR', reason: 'timeout' });
    },
  );

  test('outside 2x the header is the answer: the close is not waited for', async () => {
    const { port } = await listen(answering('51 missing\r\n', staying));
    const dialled = await dial(port, { timeoutMs: 200_000 });
    expect(told(dialled)).toEqual({ status: 51, body: '', incomplete: null });
    expect(dialled.elapsedMs).toBeLessThan(100_000);
  });

  test.each([
    ['exactly at the limit, then close_notify', 5, 'clean', { status: 20, body: '12345', incomplete: null }],
    [
      'exactly at the limit, then nothing for a second',
      5,
      'stay',
      { status: 20, body: '12345', incomplete: 'size_cap' },
    ],
    ['over the limit', 4, 'stay', { status: 20, body: '1234', incomplete: 'size_cap' }],
  ])('%s', async (_, room, end, expected) => {
    const { port } = await listen(
      answering('20 a/b\r\n12345', end === 'clean' ? (connection) => connection.end('clean') : staying),
    );
    expect(told(await dial(port, { maxBytes: 8 + room, timeoutMs: 200_000 }))).toEqual(expected);
  });

  test.each([
    ['a malformed header', '20text\r\n', staying],
    ['no answer', '', (connection) => connection.end('clean')],
    ['no answer and no close_notify', '', (connection) => connection.end('abrupt')],
    ['half a header', '20 te', (connection) => connection.end('abrupt')],
  ] satisfies [string, string, ConnectionHandler][])('%s is malformed', async (_, bytes, then) => {
    const { port } = await listen(answering(bytes, then));
    expect(told(await dial(port))).toEqual({ code: 'PROTOCOL_ERROR', reason: 'malformed' });
  });

  test('the server sees the connection end once it is served', async () => {
    let ended: (value: string) => void = () => undefined;
    const gone = new Promise<string>((resolve) => {
      ended = resolve;
    });
    const { port } = await listen(
      answering('51 x\r\n', async (connection) => {
        await connection.clientEnded();
        ended('ended');
      }),
    );
    await dial(port);
    await expect(gone).resolves.toBe('ended');
  });
});

describe('answers before the request', () => {
  test('count, although the request is never read', async () => {
    const { port } = await listen(async (connection) => {
      await connection.write(Buffer.from('40 too busy\r\n'));
      await connection.end('clean');
    });
    expect(told(await dial(port))).toEqual({ status: 40, body: '', incomplete: null });
  });

  test('count with their body, while the certificate is still being judged', async () => {
    const { port } = await listen(async (connection) => {
      await connection.write(Buffer.from('20 text/plain\r\nearly'));
      await connection.end('clean');
    });
    const late = (): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), 50));
    expect(told(await dial(port, { admit: late }))).toEqual({ status: 20, body: 'early', incomplete: null });
  });

  test('do not count when the certificate is refused', async () => {
    const { port } = await listen(async (connection) => {
      await connection.write(Buffer.from('20 text/plain\r\nearly'));
      await connection.end('clean');
    });
    const refusal = failure('CERTIFICATE_CHANGED', 'changed');
    expect(told(await dial(port, { admit: async () => refusal }))).toMatchObject({ code: 'CERTIFICATE_CHANGED' });
  });
});

describe('trust', () => {
  test.each(['ec', 'rsa2048', 'ed25519'] as const)('the certificate is judged by its facts (%s)', async (key) => {
    const own = await testCertificate({ key });
    const { port } = await listen(answering('20 a/b\r\n'), { certificate: own });
    const { outcome, seen } = await dial(port);
    const leaf = new X509Certificate(own.certPem);
    const [shown] = seen;
    expect(seen).toHaveLength(1);
    expect({ ...shown, spki: shown?.spki }).toMatchObject({
      fingerprint: own.fingerprint,
      spki: createHash('sha256')
        .update(leaf.publicKey.export({ type: 'spki', format: 'der' }))
        .digest('hex'),
      notBeforeMs: Date.parse(leaf.validFrom),
      notAfterMs: Date.parse(leaf.validTo),
    });
    expect(outcome.ok && outcome.value.connection.fingerprint).toBe(own.fingerprint);
  });

  test('a certificate under an authority, and one without an end, are read too', async () => {
    const own = await testCertificate({ chainLength: 2, notAfterDays: '9999', label: 'forever' });
    const { port } = await listen(answering('20 a/b\r\n'), { certificate: own });
    const { seen } = await dial(port);
    expect(seen).toMatchObject([{ fingerprint: own.fingerprint }]);
    expect(new Date(seen[0]?.notAfterMs ?? 0).getUTCFullYear()).toBe(9999);
  });

  test('a refusal withholds the request', async () => {
    let received: Buffer | undefined;
    const { port } = await listen(async (connection) => {
      received = (await connection.readUntil(() => false)).bytes;
    });
    const refusal = failure('CERTIFICATE_CHANGED', 'changed');
    const { outcome } = await dial(port, { admit: async () => refusal });
    expect(outcome).toEqual({ ok: false, error: refusal });
    await Promise.all(servers.splice(0).map((server) => server.close()));
    expect(received?.length ?? 0).toBe(0);
  });

  test('judging is charged to the deadline', async () => {
    const { port } = await listen(staying);
    const never = (): Promise<null> => new Promise(() => undefined);
    expect(told(await dial(port, { admit: never, timeoutMs: 2000 }))).toEqual({
      code: 'FETCH_ERROR',
      reason: 'timeout',
    });
  });

  test('a fault in judging is a failure, not a crash', async () => {
    const { port } = await listen(staying);
    const faulty = (): Promise<null> => Promise.reject(new Error('bug'));
    expect(told(await dial(port, { admit: faulty }))).toEqual({ code: 'FETCH_ERROR', reason: 'internal' });
  });
});

describe('TLS', () => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s alone is enough, and told', async (version) => {
    const { port } = await listen(answering('20 a/b\r\n'), { minVersion: version, maxVersion: version });
    const { outcome } = await dial(port);
    expect(outcome.ok && outcome.value.connection).toMatchObject({
      version,
      cipher: expect.stringMatching(/^(TLS_|ECDHE-)/),
    });
  });

  test('an older version is refused, and told', async () => {
    const { port } = await listen(answering('20 a/b\r\n'), { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
    expect(told(await dial(port))).toEqual({ code: 'TLS_ERROR', reason: 'tls_version' });
  });

  test.each(['20 text/gemini\r\n# Plain\n', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'SSH-2.0-x\r\n', '\0'.repeat(64)])(
    'a server without TLS that writes %j is told at once',
    async (greeting) => {
      const { port } = await listen(async (connection) => {
        await connection.write(Buffer.from(greeting));
        await connection.clientEnded();
      }, null);
      expect(told(await dial(port))).toEqual({ code: 'TLS_ERROR', reason: 'not_tls' });
    },
  );

  test.each([
    ['closes', (connection) => connection.end('clean')],
    ['resets', (connection) => connection.end('reset')],
  ] satisfies [string, ConnectionHandler][])('a server that %s before TLS is up', async (_, handle) => {
    const { port } = await listen(handle, null);
    expect(told(await dial(port))).toEqual({ code: 'FETCH_ERROR', reason: 'reset' });
  });

  test.each([
    ['localhost', 'localhost'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['127.0.0.1', null],
    ['::1', null],
  ])('host %s is named to the server as %s', async (host, serverName) => {
    let seen: string | null | undefined;
    const { port } = await listen(async (connection) => {
      seen = connection.serverName;
      await answering('20 a/b\r\n')(connection);
    });
    await dial(port, { host });
    expect(seen).toBe(serverName);
  });
});

describe('client certificates', () => {
  async function presented(
    identity: TlsDial['identity'],
    version: 'TLSv1.2' | 'TLSv1.3',
  ): Promise<boolean | undefined> {
    let has: boolean | undefined;
    const { port } = await listen(
      async (connection) => {
        await connection.readUntil((received) => received.includes('\r\n'));
        has = connection.hasClientCertificate;
        await connection.write(Buffer.from('20 a/b\r\n'));
        await connection.end('clean');
      },
      { asksForCertificate: true, minVersion: version, maxVersion: version },
    );
    expect(told(await dial(port, { identity }))).toMatchObject({ status: 20 });
    return has;
  }

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'are presented when there is an identity, and only then (%s)',
    async (version) => {
      const own = await testCertificate({ subject: 'CN=client' });
      const identity = { certificatePem: own.certPem, privateKeyPem: own.keyPem };
      expect(await presented(identity, version)).toBe(true);
      expect(await presented(null, version)).toBe(false);
    },
  );

  test('that do not fit their key are told before anything is dialled', async () => {
    const own = await testCertificate({ subject: 'CN=client' });
    const server = await listen(staying);
    for (const privateKeyPem of [certificate.keyPem, 'no key']) {
      const identity = { certificatePem: own.certPem, privateKeyPem };
      expect(told(await dial(server.port, { identity }))).toEqual({ code: 'TLS_ERROR', reason: undefined });
    }
    expect(server.accepted).toBe(0);
  });
});

describe('addresses', () => {
  test('IPv4 is tried first, the others follow when one refuses', async () => {
    const server = await listen(answering('20 a/b\r\n'));
    const elsewhere = { address: '127.0.0.9', family: 4 } as const;
    expect(told(await dial(server.port, { addresses: [V6, elsewhere, V4] }))).toMatchObject({ status: 20 });
    expect(server.accepted).toBe(1);
  });

  test('one that does not shake hands in its share of the time gives way', async () => {
    const good = await listen(answering('20 a/b\r\n'));
    const silent = await LoopbackServer.listen('127.0.0.9', good.port, () => ({ tls: undefined, handle: staying }));
    servers.push(silent);
    const dialled = await dial(good.port, { addresses: [{ address: '127.0.0.9', family: 4 }, V4], timeoutMs: 40_000 });
    expect(told(dialled)).toMatchObject({ status: 20 });
    expect(dialled.elapsedMs).toBeGreaterThan(19_000);
    expect(silent.accepted).toBe(1);
  });

  test('one that fails in the handshake gives way, too', async () => {
    const good = await listen(answering('20 a/b\r\n'));
    const plain = await LoopbackServer.listen('127.0.0.9', good.port, () => ({
      tls: undefined,
      handle: (connection) => connection.write(Buffer.from('20 a/b\r\n')),
    }));
    servers.push(plain);
    expect(told(await dial(good.port, { addresses: [{ address: '127.0.0.9', family: 4 }, V4] }))).toMatchObject({
      status: 20,
    });
  });

  test('the last error is the one that is told', async () => {
    const { port } = await listen(staying);
    await Promise.all(servers.splice(0).map((server) => server.close()));
    expect(told(await dial(port))).toEqual({ code: 'FETCH_ERROR', reason: 'refused' });
  });

  test('IPv6 alone will do', async () => {
    const { port } = await listen(answering('20 a/b\r\n'), {}, '::1');
    expect(told(await dial(port, { host: '::1', addresses: [V6] }))).toMatchObject({ status: 20 });
  });
});

describe('ends from outside', () => {
  test('a caller that goes away ends the exchange at once, with nothing delivered', async () => {
    const caller = new AbortController();
    const { port } = await listen(
      answering('20 text/plain\r\nhalf', async (connection) => {
        await connection.pause(20);
        caller.abort();
        await connection.clientEnded();
      }),
    );
    const deadline = new Deadline(new HurriedClock(1), 60_000, caller.signal);
    expect(told(await dial(port, { deadline }))).toEqual({ code: 'FETCH_ERROR', reason: 'cancelled' });
  });

  test('a deadline that has ended already opens nothing that stays', async () => {
    const caller = new AbortController();
    caller.abort();
    const { port } = await listen(staying);
    const deadline = new Deadline(new HurriedClock(1), 60_000, caller.signal);
    expect(told(await dial(port, { deadline }))).toEqual({ code: 'FETCH_ERROR', reason: 'cancelled' });
  });
});
