import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';

/** Thermochemical kilocalorie. */
const KILOJOULES_PER_KILOCALORIE = 4.184;

export const toKilocalories = (kilojoules: number): number => kilojoules / KILOJOULES_PER_KILOCALORIE;
export const fromKilocalories = (kilocalories: number): number => kilocalories * KILOJOULES_PER_KILOCALORIE;

/**
 * Metabolic energy in kcal of mechanical work in kJ. Muscles turn 18 to 26 % of metabolic energy into work on a
 * bicycle; with 23.9 %, kJ of work and kcal of energy are the same number.
 */
export function energyOfWork(work_kj: number, efficiency = 0.239): Computed<number> {
  return computeWithin(
    [
      { name: 'Work', value: work_kj, min: 0, max: 50_000, unit: 'kJ' },
      { name: 'Gross efficiency', value: efficiency, min: 0.15, max: 0.3, unit: '' },
    ],
    () => toKilocalories(work_kj / efficiency),
  );
}
