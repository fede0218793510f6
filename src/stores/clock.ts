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
    const timer = setTimeout(callback, delayMs);
    // Not every platform has such timers.
    if (inBackground) (timer as Partial<NodeJS.Timeout>).unref?.();
    return () => clearTimeout(timer);
  },
};

/** The same timers, with a time that never jumps: for what only compares moments of this process. */
export const steadyClock: Clock = { ...systemClock, now: () => performance.now() };
