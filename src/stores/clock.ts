/** Time, from outside: tests move it by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Calls back once after the delay; the returned function takes it back. */
  schedule(callback: () => void, delayMs: number): () => void;
}

/** The real time. Timers do not keep a process alive by themselves. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (callback, delayMs) => {
    const timer: unknown = setTimeout(callback, delayMs);
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as number);
  },
};
