/** The clock interface; tests replace it. */
export interface Clock {
  /** Monotonic time in milliseconds, for durations and comparisons within this process. Changing the system time does not affect it. */
  now(): number;
  /** System time in milliseconds since 1970, for times that leave the process or come from outside. It may jump. Default: `now()`. */
  wallTime?(): number;
  /** Calls back once after the delay; the returned function cancels it. Background timers do not keep the process alive. */
  schedule(callback: () => void, delayMs: number, inBackground?: boolean): () => void;
}

/** The system clock. A pending timer keeps the process alive, so that a hanging call gets a response before a script ends. */
export const systemClock: Clock = {
  // Close to the system time, in case it is mistaken for it; rounded to milliseconds.
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  wallTime: () => Date.now(),
  schedule: (callback, delayMs, inBackground = false) => {
    const timer = setTimeout(callback, delayMs);
    // Some platforms lack `unref`.
    if (inBackground) (timer as Partial<NodeJS.Timeout>).unref?.();
    return () => clearTimeout(timer);
  },
};

/** Current system time, for times that leave the process or come from outside. */
export function wallTimeOf(clock: Clock): number {
  return clock.wallTime?.() ?? clock.now();
}
