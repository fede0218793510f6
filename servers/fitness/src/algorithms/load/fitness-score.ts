import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { interpolate } from '../statistics/interpolate.ts';

/** Parts of the fitness score, each 0 to 100; null where the data for it is missing. */
export interface FitnessParts {
  readonly consistency: number | null;
  readonly load: number | null;
  readonly volume: number | null;
  readonly balance: number | null;
}

/** Percent of the score. */
export const FITNESS_WEIGHTS: Readonly<Record<keyof FitnessParts, number>> = {
  consistency: 25,
  load: 35,
  volume: 25,
  balance: 15,
};

/** 25 % consistency, 35 % load, 25 % volume, 15 % balance; the weight of a missing part goes to the others. */
export function fitnessScore(parts: FitnessParts): Computed<number> {
  const given = (Object.keys(FITNESS_WEIGHTS) as (keyof FitnessParts)[]).flatMap((name) => {
    const value = parts[name];
    return value === null ? [] : [{ name, value, min: 0, max: 100, unit: '' }];
  });
  if (given.length < 2) return refused('The fitness score needs at least two of its four parts.');
  const problem = findOutOfBounds(given);
  if (problem !== undefined) return refused(problem);
  let sum = 0;
  let weights = 0;
  for (const { name, value } of given) {
    sum += FITNESS_WEIGHTS[name] * value;
    weights += FITNESS_WEIGHTS[name];
  }
  return computed(sum / weights);
}

/** Chronic load of 100 a day or more is full. */
export const loadPart = (ctl: number): number =>
  interpolate(
    [
      [0, 0],
      [100, 100],
    ],
    ctl,
  );

/** Ten hours a week or more are full. */
export const volumePart = (hoursPerWeek: number): number =>
  interpolate(
    [
      [0, 0],
      [10, 100],
    ],
    hoursPerWeek,
  );

/** Full with 75 to 90 % of time at low intensity; none of it, or nothing else, is 0 and 60. */
export const balancePart = (easyShare: number): number =>
  interpolate(
    [
      [0, 0],
      [0.75, 100],
      [0.9, 100],
      [1, 60],
    ],
    easyShare,
  );

/** Adjusts a fitness score by sleep: +5 % from 90, −5 % below 70, −10 % below 50; at most 100. */
export function adjustForSleep(score: number, sleepScore: number): number {
  const factor = sleepScore >= 90 ? 1.05 : sleepScore >= 70 ? 1 : sleepScore >= 50 ? 0.95 : 0.9;
  return Math.min(100, score * factor);
}
