/** The most steps that a search takes on a text of a length, as far as is known. */
export type Steps = (length: number) => number;

/**
 * What one check of a value may take in all its patterns: 50 to 160 ms of the engine's time, by the pattern. So many are taken by 200 texts
 * on which a pattern takes as long as one text may take.
 */
export const MAX_CHECK_STEPS = 100_000_000;

/** The most characters and the most strings of a message, see `docs/limits.md`. A pattern that is fast on those needs no bound. */
export const MAX_CHARS = 4_194_304;
export const MAX_STRINGS = 50_000;

/** The steps of a search that takes so many for every character, beside those that it takes once. */
export interface LinearCost {
  /** In all. */
  readonly fixed: number;
  /** For every character, beside those. */
  readonly each: number;
  /** Of `fixed`, the most for one character. A short text does not take all of them. */
  readonly most: number;
}

/** The steps of a search whose cost is linear. */
export function linearSteps({ fixed, each, most }: LinearCost): Steps {
  return (length) => Math.min(fixed, (length + 1) * most) + each * length;
}

/** How many steps were counted at a length. */
export interface Sample {
  readonly length: number;
  readonly steps: number;
}

/** Between two samples, steps grow with a power of the length. Above the last, `beyond` says how they grow. */
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

/** Of several, the most. Each length is computed once: lists have many texts of one length. */
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
