import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { stopOnSignals, stopRequest, type Stoppable } from '../../../src/bin/stop.js';
import type { Log } from '../../../src/logging/index.js';
import { settled } from '../../support/fake-clock.js';

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

let process: FakeProcess;
let lines: string[];
beforeEach(() => {
  process = new FakeProcess();
  lines = [];
});

const at = (event: string): void => void lines.push(event);
const log: Log = { debug: at, info: at, warning: at, error: at, critical: at, isEnabled: () => true };

function stop(over: Partial<Stoppable> = {}): Promise<void> {
  const never = new Promise<void>(() => undefined);
  const stoppable = { ended: never, close: () => Promise.resolve(), withinMs: 5000, ...over };
  return stopOnSignals(process, stopRequest(process), stoppable, log);
}

describe('a process', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('that gets %s closes and ends with 0', async (signal) => {
    const asked: unknown[] = [];
    const stopped = stop({ close: async (by) => void asked.push(by) });
    process.emit(signal);
    await stopped;
    expect([asked, process.exits, lines]).toEqual([[signal], [0], ['stopping']]);
  });

  test('that is told to stop while it starts does so as soon as it has started', async () => {
    const request = stopRequest(process);
    process.emit('SIGTERM');
    await settled();
    const asked: unknown[] = [];
    const never = new Promise<void>(() => undefined);
    const close = async (by?: string): Promise<void> => void asked.push(by);
    await stopOnSignals(process, request, { ended: never, close, withinMs: 5000 }, log);
    expect([asked, process.exits]).toEqual([['SIGTERM'], [0]]);
  });

  test('that is told twice while it starts ends at once with 1', () => {
    void stopRequest(process);
    process.emit('SIGTERM');
    expect(process.exits).toEqual([]);
    process.emit('SIGTERM');
    expect(process.exits).toEqual([1]);
  });

  test('whose work has ended closes and ends with 0', async () => {
    const asked: unknown[] = [];
    await stop({ ended: Promise.resolve(), close: async (by) => void asked.push(by) });
    expect([asked, process.exits, lines]).toEqual([[undefined], [0], []]);
  });

  test('that cannot close ends with 1', async () => {
    await stop({ ended: Promise.resolve(), close: () => Promise.reject(new Error('no')) });
    expect([process.exits, lines]).toEqual([[1], ['stopped with trouble']]);
  });

  test('that gets a second signal ends at once with 1', async () => {
    let closed = (): void => undefined;
    const stopped = stop({ close: () => new Promise((resolve) => void (closed = resolve)) });
    process.emit('SIGTERM');
    await settled();
    process.emit('SIGINT');
    expect(process.exits).toEqual([1]);
    closed();
    await stopped;
  });

  test('that does not close in time ends with 1', async () => {
    jest.useFakeTimers();
    try {
      void stop({ ended: Promise.resolve(), close: () => new Promise(() => undefined), withinMs: 15_000 });
      await jest.advanceTimersByTimeAsync(14_999);
      expect(process.exits).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect([process.exits, lines]).toEqual([[1], ['not stopped in time']]);
    } finally {
      jest.useRealTimers();
    }
  });
});
