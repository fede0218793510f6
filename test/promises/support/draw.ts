import { readConfigureGlobal, sample } from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** The seed; print it with a failure, so that the cases can be repeated with `FAST_CHECK_SEED`. */
export const SEED: number = readConfigureGlobal().seed ?? Math.floor(Math.random() * 2 ** 31);

/** Draws cases. Later parts of a long series use other seeds. */
export function draw<TCase>(arbitrary: Arbitrary<TCase>, count: number, part = 0): TCase[] {
  return sample(arbitrary, { numRuns: count, seed: SEED + part });
}
