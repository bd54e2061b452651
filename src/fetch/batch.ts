/** Jobs of one batch under way at once; MAX_CONCURRENT_REQUESTS bounds the exchanges further. */
export const BATCH_WIDTH = 16;

/**
 * Runs one job an item, {@link BATCH_WIDTH} at once, and gives the results in the items' order. A job never rejects.
 *
 * @param onDone is told how many are finished after each one
 */
export async function runBatch<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
  onDone: (finished: number) => void,
): Promise<R[]> {
  const results: R[] = new Array<R>(items.length);
  const queue = items.entries();
  let finished = 0;
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      results[index] = await run(item);
      onDone(++finished);
    }
  };
  await Promise.all(Array.from({ length: Math.min(BATCH_WIDTH, items.length) }, worker));
  return results;
}
