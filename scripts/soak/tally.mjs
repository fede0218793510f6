/** Counts the actions of the clients, and their failures. */

/** Maximum number of reasons kept; the rest is counted. */
const MAX_REASONS = 20;

export class Tally {
  /** Number of actions by name. */
  done = {};
  lost = 0;
  duplicated = 0;
  /** Number of calls of `echo` with a response. */
  echoed = 0;
  reasons = [];

  count(what) {
    this.done[what] = (this.done[what] ?? 0) + 1;
  }

  /** Records a failure. */
  fail(what, error) {
    if (error?.isDuplicate === true) this.duplicated += 1;
    else this.lost += 1;
    if (this.reasons.length < MAX_REASONS) this.reasons.push(`${what}: ${String(error?.message ?? error)}`);
  }

  get total() {
    return Object.values(this.done).reduce((sum, count) => sum + count, 0);
  }
}

/** Throws unless a condition holds. */
export function check(holds, what) {
  if (!holds) throw new Error(what);
}

/** Pseudo-random numbers with a fixed seed for each client. */
export function createRandom(seed) {
  let state = seed * 2_654_435_761 + 1;
  return (max) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * max);
  };
}

/** Waits for an event, with a timeout. */
export async function within(promise, ms, what) {
  let timer;
  const timeUp = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`timeout while waiting for ${what}`)), ms);
  });
  try {
    return await Promise.race([promise, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
