import { systemClock } from '../../base/time/clock.ts';
import { nextTurn } from '../../base/next-turn.ts';

/** How long a list may be worked on before others get their turn. */
const TURN_MS = 20;

/** Works on a list, on a few entries at a time; the results are in the order of the list. Others get their turn in between. */
export async function inTurn<TItem, TResult>(
  items: readonly TItem[],
  atOnce: number,
  work: (item: TItem) => Promise<TResult>,
): Promise<TResult[]> {
  const results: Promise<TResult>[] = [];
  const running = new Set<Promise<unknown>>();
  let turnEndsAt = systemClock.now() + TURN_MS;
  for (const item of items) {
    if (running.size >= atOnce) await Promise.race(running);
    const result = work(item);
    results.push(result);
    const settled: Promise<unknown> = result.catch(() => {}).then(() => running.delete(settled));
    running.add(settled);
    if (systemClock.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = systemClock.now() + TURN_MS;
  }
  return Promise.all(results);
}
