import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { linearRegression } from '../statistics/linear-regression.ts';
import { meanOf } from '../statistics/spread.ts';

export interface Measurement {
  readonly day: number;
  readonly value: number;
}

export interface Plateau {
  readonly plateau: boolean;
  readonly weeks: number;
  /** Change of the trend line over the whole time, in percent of the mean. */
  readonly change_percent: number;
}

/** A plateau: over four weeks or more, the line through at least six values changes by less than 2 % of their mean. */
export function performancePlateau(measurements: readonly Measurement[]): Computed<Plateau> {
  if (measurements.length < 6) {
    return refused(`A plateau needs at least six values; there are ${measurements.length}.`);
  }
  const days = measurements.map(({ day }) => day);
  const values = measurements.map(({ value }) => value);
  const span = Math.max(...days) - Math.min(...days);
  if (!(span >= 28)) return refused(`A plateau needs values over at least 28 days; they cover ${span}.`);
  const mean = meanOf(values) ?? 0;
  if (!(mean > 0)) return refused('A plateau needs positive values.');
  const fit = linearRegression(days, values);
  if (!fit.ok) return fit;
  const change_percent = (100 * fit.value.slope * span) / mean;
  return computed({ plateau: Math.abs(change_percent) < 2, weeks: span / 7, change_percent });
}
