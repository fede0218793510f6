import { nextTurn } from '../../base/next-turn.ts';

/**
 * Works on a list, on a few entries at a time; the results are in the order of the list. Each entry begins in a turn of the event loop of
 * its own: what several of them do before they wait for something would add up to one long block.
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
