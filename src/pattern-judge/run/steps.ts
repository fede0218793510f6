/** The maximum known steps of a search on a string of a length. */
export type Steps = (length: number) => number;

/**
 * Maximum steps of all patterns in one check of a value: 50 to 160 ms of the engine's time, depending on the pattern. It allows 200 strings
 * at the bound of a pattern.
 */
export const MAX_CHECK_STEPS = 100_000_000;

/** Maximum characters and strings of a message, see `docs/limits.md`. A pattern that is fast on those needs no bound. */
export const MAX_CHARS = 4_194_304;
export const MAX_STRINGS = 50_000;

/** Steps of a linear search: per character, and once. */
export interface LinearCost {
  /** Steps per search. */
  readonly fixed: number;
  /** Additional steps per character. */
  readonly each: number;
  /** The maximum of `fixed` per character. A short string does not take all of them. */
  readonly most: number;
}

/** The steps of a search with linear cost. */
export function linearSteps({ fixed, each, most }: LinearCost): Steps {
  return (length) => Math.min(fixed, (length + 1) * most) + each * length;
}

/** Counted steps at a length. */
export interface Sample {
  readonly length: number;
  readonly steps: number;
}

/** Between two samples, steps grow with a power of the length. Above the last, `beyond` applies. */
export function stepsBetween(samples: readonly Sample[], beyond: Steps): Steps {
  return (length) => {
    const index = samples.findIndex((sample) => sample.length >= length);
    const longer = samples[index];
    if (longer === undefined) return beyond(length);
    const shorter = samples[index - 1];
    if (shorter === undefined || shorter.length === 0) return longer.steps;
    const power = Math.log(longer.steps / shorter.steps) / Math.log(longer.length / shorter.length);
    return shorter.steps * (length / shorter.length) ** power;
  };
}

/** The maximum of several. Each length is computed once: arrays have many strings of one length. */
export function mostSteps(all: readonly Steps[]): Steps {
  const known = new Map<number, number>();
  return (length) => {
    let most = known.get(length);
    if (most === undefined) {
      most = Math.max(...all.map((steps) => steps(length)));
      if (known.size < MAX_REMEMBERED) known.set(length, most);
    }
    return most;
  };
}

const MAX_REMEMBERED = 2000;
