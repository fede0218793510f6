import { findOutOfBounds } from '../bounds.ts';
import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';

/** Formulas for maximum heart rate from age, with the ages of the people that they were fitted to. */
const FORMULAS = {
  /** Fox, Naughton and Haskell 1971; drawn by eye through older data. */
  fox: { base: 220, slope: 1, min: 18, max: 65 },
  /** Tanaka, Monahan and Seals 2001. */
  tanaka: { base: 208, slope: 0.7, min: 18, max: 81 },
  /** Nes and others 2013, the HUNT study. */
  nes: { base: 211, slope: 0.64, min: 19, max: 89 },
  /** Gulati and others 2010; women of 35 years and older. */
  gulati: { base: 206, slope: 0.88, min: 35, max: 90 },
} as const;

export type MaxHeartRateFormula = keyof typeof FORMULAS;

export interface MaxHeartRateInput {
  readonly age: number;
  /** Default `tanaka`. */
  readonly formula?: MaxHeartRateFormula;
  /** Needed by `gulati` only. */
  readonly sex?: 'male' | 'female' | null;
}

/** Maximum heart rate in bpm; one standard deviation is about 10 bpm for all formulas. */
export function maxHeartRate({ age, formula = 'tanaka', sex }: MaxHeartRateInput): Computed<number> {
  const { base, slope, min, max } = FORMULAS[formula];
  const problem = findOutOfBounds([
    { name: `Age for the formula "${formula}"`, value: age, min, max, unit: 'years' },
  ]);
  if (problem !== undefined) return refused(problem);
  if (formula === 'gulati' && sex !== 'female') {
    return refused('The formula "gulati" was fitted to women only; use "tanaka" or "nes".');
  }
  return computed(base - slope * age);
}
