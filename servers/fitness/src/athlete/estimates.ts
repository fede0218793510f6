import { ftpFromTest } from '../algorithms/thresholds/ftp-tests.ts';
import { lthrFromMax } from '../algorithms/thresholds/lactate-threshold-heart-rate.ts';
import { DAY_S } from '../calendar/days.ts';
import type { AthleteValue, AthleteValueName } from '../configuration/athlete-values.ts';
import type { Configuration } from '../configuration/parameters.ts';
import type { Activity } from '../providers/provider.ts';
import { plausibleMaximum } from './plausible-maximum.ts';

/** A value with the formula that it was estimated with. */
export interface Estimate {
  readonly value: number;
  readonly formula: string;
}

export type Estimates = { readonly [TName in AthleteValueName]?: Estimate | undefined };

const FORMULAS: Readonly<Record<Configuration['max_hr_formula'], string>> = {
  tanaka: '208 − 0.7 × age (Tanaka 2001)',
  fox: '220 − age (Fox 1971)',
  nes: '211 − 0.64 × age (Nes 2013)',
  gulati: '206 − 0.88 × age (Gulati 2010)',
};
const LTHR_PERCENT: Readonly<Record<Configuration['training_status'], number>> = {
  untrained: 85,
  trained: 88,
  well_trained: 91,
};
const SHORTEST_TEST_S = 1200;
const TEST_DAYS = 90;

/** The formulas of the estimates among the values of an athlete. */
export function nameFormulas(values: readonly AthleteValue[], configuration: Configuration): Estimates {
  const formulas = {
    max_hr: FORMULAS[configuration.max_hr_formula],
    lthr: toLthrFormula(configuration),
  };
  return Object.fromEntries(
    values.flatMap(({ name, value, source }) =>
      source === 'estimate' && value !== null && (name === 'max_hr' || name === 'lthr')
        ? [[name, { value, formula: formulas[name] }]]
        : [],
    ),
  );
}

/** Estimates from the activities of a year, the newest first, for an athlete without an age or an FTP. */
export function estimateFromActivities(
  activities: readonly Activity[],
  configuration: Configuration,
  now: number,
): Estimates {
  const max_hr = estimateMaximum(activities);
  return {
    max_hr,
    lthr: max_hr && estimateThreshold(max_hr.value, configuration),
    ftp: estimateFtp(activities, now),
  };
}

function estimateThreshold(max_hr: number, configuration: Configuration): Estimate | undefined {
  const lthr = lthrFromMax(max_hr, configuration.training_status);
  return lthr.ok ? { value: Math.round(lthr.value), formula: toLthrFormula(configuration) } : undefined;
}

function toLthrFormula({ training_status }: Configuration): string {
  return `${LTHR_PERCENT[training_status]} % of max_hr`;
}

function estimateMaximum(activities: readonly Activity[]): Estimate | undefined {
  const highest = highestOf(activities, plausibleMaximum);
  return highest && { value: highest.value, formula: `Highest heart rate in 365 days, in ${highest.id}` };
}

function estimateFtp(activities: readonly Activity[], now: number): Estimate | undefined {
  const rides = activities.filter(
    ({ sport_type, moving_time_s, start_time }) =>
      sport_type === 'ride' &&
      moving_time_s >= SHORTEST_TEST_S &&
      start_time >= now / 1000 - TEST_DAYS * DAY_S,
  );
  const highest = highestOf(rides, ({ average_power_w }) => average_power_w);
  const ftp = highest && ftpFromTest('twenty_minutes', highest.value);
  if (ftp === undefined || !ftp.ok) return undefined;
  return {
    value: Math.round(ftp.value),
    formula: `95 % of the highest average power of a ride from 20 minutes in ${TEST_DAYS} days, ${highest?.id}`,
  };
}

function highestOf(
  activities: readonly Activity[],
  valueOf: (activity: Activity) => number | null,
): { readonly id: string; readonly value: number } | undefined {
  let highest: { readonly id: string; readonly value: number } | undefined;
  for (const activity of activities) {
    const value = valueOf(activity);
    if (value !== null && value > (highest?.value ?? 0)) highest = { id: activity.id, value };
  }
  return highest;
}
