import { describe, expect, test } from '@jest/globals';
import { Deadline, DeadlineError } from '../../../src/common/deadline.js';
import { FakeClock } from '../../support/fake-clock.js';

describe('Deadline', () => {
  test('aborts its signal when the budget is spent, and says so', () => {
    const clock = new FakeClock();
    const deadline = new Deadline(clock, 1000);
    clock.advance(999);
    expect(deadline.signal.aborted).toBe(false);
    expect(deadline.remainingMs).toBe(1);
    clock.advance(1);
    expect(deadline.signal.reason).toBeInstanceOf(DeadlineError);
    expect(deadline.end).toBe('expired');
    expect(deadline.remainingMs).toBe(0);
    expect(deadline.failure('The fetch')).toMatchObject({
      code: 'FETCH_ERROR',
      message: 'The fetch did not finish within 1 seconds.',
      facts: { reason: 'timeout' },
    });
    expect(clock.pendingTimers).toBe(0);
  });

  test('aborts when the caller goes away, before or after it was made', () => {
    const clock = new FakeClock();
    const caller = new AbortController();
    const deadline = new Deadline(clock, 1000, caller.signal);
    caller.abort();
    expect(deadline.end).toBe('cancelled');
    expect(deadline.failure('The fetch').facts.reason).toBe('cancelled');
    expect(new Deadline(clock, 1000, caller.signal).end).toBe('cancelled');
    expect(clock.pendingTimers).toBe(0);
  });

  test('stands still while paused, however the waits overlap', async () => {
    const clock = new FakeClock();
    const deadline = new Deadline(clock, 1000);
    clock.advance(400);
    let endFirst: () => void = () => undefined;
    let endSecond: () => void = () => undefined;
    const first = deadline.paused(() => new Promise<void>((resolve) => (endFirst = resolve)));
    const second = deadline.paused(() => new Promise<void>((resolve) => (endSecond = resolve)));
    clock.advance(5000);
    endFirst();
    await first;
    clock.advance(5000);
    endSecond();
    await second;
    expect(deadline.remainingMs).toBe(600);
    clock.advance(600);
    expect(deadline.end).toBe('expired');
  });

  test('a part ends with the whole, is charged to it, and pauses it', async () => {
    const clock = new FakeClock();
    const whole = new Deadline(clock, 1000);
    const part = whole.share(300);
    await part.paused(() => clock.pass(10_000));
    expect(whole.remainingMs).toBe(1000);
    clock.advance(300);
    expect(part.end).toBe('expired');
    expect(whole.remainingMs).toBe(700);
    const rest = whole.share(5000);
    expect(rest.remainingMs).toBe(700);
    clock.advance(700);
    expect(whole.end).toBe('expired');
    expect(rest.signal.aborted).toBe(true);
    part.dispose();
    rest.dispose();
    expect(clock.pendingTimers).toBe(0);
  });

  test('leaves neither timer nor listener behind once disposed of', () => {
    const clock = new FakeClock();
    const caller = new AbortController();
    const deadline = new Deadline(clock, 1000, caller.signal);
    deadline.dispose();
    caller.abort();
    clock.advance(10_000);
    expect(deadline.signal.aborted).toBe(false);
    expect(clock.pendingTimers).toBe(0);
  });
});
