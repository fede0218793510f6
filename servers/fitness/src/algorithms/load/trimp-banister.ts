import { findOutOfBounds, firstOutOf } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { findHeartRateProblem, PHYSIOLOGICAL_LIMITS } from '../physiological-limits.ts';

export interface BanisterAthlete {
  readonly sex: 'male' | 'female';
  readonly resting_hr: number;
  readonly max_hr: number;
}

/** Morton, Fitz-Clarke and Banister 1990: from the rise of blood lactate with heart rate. */
const COEFFICIENTS = { male: [0.64, 1.92], female: [0.86, 1.67] } as const;

/** TRIMP (Banister): minutes × share of heart rate reserve × its weight, for an average heart rate. */
export function banisterTrimp(
  athlete: BanisterAthlete,
  minutes: number,
  average_hr: number,
): Computed<number> {
  const problem =
    findHeartRateProblem({ resting_hr: athlete.resting_hr, max_hr: athlete.max_hr }) ??
    findOutOfBounds([
      { name: 'Duration', value: minutes, min: 0, max: 2880, unit: 'min' },
      {
        name: 'Average heart rate',
        value: average_hr,
        min: athlete.resting_hr,
        max: athlete.max_hr,
        unit: 'bpm',
      },
    ]);
  return problem === undefined ? computed(minutes * weightOf(athlete, average_hr)) : refused(problem);
}

/** TRIMP of samples of one second; rates below rest or above maximum count as rest and maximum. */
export function banisterTrimpOfSamples(
  athlete: BanisterAthlete,
  heartRates: readonly number[],
): Computed<number> {
  const problem =
    findHeartRateProblem({ resting_hr: athlete.resting_hr, max_hr: athlete.max_hr }) ??
    findOutOfBounds(firstOutOf(PHYSIOLOGICAL_LIMITS.heart_rate, heartRates));
  if (problem !== undefined) return refused(problem);
  let sum = 0;
  for (const rate of heartRates) {
    sum += weightOf(athlete, Math.max(athlete.resting_hr, Math.min(athlete.max_hr, rate)));
  }
  return computed(sum / 60);
}

function weightOf({ sex, resting_hr, max_hr }: BanisterAthlete, heartRate: number): number {
  const reserve = (heartRate - resting_hr) / (max_hr - resting_hr);
  const [factor, exponent] = COEFFICIENTS[sex];
  return reserve * factor * Math.exp(exponent * reserve);
}
