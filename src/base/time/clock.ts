/** Time, from outside: tests move it by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment, for durations and for comparing moments of this process. Setting the machine's time must not move it. */
  now(): number;
  /**
   * Milliseconds since 1970 by the machine's time, for moments that leave the process or come from outside. It may jump. Default: the same
   * as `now()`.
   */
  wallTime?(): number;
  /**
   * Calls back once after the delay; the returned function takes it back. What is scheduled in the background does not keep a process
   * alive that has nothing else to do.
   */
  schedule(callback: () => void, delayMs: number, inBackground?: boolean): () => void;
}

/** The real time. A timer that waits keeps the process alive: a call that hangs is answered before a script may end. */
export const systemClock: Clock = {
  // Near the machine's time, for those who take it for that; whole, as its milliseconds are.
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  wallTime: () => Date.now(),
  schedule: (callback, delayMs, inBackground = false) => {
    const timer = setTimeout(callback, delayMs);
    // Not every platform has such timers.
    if (inBackground) (timer as Partial<NodeJS.Timeout>).unref?.();
    return () => clearTimeout(timer);
  },
};

/** A moment that leaves the process, or is compared with one from outside. */
export function wallTimeOf(clock: Clock): number {
  return clock.wallTime?.() ?? clock.now();
}
