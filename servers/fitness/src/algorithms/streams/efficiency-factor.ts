import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';

/** Efficiency factor (Friel): normalized power in W, or speed in m/min, for each beat per minute of average heart rate. */
export function efficiencyFactor(output: number, average_hr: number): Computed<number> {
  return computeWithin(
    [{ name: 'Output', value: output, min: 1, max: 3000, unit: '' }, limited('heart_rate', average_hr)],
    () => output / average_hr,
  );
}
