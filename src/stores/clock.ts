/** Time, from outside: tests move it by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Calls back once after the delay; the returned function takes it back. */
  schedule(callback: () => void, delayMs: number): () => void;
}

/** The real time. A timer that waits keeps the process alive: a call that hangs is answered before a script may end. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
