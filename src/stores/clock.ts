import { DelayList } from './delay-list.ts';

/** Time, from outside: tests move it by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /**
   * Calls back once after the delay; the returned function takes it back. What is scheduled in the background does not keep a process
   * alive that has nothing else to do.
   */
  schedule(callback: () => void, delayMs: number, inBackground?: boolean): () => void;
}

/** The real time. A timer that waits keeps the process alive: a call that hangs is answered before a script may end. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (callback, delayMs, inBackground = false) => {
    const list = inBackground ? undefined : listOf(delayMs);
    if (list !== undefined) return list.add(callback);
    const timer = setTimeout(callback, delayMs);
    // Not every platform has such timers.
    if (inBackground) (timer as Partial<NodeJS.Timeout>).unref?.();
    return () => clearTimeout(timer);
  },
};

/** What waits, by its delay. There are few: deadlines of tools, limits of transports. */
const lists = new Map<number, DelayList>();
const MAX_LISTS = 32;
/** What the timers of the lists were made with. Tests put another one in its place, and take it away again with its timers. */
let madeWith = globalThis.setTimeout;

/** The list for a delay; undefined where there are too many already. */
function listOf(delayMs: number): DelayList | undefined {
  if (madeWith !== globalThis.setTimeout) {
    madeWith = globalThis.setTimeout;
    lists.clear();
  }
  const known = lists.get(delayMs);
  if (known !== undefined || lists.size >= MAX_LISTS) return known;
  const list = new DelayList(delayMs, () => {
    if (lists.get(delayMs) === list) lists.delete(delayMs);
  });
  lists.set(delayMs, list);
  return list;
}
