import { UnreadablePattern } from '../syntax/parse-pattern.ts';
import { mostSteps } from '../run/steps.ts';
import type { Steps } from '../run/steps.ts';
import type { Front, Walk } from './walk.ts';

/** Number of strings that are extended in parallel. */
const WIDTH = 3;
/** Number of counted steps after which the rest is extrapolated. */
const ENOUGH_STEPS = 20_000;
const MAX_LENGTH = 500;

interface Path {
  readonly front: Front;
  readonly steps: number;
}

/** Result of {@link followGrowth}. */
export interface Followed {
  /** The estimated length of a string with the given steps. */
  readonly length: number;
  readonly steps: Steps;
}

/**
 * Extends strings with the letters that leave the most alternatives to try, and returns the length that would take the given steps. It
 * assumes that every path fails: so the length may be less than in a real search, and it may find a string that no loop of the pattern
 * suggests.
 */
export function followGrowth(walk: Walk, letters: number, steps: number): Followed {
  let paths: readonly Path[] = [{ front: walk.start, steps: 0 }];
  const seen: number[] = [0];
  try {
    while (seen.length <= MAX_LENGTH && (seen.at(-1) ?? 0) < ENOUGH_STEPS) {
      const longer = new Map<Front, Path>();
      for (const path of paths) {
        for (let letter = 0; letter < letters; letter += 1) {
          const move = walk.follow(path.front, letter);
          const total = path.steps + move.steps;
          if (total > (longer.get(move.front)?.steps ?? -1))
            longer.set(move.front, { front: move.front, steps: total });
        }
      }
      paths = [...longer.values()]
        .toSorted((a, b) => b.front.threads.length - a.front.threads.length || b.steps - a.steps)
        .slice(0, WIDTH);
      seen.push(Math.max(seen.at(-1) ?? 0, ...paths.map((path) => path.steps)));
    }
  } catch (error) {
    if (!(error instanceof UnreadablePattern)) throw error;
  }
  const followed = extrapolate(seen, steps);
  if (!walk.isShortened) return followed;
  // A skipped part may read the whole string once more.
  return {
    length: Math.min(followed.length, Math.floor(Math.cbrt(6 * steps))),
    steps: mostSteps([followed.steps, (length) => length ** 3 / 6]),
  };
}

/** Shorter strings do not show an exponent: their steps multiply with every character. */
const SHORT = 24;

function extrapolate(seen: readonly number[], steps: number): Followed {
  const length = seen.length - 1;
  const [half = 1, most = 1] = [seen[Math.floor(length / 2)], seen[length]].map((each) =>
    Math.max(1, each ?? 1),
  );
  const power = Math.max(1, Math.ceil(Math.log2(most / half) - 0.2));
  const isShort = length < SHORT && most >= ENOUGH_STEPS;
  return {
    length: isShort ? length : Math.floor(length * Math.max(1, steps / most) ** (1 / power)),
    steps: (asked) => seen[asked] ?? most * (asked / length) ** power,
  };
}
