import { readConfigureGlobal, sample } from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** Where chance begins; say it when something fails, so that it can be had again with `FAST_CHECK_SEED`. */
export const SEED: number = readConfigureGlobal().seed ?? Math.floor(Math.random() * 2 ** 31);

/** Draws cases. A later part of a long row begins elsewhere. */
export function draw<TCase>(arbitrary: Arbitrary<TCase>, count: number, part = 0): TCase[] {
  return sample(arbitrary, { numRuns: count, seed: SEED + part });
}
