import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves with the milliseconds that passed as soon as `holds` says so; looks every 25 ms, and rejects after `withinMs`. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 3000): Promise<number> {
  const startMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startMs > withinMs) throw new Error(`it did not become so within ${withinMs} ms`);
    await sleep(25);
  }
  return performance.now() - startMs;
}
