import { systemClock } from '../stores/clock.ts';

/** How long a list may be worked on before others get their turn. */
const TURN_MS = 20;

/** After everything else that is ready. A timer would not do: Node goes on with timers that have become due as long as there are any. */
const schedule: (callback: () => void) => void =
  globalThis.setImmediate ?? ((callback) => setTimeout(callback, 0));

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
    await new Promise<void>((resolve) => schedule(resolve));
    turnEndsAt = systemClock.now() + TURN_MS;
  }
  return Promise.all(results);
}
