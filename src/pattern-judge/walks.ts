import { followGrowth } from './walk/follow-growth.ts';
import type { Followed } from './walk/follow-growth.ts';
import { HARMLESS_STEPS } from './measure-growth.ts';
import type { Outline } from './syntax/outline.ts';
import { UnreadablePattern } from './syntax/parse-pattern.ts';
import type { Program } from './run/program.ts';
import { proveLinear } from './walk/prove-linear.ts';
import type { Alphabet } from './run/read-program.ts';
import type { LinearCost } from './run/steps.ts';
import { Walk } from './walk/walk.ts';
import type { WalkLimits } from './walk/walk.ts';

/** Maximum work of a proof. */
const WORK_OF_PROOF = 200_000;
/** Maximum work without a proof. */
const WORK_OF_GROWTH = 150_000;
/** Repetitions that count further are treated as unbounded at first: each round would be a state of its own. */
const LARGE_COUNT = 64;

/** Walks through one pattern to determine its cost. */
export class Walks {
  readonly #program: Program;
  readonly #alphabet: Alphabet;

  constructor(program: Program, alphabet: Alphabet) {
    this.#program = program;
    this.#alphabet = alphabet;
  }

  /** The maximum cost of a search if it is linear; undefined if that cannot be proven. */
  prove({ largestCount, reach }: Pick<Outline, 'largestCount' | 'reach'>): LinearCost | undefined {
    const large = largestCount > LARGE_COUNT ? this.#tryToProve(LARGE_COUNT) : undefined;
    const cost = large ?? this.#tryToProve(Number.POSITIVE_INFINITY);
    if (cost !== undefined || this.#alphabet.isAnchored || !Number.isFinite(reach)) return cost;
    // The cost is the same from each position.
    const once = new Walks(this.#program, { ...this.#alphabet, isAnchored: true });
    const fixed = once.#tryToProve(Number.POSITIVE_INFINITY)?.fixed;
    return fixed === undefined ? undefined : { fixed, each: fixed, most: fixed };
  }

  #tryToProve(maxCount: number): LinearCost | undefined {
    try {
      const walk = this.#walk({ work: WORK_OF_PROOF, maxCount, isExact: true });
      const cost = proveLinear(walk, this.#alphabet.size);
      return cost !== undefined && cost.fixed <= HARMLESS_STEPS / 2 ? cost : undefined;
    } catch (error) {
      if (error instanceof UnreadablePattern) return undefined;
      throw error;
    }
  }

  /** The estimated length of a string that takes {@link HARMLESS_STEPS}, and the steps of shorter ones. */
  followGrowth(): Followed {
    const walk = this.#walk({ work: WORK_OF_GROWTH, maxCount: Number.POSITIVE_INFINITY, isExact: false });
    return followGrowth(walk, this.#alphabet.size, HARMLESS_STEPS);
  }

  #walk(limits: WalkLimits): Walk {
    return new Walk(this.#program, this.#alphabet, limits);
  }
}
