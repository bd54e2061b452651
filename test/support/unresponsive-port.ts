/** A port that takes no connection and refuses none. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

export interface UnresponsivePort {
  readonly port: number;
  close(): Promise<void>;
}

/** A port of 127.0.0.1 that lets connections wait for ever: its server sleeps, and its queue is full. Linux only. */
export async function unresponsivePort(): Promise<UnresponsivePort> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
     });`,
    { eval: true },
  );
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const fillers: Socket[] = [];
  for (let i = 0; i < 8; i++) fillers.push(connect({ port, host: '127.0.0.1' }).on('error', () => undefined));
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  return {
    port,
    close: async () => {
      for (const filler of fillers) filler.destroy();
      await worker.terminate();
    },
  };
}
