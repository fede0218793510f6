import { nextTurn } from '../../base/next-turn.ts';

/**
 * Maps an array with limited concurrency; results are in the order of the array. Each entry begins in its own turn of the event loop: the
 * synchronous parts of several entries would add up to one long block.
 */
export async function inTurn<TItem, TResult>(
  items: readonly TItem[],
  atOnce: number,
  work: (item: TItem) => Promise<TResult>,
): Promise<TResult[]> {
  const results: Promise<TResult>[] = [];
  const running = new Set<Promise<unknown>>();
  for (const item of items) {
    if (results.length > 0) await nextTurn();
    if (running.size >= atOnce) await Promise.race(running);
    const result = work(item);
    results.push(result);
    const settled: Promise<unknown> = result.catch(() => {}).then(() => running.delete(settled));
    running.add(settled);
  }
  return Promise.all(results);
}
