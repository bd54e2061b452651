/** Jobs of one batch under way at once; MAX_CONCURRENT_REQUESTS bounds the exchanges further. */
export const BATCH_WIDTH = 16;

/**
 * Runs one job an item, {@link BATCH_WIDTH} at once, and gives the results in the items' order. A job never rejects.
 *
 * @param signal ends all jobs. Each sees one of its own that follows it: a signal with a listener for every job would be taken for a
 *   leak by the runtime, which then warns on stderr
 * @param onDone is told how many are finished after each one
 */
export async function runBatch<T, R>(
  items: readonly T[],
  signal: AbortSignal,
  run: (item: T, signal: AbortSignal) => Promise<R>,
  onDone: (finished: number) => void,
): Promise<R[]> {
  const results: R[] = new Array<R>(items.length);
  const queue = items.entries();
  const workers = Array.from({ length: Math.min(BATCH_WIDTH, items.length) }, () => new AbortController());
  const onAbort = (): void => {
    for (const worker of workers) worker.abort(signal.reason);
  };
  let finished = 0;
  const work = async (own: AbortController): Promise<void> => {
    for (const [index, item] of queue) {
      results[index] = await run(item, own.signal);
      onDone(++finished);
    }
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.all(workers.map(work));
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  return results;
}
