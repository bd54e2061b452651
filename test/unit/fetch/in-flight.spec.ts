import { describe, expect, test } from '@jest/globals';
import { Deadline } from '../../../src/common/deadline.js';
import { InFlight } from '../../../src/fetch/in-flight.js';
import { FakeClock } from '../../support/fake-clock.js';

/** A download that ends when told, and knows whether it was aborted. */
class Download {
  starts = 0;
  aborted = false;
  end: (value: string) => void = () => undefined;

  readonly work = (deadline: Deadline): Promise<string> => {
    this.starts++;
    return new Promise((resolve, reject) => {
      this.end = resolve;
      deadline.signal.addEventListener('abort', () => {
        this.aborted = true;
        reject(new Error('aborted'));
      });
    });
  };
}

function caller(clock: FakeClock): { readonly deadline: Deadline; readonly leave: () => void } {
  const controller = new AbortController();
  return { deadline: new Deadline(clock, 1000, controller.signal), leave: () => controller.abort() };
}

describe('InFlight', () => {
  test('gives callers of one resource one download, and callers of another their own', async () => {
    const clock = new FakeClock();
    const flights = new InFlight<string>(clock);
    const [a, b] = [new Download(), new Download()];
    const first = flights.share('r', caller(clock).deadline, false, a.work);
    const second = flights.share('r', caller(clock).deadline, false, a.work);
    const other = flights.share('s', caller(clock).deadline, false, b.work);
    a.end('page');
    b.end('other page');
    expect(await Promise.all([first, second, other])).toEqual(['page', 'page', 'other page']);
    expect(a.starts).toBe(1);
  });

  test('has what its caller has left, and names what that one was given', async () => {
    const clock = new FakeClock();
    const { deadline } = caller(clock);
    clock.advance(400);
    let failure = '';
    await new InFlight<void>(clock).share('r', deadline, false, async (own) => {
      expect(own.remainingMs).toBe(600);
      failure = own.failure('The fetch').message;
    });
    expect(failure).toBe('The fetch did not finish within 1 seconds.');
  });

  test('goes on when one caller leaves, and is aborted when the last one does', async () => {
    const clock = new FakeClock();
    const flights = new InFlight<string>(clock);
    const download = new Download();
    const [x, y] = [caller(clock), caller(clock)];
    const first = flights.share('r', x.deadline, false, download.work);
    const second = flights.share('r', y.deadline, false, download.work);
    x.leave();
    await expect(first).rejects.toThrow();
    expect(download.aborted).toBe(false);
    y.leave();
    await expect(second).rejects.toThrow();
    expect(download.aborted).toBe(true);
  });

  test('a refresh starts a download of its own, which later callers join', async () => {
    const clock = new FakeClock();
    const flights = new InFlight<string>(clock);
    const [old, fresh] = [new Download(), new Download()];
    const before = flights.share('r', caller(clock).deadline, false, old.work);
    const refreshed = flights.share('r', caller(clock).deadline, true, fresh.work);
    const after = flights.share('r', caller(clock).deadline, false, fresh.work);
    old.end('old');
    fresh.end('fresh');
    expect(await Promise.all([before, refreshed, after])).toEqual(['old', 'fresh', 'fresh']);
    expect(fresh.starts).toBe(1);
  });

  test('starts anew after the download has ended, also by a failure', async () => {
    const clock = new FakeClock();
    const flights = new InFlight<string>(clock);
    const failing = (): Promise<string> => Promise.reject(new Error('broken'));
    await expect(flights.share('r', caller(clock).deadline, false, failing)).rejects.toThrow('broken');
    const download = new Download();
    const next = flights.share('r', caller(clock).deadline, false, download.work);
    download.end('page');
    expect(await next).toBe('page');
  });

  test('charges the wait for a flight to nobody twice', async () => {
    const clock = new FakeClock();
    const flights = new InFlight<string>(clock);
    const download = new Download();
    const { deadline } = caller(clock);
    const waiting = flights.share('r', deadline, false, download.work);
    await clock.pass(900);
    download.end('page');
    await waiting;
    expect(deadline.remainingMs).toBe(1000);
    deadline.dispose();
    expect(clock.pendingTimers).toBe(0);
  });
});
