import { expect, test } from '@jest/globals';
import { parseRule } from '../../../src/safety/core/robots-pattern.js';
import { MemoryRobotsStore } from '../../../src/safety/memory-robots-store.js';
import { FakeClock } from '../../support/fake-clock.js';

test('keeps a policy past its lifetime, for the gate to decide', async () => {
  const clock = new FakeClock();
  const store = new MemoryRobotsStore(clock);
  const policy = { rules: parseRule('/x'), expiresAtMs: clock.nowMs() + 1 };
  await store.set('a.test:70', policy);
  clock.advance(365 * 24 * 3600 * 1000);
  expect(await store.get('a.test:70')).toEqual(policy);
  expect(await store.get('b.test:70')).toBeNull();
});

test('hosts with huge policies cannot fill the memory', async () => {
  const store = new MemoryRobotsStore(new FakeClock());
  const rules = Array.from({ length: 1000 }, (_, i) => parseRule(`/${i}/${'x'.repeat(500)}`)).flat();
  const keys = Array.from({ length: 200 }, (_, i) => `${i}.test:1965`);
  for (const key of keys) await store.set(key, { rules, expiresAtMs: 0 });
  const kept = (await Promise.all(keys.map((key) => store.get(key)))).filter((policy) => policy !== null);
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.length).toBeLessThan(80);
});
