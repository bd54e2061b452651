import { expect, test } from '@jest/globals';
import { SweptMap } from '../../../../src/safety/core/swept-map.js';

function fill(map: SweptMap<boolean>, count: number, value: boolean, prefix = ''): void {
  for (let i = 0; i < count; i++) map.set(`${prefix}${i}`, value);
}

test('keeps spent entries while there are few', () => {
  const map = new SweptMap<boolean>((spent) => spent);
  fill(map, 1024, true);
  expect(map.size).toBe(1024);
  expect(map.get('0')).toBe(true);
});

test('past 1024 entries drops those that are spent and no others', () => {
  const map = new SweptMap<boolean>((spent) => spent);
  fill(map, 24, false, 'kept');
  fill(map, 1001, true);
  expect(map.size).toBe(24);
  expect(map.get('kept23')).toBe(false);
  expect(map.get('0')).toBeUndefined();
});

test('sweeps seldom when nothing is spent', () => {
  let asked = 0;
  const map = new SweptMap<boolean>(() => {
    asked++;
    return false;
  });
  fill(map, 100_000, false);
  expect(map.size).toBe(100_000);
  expect(asked).toBeLessThan(400_000);
});

test('forgets on request', () => {
  const map = new SweptMap<boolean>((spent) => spent);
  map.set('a', false);
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
});
