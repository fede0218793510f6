/** A sequence of pseudo-random numbers that depends on its seed alone. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  between(low: number, high: number): number;
  /** Whole number from `low` to `high`, both inclusive. */
  whole(low: number, high: number): number;
  /** Normally distributed with mean 0 and standard deviation 1. */
  normal(): number;
  /** Mean 0 and standard deviation 1, between -1.74 and 1.74: cheap noise for samples. */
  noise(): number;
  pick<TValue>(values: readonly [TValue, ...TValue[]]): TValue;
}

/** Mulberry32, started at a hash (FNV-1a) of all parts: each purpose has a sequence of its own, so none shifts another. */
export function createRandom(...parts: readonly (string | number)[]): Random {
  let state = hashOf(parts.join('/'));
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    whole,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    noise: () => (next() - 0.5) * Math.sqrt(12),
    pick: (values) => values[whole(0, values.length - 1)] ?? values[0],
  };
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
