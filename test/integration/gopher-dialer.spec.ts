import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Deadline } from '../../src/common/deadline.js';
import type { Framing } from '../../src/gopher/core/response-reader.js';
import type { GopherDial, GopherTransfer } from '../../src/gopher/index.js';
import { NodeTcpDialer } from '../../src/gopher/io/tcp-dialer.js';
import { FakeClock, settled } from '../support/fake-clock.js';
import { LoopbackServer, type ConnectionHandler } from '../support/loopback-server.js';
import { unresponsivePort } from '../support/unresponsive-port.js';

const LOOPBACK = { address: '127.0.0.1', family: 4 as const };
/** Answers on no port. */
const DEAD = { address: '127.0.0.2', family: 4 as const };

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

interface Setting {
  readonly port: number;
  readonly framing?: Framing;
  readonly maxBytes?: number;
  readonly addresses?: GopherDial['addresses'];
  readonly caller?: AbortController;
}

/** A dial with a clock that stands still until the test moves it; `done` also checks that nothing is left behind. */
function start({
  port,
  framing = 'text',
  maxBytes = 1000,
  addresses = [LOOPBACK],
  caller = new AbortController(),
}: Setting): {
  readonly clock: FakeClock;
  readonly cancel: () => void;
  readonly done: () => Promise<GopherTransfer>;
} {
  const clock = new FakeClock();
  const deadline = new Deadline(clock, 30_000, caller.signal);
  const request = Buffer.from('/x\r\n');
  const dialed = new NodeTcpDialer(clock).dial({
    host: 'h.example',
    port,
    addresses,
    request,
    framing,
    maxBytes,
    deadline,
  });
  return {
    clock,
    cancel: () => caller.abort(),
    done: async () => {
      const transfer = await dialed;
      expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
      deadline.dispose();
      expect(clock.pendingTimers).toBe(0);
      return transfer;
    },
  };
}

/** A server that reads the request line and then does as told. */
async function serve(handle: ConnectionHandler): Promise<LoopbackServer> {
  const server = await LoopbackServer.listen('127.0.0.1', 0, () => ({
    tls: undefined,
    handle: async (connection) => {
      const { bytes } = await connection.readUntil((received) => received.includes('\n'));
      expect(bytes.toString()).toBe('/x\r\n');
      await handle(connection);
    },
  }));
  cleanups.push(() => server.close());
  return server;
}

/** A handler that writes and keeps the connection open until the client is gone, and word of both. */
function openAfter(text: string): { handle: ConnectionHandler; written: Promise<void>; gone: Promise<void> } {
  let [onWritten, onGone] = [(): void => undefined, (): void => undefined];
  const written = new Promise<void>((resolve) => (onWritten = resolve));
  const gone = new Promise<void>((resolve) => (onGone = resolve));
  const handle: ConnectionHandler = async (connection) => {
    await connection.write(Buffer.from(text));
    onWritten();
    await connection.clientEnded();
    onGone();
  };
  return { handle, written, gone };
}

/** Lets what the server wrote arrive: both ends live on this event loop. */
async function arrival(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await settled();
}

function body(text: string, incomplete: 'size_cap' | 'timeout' | null = null): GopherTransfer {
  return { kind: 'body', body: Buffer.from(text), incomplete };
}

describe('an answer', () => {
  test.each(['', 'hello\r\n', 'x'.repeat(1000)])('is read until the server closes', async (text) => {
    const server = await serve(async (connection) => {
      await connection.write(Buffer.from(text));
      await connection.end('clean');
    });
    expect(await start(server).done()).toEqual(body(text));
    expect(server.accepted).toBe(1);
  });

  test('comes together from many pieces', async () => {
    const server = await serve(async (connection) => {
      for (const piece of ['one ', 'two ', 'three']) {
        await connection.write(Buffer.from(piece));
        await arrival();
      }
      await connection.end('clean');
    });
    expect(await start(server).done()).toEqual(body('one two three'));
  });
});

describe('a server that stays connected', () => {
  test('does not keep a menu from ending', async () => {
    const { handle, gone } = openAfter('1a\t/a\th\t70\r\n.\r\n');
    const { port } = await serve(handle);
    expect(await start({ port, framing: 'menu' }).done()).toEqual(body('1a\t/a\th\t70\r\n.\r'));
    await gone;
  });

  test('ends a text by a second of silence behind its lone dot', async () => {
    const { handle, written, gone } = openAfter('text\r\n.\r\n');
    const { port } = await serve(handle);
    const dial = start({ port });
    await written;
    await arrival();
    dial.clock.advance(1000);
    expect(await dial.done()).toEqual(body('text\r\n.\r\n'));
    await gone;
  });

  test('may go on behind a lone dot', async () => {
    const server = await serve(async (connection) => {
      await connection.write(Buffer.from('a\n.\n'));
      await arrival();
      dial.clock.advance(999);
      await connection.write(Buffer.from('b\n'));
      await arrival();
      dial.clock.advance(2000);
      await connection.end('clean');
    });
    const dial = start(server);
    expect(await dial.done()).toEqual(body('a\n.\nb\n'));
  });

  test('gives what it has at the deadline', async () => {
    const { handle, written, gone } = openAfter('partial');
    const { port } = await serve(handle);
    const dial = start({ port });
    await written;
    await arrival();
    dial.clock.advance(30_000);
    expect(await dial.done()).toEqual(body('partial', 'timeout'));
    await gone;
  });

  test('and sent nothing has failed, in the seconds of the setting', async () => {
    const { handle, written, gone } = openAfter('');
    const { port } = await serve(handle);
    const dial = start({ port });
    await written;
    dial.clock.advance(30_000);
    expect(await dial.done()).toMatchObject({
      kind: 'failure',
      failure: {
        code: 'FETCH_ERROR',
        message: expect.stringMatching(/h\.example.* 30 seconds/),
        facts: { reason: 'timeout' },
      },
    });
    await gone;
  });

  test('is left at once when the caller goes away', async () => {
    const { handle, written, gone } = openAfter('partial');
    const { port } = await serve(handle);
    const dial = start({ port });
    await written;
    await arrival();
    dial.cancel();
    expect(await dial.done()).toMatchObject({ kind: 'failure', failure: { facts: { reason: 'cancelled' } } });
    await gone;
  });
});

describe('the cap', () => {
  test('cuts a longer body and leaves', async () => {
    const { handle, gone } = openAfter('x'.repeat(11));
    const { port } = await serve(handle);
    expect(await start({ port, maxBytes: 10 }).done()).toEqual(body('x'.repeat(10), 'size_cap'));
    await gone;
  });

  test('lets a body of exactly its size pass when the server closes', async () => {
    const server = await serve(async (connection) => {
      await connection.write(Buffer.from('x'.repeat(10)));
      await arrival();
      await connection.end('clean');
    });
    expect(await start({ port: server.port, maxBytes: 10 }).done()).toEqual(body('x'.repeat(10)));
  });

  test('waits a second for that, no longer', async () => {
    const { handle, written } = openAfter('x'.repeat(10));
    const { port } = await serve(handle);
    const dial = start({ port, maxBytes: 10 });
    await written;
    await arrival();
    dial.clock.advance(1000);
    expect(await dial.done()).toEqual(body('x'.repeat(10), 'size_cap'));
  });
});

describe('connections that fail', () => {
  test.each(['first half of the text', ''])('a reset behind %j is no answer', async (text) => {
    const server = await serve(async (connection) => {
      await connection.write(Buffer.from(text));
      await connection.end('reset');
    });
    expect(await start(server).done()).toMatchObject({
      kind: 'failure',
      failure: { code: 'FETCH_ERROR', facts: { reason: 'reset', next_step: expect.any(String) } },
    });
  });

  test('a reset behind the end of a text changes nothing', async () => {
    const server = await serve(async (connection) => {
      await connection.write(Buffer.from('text\n.\n'));
      await arrival();
      await connection.end('reset');
    });
    expect(await start(server).done()).toEqual(body('text\n.\n'));
  });

  test('a closed port is refused, and no address is named', async () => {
    const server = await serve(async () => undefined);
    const { port } = server;
    await server.close();
    const transfer = await start({ port }).done();
    expect(transfer).toMatchObject({ kind: 'failure', failure: { code: 'FETCH_ERROR', facts: { reason: 'refused' } } });
    if (transfer.kind === 'failure')
      expect(transfer.failure.message).toBe(`h.example on port ${port} refused the connection.`);
  });

  test('the next address is tried when one does not connect', async () => {
    const server = await serve(async (connection) => {
      await connection.write(Buffer.from('second'));
      await connection.end('clean');
    });
    expect(await start({ port: server.port, addresses: [DEAD, LOOPBACK] }).done()).toEqual(body('second'));
  });

  test('and also when one takes longer than its share of the time', async () => {
    const { port, close } = await unresponsivePort();
    cleanups.push(close);
    const dial = start({ port, addresses: [LOOPBACK, DEAD] });
    await arrival();
    dial.clock.advance(14_999);
    await arrival();
    expect(dial.clock.pendingTimers).toBe(2);
    dial.clock.advance(1);
    expect(await dial.done()).toMatchObject({
      kind: 'failure',
      failure: { facts: { reason: expect.stringMatching(/refused|unreachable/) } },
    });
  });

  test('the last address has all the time that is left', async () => {
    const { port, close } = await unresponsivePort();
    cleanups.push(close);
    const dial = start({ port });
    await arrival();
    dial.clock.advance(30_000);
    expect(await dial.done()).toMatchObject({ kind: 'failure', failure: { facts: { reason: 'timeout' } } });
  });

  test('nobody is dialled once the caller has gone', async () => {
    const server = await serve(async () => undefined);
    const caller = new AbortController();
    caller.abort();
    const dial = start({ port: server.port, caller });
    expect(await dial.done()).toMatchObject({ kind: 'failure', failure: { facts: { reason: 'cancelled' } } });
    await arrival();
    expect(server.accepted).toBe(0);
  });
});
