import { expect, jest, test } from '@jest/globals';
import { SlotQueue } from '../../../src/common/slot-queue.js';

const never = (): void => {
  throw new Error('granted twice');
};

test('places are given out until all are taken', () => {
  const queue = new SlotQueue(2);
  expect([queue.enter(never).granted, queue.enter(never).granted, queue.enter(never).granted]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a place given back goes to whoever waits longest', () => {
  const queue = new SlotQueue(1);
  const order: string[] = [];
  const first = queue.enter(never);
  const second = queue.enter(() => order.push('second'));
  queue.enter(() => order.push('third'));
  first.leave();
  expect(order).toEqual(['second']);
  second.leave();
  expect(order).toEqual(['second', 'third']);
});

test('leaving twice gives back one place', () => {
  const queue = new SlotQueue(1);
  const first = queue.enter(never);
  first.leave();
  first.leave();
  expect(queue.enter(never).granted).toBe(true);
  expect(queue.enter(never).granted).toBe(false);
});

test('whoever stops waiting is passed over, and gives nothing back', () => {
  const queue = new SlotQueue(1);
  const first = queue.enter(never);
  const gone = queue.enter(never);
  const granted = jest.fn();
  queue.enter(granted);
  gone.leave();
  gone.leave();
  expect(granted).not.toHaveBeenCalled();
  first.leave();
  expect(granted).toHaveBeenCalledTimes(1);
});

test('one function may wait for two places', () => {
  const queue = new SlotQueue(1);
  const first = queue.enter(never);
  const granted = jest.fn();
  const second = queue.enter(granted);
  queue.enter(granted);
  first.leave();
  second.leave();
  expect(granted).toHaveBeenCalledTimes(2);
});

test('nobody new slips in while a place is passed on', () => {
  const queue = new SlotQueue(1);
  const first = queue.enter(never);
  const seen: boolean[] = [];
  queue.enter(() => seen.push(queue.enter(() => undefined).granted));
  first.leave();
  expect(seen).toEqual([false]);
});

test('a capacity of zero is no limit', () => {
  const queue = new SlotQueue(0);
  expect(Array.from({ length: 2000 }, () => queue.enter(never).granted)).not.toContain(false);
});
