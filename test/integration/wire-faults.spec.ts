/**
 * Whatever goes wrong on the wire: the tools of the real graph against loopback servers that stall, drip, reset, answer early, break
 * TLS or are not there. Each fault has its code and reason, is told within the deadline, and leaves nothing behind: no socket, no
 * timer, no place in line, which is looked at after every test of this file.
 */
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { lookup, type JsonObject } from '../support/json.js';
import { RawServer, tlsOver, type SocketHandler } from '../support/raw-server.js';
import { testCertificate, type TestCertificate } from '../support/test-certificates.js';
import { heldOpen, leakedSince, ToolBench } from '../support/tool-bench.js';
import { unresponsivePort, type UnresponsivePort } from '../support/unresponsive-port.js';

/** Seconds of the setting, and how many times as fast they pass. */
const TIMEOUT_SECONDS = 10;
const HURRY = 20;
/** Real milliseconds within which a fetch must have ended, whatever happens to it: the deadline and some room for a busy machine. */
const WITHIN_MS = (TIMEOUT_SECONDS * 1000) / HURRY + 2000;
/** So long after a write what was written has arrived, on one machine. */
const ARRIVAL_MS = 20;
/** What the test resolver answers for these names; all others are one server on this machine. */
const NAMES = new Map<string, readonly string[]>([
  ['second.example', ['127.0.0.9', '127.0.0.1']],
  ['none.example', ['127.0.0.9', '127.0.0.8']],
]);

let certificate: TestCertificate;
let bench: ToolBench;
let before: ReadonlyMap<string, number>;
const servers: RawServer[] = [];
let unresponsive: UnresponsivePort | undefined;

beforeAll(async () => {
  certificate = await testCertificate({});
  bench = await ToolBench.start({
    hurry: HURRY,
    both: {
      ALLOW_LOCAL_HOSTS: 'true',
      RESPECT_ROBOTS_TXT: 'false',
      REQUESTS_PER_MINUTE: '0',
      TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
    },
    lookup: async (host) => {
      if (host === 'silent.example') return new Promise(() => undefined);
      return NAMES.get(host) ?? ['127.0.0.1'];
    },
  });
}, 60_000);

afterAll(() => bench.close());

beforeEach(() => {
  before = heldOpen();
});

afterEach(async () => {
  // Before the servers let go: whatever our side holds must be gone by itself.
  expect({ underWay: bench.underWay, timers: bench.timers }).toEqual({ underWay: 0, timers: 0 });
  for (const server of servers.splice(0)) await server.close();
  await unresponsive?.close();
  unresponsive = undefined;
  expect(await leakedSince(before)).toEqual({});
});

async function serve(handle: SocketHandler, host?: string, port?: number): Promise<RawServer> {
  const server = await RawServer.listen(handle, host, port);
  servers.push(server);
  return server;
}

/** A handler that waits for the request line and goes on with the socket. */
function onRequest(answer: (socket: Socket) => void): SocketHandler {
  return (socket) => {
    socket.once('data', () => answer(socket));
  };
}

/** The same over TLS. */
function onSecureRequest(
  answer: (tls: ReturnType<typeof tlsOver>, socket: Socket) => void,
  options: Partial<Parameters<typeof tlsOver>[1]> = {},
): SocketHandler {
  return (socket) => {
    const over = tlsOver(socket, { certificate, ...options });
    over.tls.once('data', () => answer(over, socket));
  };
}

const silent: SocketHandler = (socket) => void socket.resume();

/** Fetches and holds the time against the deadline. */
async function fetched(url: string): Promise<JsonObject> {
  const startedMs = performance.now();
  const payload = await bench.call(url.startsWith('gopher') ? 'gopher_fetch' : 'gemini_fetch', { url });
  expect(performance.now() - startedMs).toBeLessThan(WITHIN_MS);
  return payload;
}

/** What a test is about: the failure, or the kind and how much of it came. */
function told(payload: JsonObject): object {
  const { kind, incomplete_reason: incomplete } = payload;
  if (kind !== 'error') return { kind, text: payload['text'] ?? payload['content'], incomplete: incomplete ?? null };
  const message = String(lookup(payload, 'error.message'));
  // Neither an address that a name resolved to nor the words of a library.
  expect(message).not.toMatch(/127\.0\.0\.|ECONN|ERR_|SSL routines|openssl|socket hang up/i);
  return { code: lookup(payload, 'error.code'), reason: lookup(payload, 'error.reason') ?? null };
}

const gopher = async ({ port }: { port: number }, item = '0/x', host = 'h.example'): Promise<object> =>
  told(await fetched(`gopher://${host}:${port}/${item}`));
const gemini = async ({ port }: { port: number }, path = 'x', host = 'h.example'): Promise<object> =>
  told(await fetched(`gemini://${host}:${port}/${path}`));

const TIMEOUT = { code: 'FETCH_ERROR', reason: 'timeout' };
const RESET = { code: 'FETCH_ERROR', reason: 'reset' };
const REFUSED = { code: 'FETCH_ERROR', reason: 'refused' };
const MALFORMED = { code: 'PROTOCOL_ERROR', reason: 'malformed' };
const NOT_TLS = { code: 'TLS_ERROR', reason: 'not_tls' };
const OLD_TLS = { code: 'TLS_ERROR', reason: 'tls_version' };
const TLS_FAILED = { code: 'TLS_ERROR', reason: null };

describe('silence', () => {
  test('of the name server', async () => {
    expect(await gopher({ port: 70 }, '0/x', 'silent.example')).toEqual(TIMEOUT);
    expect(await gemini({ port: 1965 }, 'x', 'silent.example')).toEqual(TIMEOUT);
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux('of a host that does not take the connection', async () => {
    unresponsive = await unresponsivePort();
    expect(await gopher(unresponsive)).toEqual(TIMEOUT);
    expect(await gemini(unresponsive)).toEqual(TIMEOUT);
  });

  test('of a server that takes the connection', async () => {
    const server = await serve(silent);
    expect(await gopher(server)).toEqual(TIMEOUT);
    expect(await gemini(server)).toEqual(TIMEOUT);
    expect(server.accepted).toBe(2);
  });

  test.each([1, 5, 60, 122, 300])('in the handshake, behind %d bytes of it', async (outBytes) => {
    const server = await serve((socket) => void tlsOver(socket, { certificate, outBytes }));
    expect(await gemini(server)).toEqual(TIMEOUT);
  });

  test('of a server that shook hands', async () => {
    const server = await serve(onSecureRequest(() => undefined));
    expect(await gemini(server)).toEqual(TIMEOUT);
  });

  test.each(['2', '20', '20 text/pl', '20 text/plain\r', '20 text/plain\r\n'])('behind the header %j', async (sent) => {
    const server = await serve(onSecureRequest(({ tls }) => void tls.write(sent)));
    expect(await gemini(server)).toEqual(TIMEOUT);
  });

  test('in the middle of a body gives what came', async () => {
    const secure = await serve(onSecureRequest(({ tls }) => void tls.write('20 text/plain\r\nhalf')));
    expect(await gemini(secure)).toEqual({ kind: 'success', text: 'half', incomplete: 'timeout' });
    const plain = await serve(onRequest((socket) => void socket.write('half')));
    expect(await gopher(plain)).toEqual({ kind: 'text', text: 'half', incomplete: 'timeout' });
  });

  test('behind an answer that is complete is not waited for', async () => {
    const secure = await serve(onSecureRequest(({ tls }) => void tls.write('51 gone\r\n')));
    expect(await gemini(secure)).toEqual({ code: 'PERMANENT_ERROR', reason: null });
    const plain = await serve(onRequest((socket) => void socket.write('ihi\t\th\t1\r\n.\r\n')));
    expect(await gopher(plain, '1/x')).toMatchObject({ kind: 'menu', incomplete: null });
  });
});

describe('a drip of one byte at a time', () => {
  const drip = (write: (byte: string) => void, socket: Socket, text: string): void => {
    let at = 0;
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : write(text[at++] ?? 'x')), 4);
    socket.once('close', () => clearInterval(timer));
  };

  test('gives what came in time', async () => {
    const plain = await serve(onRequest((socket) => drip((byte) => void socket.write(byte), socket, '')));
    expect(await gopher(plain)).toEqual({
      kind: 'text',
      text: expect.stringMatching(/^x{9,}$/),
      incomplete: 'timeout',
    });
    const header = '20 text/plain\r\n';
    const secure = await serve(
      onSecureRequest(({ tls }, socket) => drip((byte) => void tls.write(byte), socket, header)),
    );
    expect(await gemini(secure)).toEqual({
      kind: 'success',
      text: expect.stringMatching(/^x+$/),
      incomplete: 'timeout',
    });
  });

  test('in a header that never ends is no answer', async () => {
    const secure = await serve(
      onSecureRequest(({ tls }, socket) => drip((byte) => void tls.write(byte), socket, '20 ')),
    );
    expect(await gemini(secure)).toEqual(TIMEOUT);
  });

  test('of the handshake is waited for', async () => {
    const server = await serve((socket) => {
      const write = socket.write.bind(socket);
      // Every record in pieces of 100 bytes.
      const pieces = (chunk: Buffer, done?: () => void): boolean => {
        for (let at = 0; at < chunk.length; at += 100) write(chunk.subarray(at, at + 100));
        setTimeout(() => done?.(), 5);
        return true;
      };
      Reflect.set(socket, 'write', pieces);
      tlsOver(socket, { certificate }).tls.once('data', function (this: Socket) {
        this.end('20 text/plain\r\nok');
      });
    });
    expect(await gemini(server)).toEqual({ kind: 'success', text: 'ok', incomplete: null });
  });
});

describe('a reset', () => {
  const boundaries = (answer: string): number[] => Array.from({ length: answer.length + 1 }, (_, index) => index);
  const MENU = '1a\t/\th\t70\r\n.\r\n';
  const TEXT = 'hi\r\n.\r\n';
  const PAGE = '20 text/plain\r\nhi';
  const GONE = '51 gone\r\n';

  /** Writes, lets it arrive, and resets. */
  const cutOff = (socket: Socket, write: (text: string) => void, text: string): void => {
    if (text !== '') write(text);
    setTimeout(() => socket.resetAndDestroy(), ARRIVAL_MS);
  };
  const plainly = (text: string): SocketHandler =>
    onRequest((socket) => cutOff(socket, (sent) => void socket.write(sent), text));
  const securely = (text: string): SocketHandler =>
    onSecureRequest(({ tls }, socket) => cutOff(socket, (sent) => void tls.write(sent), text));

  test.each(boundaries(MENU))('behind %d bytes of a menu', async (length) => {
    const server = await serve(plainly(MENU.slice(0, length)));
    // The lone dot and the first byte of its line end are the end of a menu.
    const whole = length >= MENU.length - 1;
    expect(await gopher(server, '1/')).toMatchObject(whole ? { kind: 'menu', incomplete: null } : RESET);
  });

  test.each(boundaries(TEXT))('behind %d bytes of a text', async (length) => {
    const server = await serve(plainly(TEXT.slice(0, length)));
    const whole = length >= TEXT.length - 1;
    expect(await gopher(server)).toEqual(whole ? { kind: 'text', text: 'hi\n', incomplete: null } : RESET);
  });

  test.each(boundaries(PAGE))('behind %d bytes of a page', async (length) => {
    // Nothing but a close says that a body is whole.
    expect(await gemini(await serve(securely(PAGE.slice(0, length))))).toEqual(RESET);
  });

  test.each(boundaries(GONE))('behind %d bytes of a failure', async (length) => {
    const whole = length === GONE.length;
    const server = await serve(securely(GONE.slice(0, length)));
    expect(await gemini(server)).toEqual(whole ? { code: 'PERMANENT_ERROR', reason: null } : RESET);
  });

  test('before the request', async () => {
    const server = await serve((socket) => socket.resetAndDestroy());
    expect(await gopher(server)).toEqual(RESET);
    expect(await gemini(server)).toEqual(RESET);
  });

  test.each([1, 5, 60, 122, 300])('in the handshake, behind %d bytes of it', async (outBytes) => {
    const server = await serve((socket) => {
      tlsOver(socket, { certificate, outBytes });
      setTimeout(() => socket.resetAndDestroy(), ARRIVAL_MS);
    });
    expect(await gemini(server)).toEqual(RESET);
  });

  test.each(boundaries(GONE))('and a close behind %d bytes of a failure', async (length) => {
    const whole = length === GONE.length;
    for (const end of ['close_notify', 'none']) {
      const server = await serve(
        onSecureRequest(({ tls }, socket) => {
          const sent = GONE.slice(0, length);
          if (end === 'close_notify') tls.end(sent);
          else tls.write(sent, () => setTimeout(() => socket.end(), ARRIVAL_MS));
        }),
      );
      expect(await gemini(server)).toEqual(whole ? { code: 'PERMANENT_ERROR', reason: null } : MALFORMED);
    }
  });
});

describe('the end of a connection', () => {
  test('of our side only is no end: a server that answers late is waited for', async () => {
    const late = (send: () => void): void => void setTimeout(send, 100);
    const plain = await serve(onRequest((socket) => late(() => void socket.end('late'))));
    expect(await gopher(plain)).toEqual({ kind: 'text', text: 'late', incomplete: null });
    const secure = await serve(onSecureRequest(({ tls }) => late(() => void tls.end('20 text/plain\r\nlate'))));
    expect(await gemini(secure)).toEqual({ kind: 'success', text: 'late', incomplete: null });
  });

  test('half closed by a server that goes on reading ends the answer', async () => {
    const plain = await serve(onRequest((socket) => void socket.end('whole')));
    expect(await gopher(plain)).toEqual({ kind: 'text', text: 'whole', incomplete: null });
    const secure = await serve(onSecureRequest(({ tls }) => void tls.end('20 text/plain\r\nwhole')));
    expect(await gemini(secure)).toEqual({ kind: 'success', text: 'whole', incomplete: null });
  });

  test('half closed before the request is an empty file for Gopher, and no answer for Gemini', async () => {
    const plain = await serve((socket) => void socket.resume().end());
    expect(await gopher(plain)).toEqual({ kind: 'text', text: '', incomplete: null });
    const secure = await serve(
      (socket) =>
        void tlsOver(socket, { certificate }).tls.once('secure', function (this: Socket) {
          this.end();
        }),
    );
    expect(await gemini(secure)).toEqual(MALFORMED);
    expect(await gemini(plain)).toEqual(RESET);
  });

  test('without close_notify is told, and the body given', async () => {
    const server = await serve(
      onSecureRequest(({ tls }, socket) => void tls.write('20 text/plain\r\nall', () => socket.end())),
    );
    expect(await gemini(server)).toEqual({ kind: 'success', text: 'all', incomplete: 'no_close_notify' });
  });
});

describe('an answer that comes before the request', () => {
  test('counts', async () => {
    const plain = await serve((socket) => void socket.resume().end('early'));
    expect(await gopher(plain)).toEqual({ kind: 'text', text: 'early', incomplete: null });
    const secure = await serve((socket) => void tlsOver(socket, { certificate }).tls.end('20 text/plain\r\nearly'));
    expect(await gemini(secure)).toEqual({ kind: 'success', text: 'early', incomplete: null });
  });

  test('and a second one behind it does not', async () => {
    const secure = await serve(onSecureRequest(({ tls }) => void tls.end('51 gone\r\n20 text/plain\r\nsmuggled')));
    expect(await gemini(secure)).toEqual({ code: 'PERMANENT_ERROR', reason: null });
  });
});

describe('a header', () => {
  /** Writes for ever, and tells whether the client read on. */
  const endless = (start: string): SocketHandler =>
    onSecureRequest(({ tls }) => {
      const more = (): void => {
        if (tls.writable) tls.write('x'.repeat(4096), more);
      };
      tls.write(start, more);
    });

  test.each(['20 ', '31 ', '40 ', '59 ', '60 ', '10 '])('that never ends is refused: %j', async (start) => {
    expect(await gemini(await serve(endless(start)))).toEqual(MALFORMED);
  });

  test('of a megabyte is refused as well', async () => {
    const server = await serve(onSecureRequest(({ tls }) => void tls.end(`20 ${'x'.repeat(1 << 20)}\r\nbody`)));
    expect(await gemini(server)).toEqual(MALFORMED);
  });

  test.each(['20 text/plain\nbody\r\n', '20 text/plain\rbody', '20 text/plain', '20', 'no header at all\r\n', '\r\n'])(
    'without its CRLF, or that is none, is malformed: %j',
    async (sent) => {
      const server = await serve(onSecureRequest(({ tls }) => void tls.end(sent)));
      expect(await gemini(server)).toEqual(MALFORMED);
    },
  );
});

describe('TLS', () => {
  const alert = (level: number, description: number): Buffer => Buffer.from([21, 3, 3, 0, 2, level, description]);

  test.each([
    ['handshake_failure', 40, TLS_FAILED],
    ['bad_certificate', 42, TLS_FAILED],
    ['unsupported_certificate', 43, TLS_FAILED],
    ['certificate_unknown', 46, TLS_FAILED],
    ['illegal_parameter', 47, TLS_FAILED],
    ['access_denied', 49, TLS_FAILED],
    ['decode_error', 50, TLS_FAILED],
    ['protocol_version', 70, OLD_TLS],
    ['insufficient_security', 71, TLS_FAILED],
    ['internal_error', 80, TLS_FAILED],
    ['inappropriate_fallback', 86, TLS_FAILED],
    ['unrecognized_name', 112, TLS_FAILED],
    ['no_application_protocol', 120, TLS_FAILED],
  ])('the alert %s in place of the handshake', async (_, description, expected) => {
    const server = await serve(onRequest((socket) => void socket.end(alert(2, description))));
    expect(await gemini(server)).toEqual(expected);
  });

  test('close_notify in place of the handshake', async () => {
    const server = await serve(onRequest((socket) => void socket.end(alert(1, 0))));
    expect(await gemini(server)).toEqual(RESET);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('an alert in the middle of a body (%s)', async (version) => {
    // A record that nobody can decrypt makes the server's TLS send bad_record_mac under its own key.
    const junk = Buffer.concat([Buffer.from([23, 3, 3, 0, 64]), Buffer.alloc(64, 7)]);
    const server = await serve(
      onSecureRequest(({ tls, inject }) => void tls.write('20 text/plain\r\nhalf', () => inject(junk)), { version }),
    );
    expect(await gemini(server)).toEqual(TLS_FAILED);
  });

  test('plain bytes in the middle of a body', async () => {
    const server = await serve(
      onSecureRequest(({ tls }, socket) => void tls.write('20 text/plain\r\nhalf', () => socket.write('plain text'))),
    );
    expect(await gemini(server)).toEqual(TLS_FAILED);
  });

  test('renegotiation in the middle of a body does not end or prolong it', async () => {
    const server = await serve(
      onSecureRequest(
        ({ tls }) =>
          void tls.write('20 text/plain\r\nfirst ', () => {
            tls.renegotiate({}, () => undefined);
            tls.end('second');
          }),
        { version: 'TLSv1.2' },
      ),
    );
    expect(await gemini(server)).toEqual({ kind: 'success', text: 'first second', incomplete: null });
  });

  test.each(['TLSv1', 'TLSv1.1'] as const)('%s only', async (version) => {
    expect(await gemini(await serve(onSecureRequest(() => undefined, { version })))).toEqual(OLD_TLS);
  });

  test.each([
    '20 text/gemini\r\n# Plain\n',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    'SSH-2.0-x\r\n',
    'iHi\t\th\t1\r\n.\r\n',
  ])('a server without it that says %j', async (greeting) => {
    const server = await serve((socket) => void socket.resume().write(greeting));
    expect(await gemini(server)).toEqual(NOT_TLS);
    const late = await serve(onRequest((socket) => void socket.end(greeting)));
    expect(await gemini(late)).toEqual(NOT_TLS);
  });

  test('a certificate for another host, and one that changed', async () => {
    const other = await testCertificate({ subject: 'CN=other.example', label: 'other' });
    const answer = ({ tls }: { tls: Socket }): void => void tls.end('20 text/plain\r\nok');
    const server = await serve(onSecureRequest(answer, { certificate: other }));
    // Names are not judged: self-signed certificates carry whatever their owner wrote.
    expect(await gemini(server)).toMatchObject({ kind: 'success' });
    const { port } = server;
    await server.close();
    await serve(onSecureRequest(answer), '127.0.0.1', port);
    expect(await gemini({ port }, 'y')).toEqual({ code: 'CERTIFICATE_CHANGED', reason: null });
  });

  test('a server that knows another name only', async () => {
    const named = await serve((socket) => {
      const { tls } = tlsOver(socket, { certificate });
      tls.once('secure', () => {
        const name: unknown = Reflect.get(tls, 'servername');
        tls.end(name === 'known.example' ? '20 text/plain\r\nok' : '53 proxying refused\r\n');
      });
    });
    expect(await gemini(named, 'x', 'known.example')).toMatchObject({ kind: 'success' });
    expect(await gemini(named, 'x', 'other.example')).toEqual({ code: 'PERMANENT_ERROR', reason: null });
  });
});

describe('TLS on the port of a Gopher item', () => {
  test.each([
    ['alert of version 3.1', [21, 3, 1, 0, 2, 2, 10]],
    ['alert of version 3.3', [21, 3, 3, 0, 2, 2, 50]],
  ])('that answers with an %s is no text', async (_, bytes) => {
    const server = await serve(onRequest((socket) => void socket.end(Buffer.from(bytes))));
    for (const item of ['0/x', '1/', '9/x', '7/x']) {
      expect(await gopher(server, item)).toEqual({ code: 'FETCH_ERROR', reason: 'malformed' });
    }
  });

  test('a server of Node closes without a word', async () => {
    const server = await serve((socket) => void tlsOver(socket, { certificate }));
    expect(await gopher(server, '0/long-enough-for-a-record')).toEqual({ kind: 'text', text: '', incomplete: null });
  });
});

describe('several addresses', () => {
  const answerPlain = onRequest((socket) => void socket.end('second'));
  const answerSecure = onSecureRequest(({ tls }) => void tls.end('20 text/plain\r\nsecond'));
  const TEXT = { kind: 'text', text: 'second', incomplete: null };
  const PAGE = { kind: 'success', text: 'second', incomplete: null };

  test('the first refuses, the second answers', async () => {
    expect(await gopher(await serve(answerPlain), '0/x', 'second.example')).toEqual(TEXT);
    expect(await gemini(await serve(answerSecure), 'x', 'second.example')).toEqual(PAGE);
  });

  test('all refuse', async () => {
    const { port } = await serve(silent);
    expect(await gopher({ port }, '0/x', 'none.example')).toEqual(REFUSED);
    expect(await gemini({ port }, 'x', 'none.example')).toEqual(REFUSED);
  });

  test('the first takes the connection and is silent: the second answers for Gemini', async () => {
    const good = await serve(answerSecure);
    const first = await serve(silent, '127.0.0.9', good.port);
    expect(await gemini(good, 'x', 'second.example')).toEqual(PAGE);
    expect(first.accepted).toBe(1);
  });

  test('the first breaks off the handshake: the second answers', async () => {
    const good = await serve(answerSecure);
    await serve((socket) => socket.resetAndDestroy(), '127.0.0.9', good.port);
    expect(await gemini(good, 'x', 'second.example')).toEqual(PAGE);
  });

  test('once the request may have been seen there is no second try', async () => {
    const plain = await serve(answerPlain);
    await serve(
      onRequest((socket) => socket.resetAndDestroy()),
      '127.0.0.9',
      plain.port,
    );
    expect(await gopher(plain, '0/x', 'second.example')).toEqual(RESET);
    const secure = await serve(answerSecure);
    await serve(
      onSecureRequest((_, socket) => socket.resetAndDestroy()),
      '127.0.0.9',
      secure.port,
    );
    expect(await gemini(secure, 'x', 'second.example')).toEqual(RESET);
    expect([plain.accepted, secure.accepted]).toEqual([0, 0]);
  });
});

describe('a caller that goes away', () => {
  test.each(['gopher', 'gemini'])('in the middle of a %s body leaves nothing', async (scheme) => {
    const caller = new AbortController();
    const leave = (): void => void setTimeout(() => caller.abort(), ARRIVAL_MS);
    const server = await serve(
      scheme === 'gopher'
        ? onRequest((socket) => void socket.write('half', leave))
        : onSecureRequest(({ tls }) => void tls.write('20 text/plain\r\nhalf', leave)),
    );
    const payload = await bench.call(
      `${scheme}_fetch`,
      { url: `${scheme}://h.example:${server.port}/0` },
      caller.signal,
    );
    expect(lookup(payload, 'error.reason')).toBe('cancelled');
  });

  test('ends a batch whose servers are silent, and the runtime has nothing to warn of', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', onWarning);
    const caller = new AbortController();
    const server = await serve(silent);
    setTimeout(() => caller.abort(), 100);
    const urls = Array.from({ length: 20 }, (_, index) => `gopher://h.example:${server.port}/0/${index}`);
    const { result } = await bench.call('gopher_batch_fetch', { urls }, caller.signal);
    expect(Array.isArray(result) && result.every((item) => lookup(item, 'error.reason') === 'cancelled')).toBe(true);
    await new Promise(setImmediate);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});
