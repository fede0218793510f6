import type { SleepNight } from '../provider.ts';
import { toDate, weekdayOf } from '../../calendar/days.ts';
import type { Day } from '../../calendar/days.ts';
import { planDay } from './day-plan.ts';
import { createRandom } from './random.ts';
import { fitnessOf, isIll, seasonOf } from './season.ts';
import { loadOf } from './session.ts';

const BASELINE_HRV_MS = 58;
/** The watch was not worn in one night of fifty. */
const FORGOTTEN = 0.02;

/** The night before a day; undefined if it was not recorded. */
export function sleepBefore(seed: number, day: Day): SleepNight | undefined {
  const random = createRandom(seed, 'sleep', day);
  if (random.next() < FORGOTTEN) return undefined;
  const isSick = isIll(seasonOf(seed, day), day);
  const strain = strainBefore(seed, day);
  const isWeekend = weekdayOf(day) >= 5;
  const hours = 7.2 + (isWeekend ? 0.6 : 0) + (isSick ? 0.5 : 0) + 0.003 * strain + 0.45 * random.normal();
  const duration = round(Math.min(10, Math.max(4.5, hours)), 2);
  const deep = round(duration * within(0.185 + 0.018 * random.normal() - (isSick ? 0.05 : 0), 0.08, 0.27), 2);
  const rem = round(duration * within(0.22 + 0.02 * random.normal() - (isSick ? 0.03 : 0), 0.1, 0.3), 2);
  const efficiency = 91.5 + 2 * random.normal() - (isSick ? 9 : 0) - 0.01 * strain;
  return {
    date: toDate(day),
    duration_hours: duration,
    efficiency_percent: round(within(efficiency, 65, 98), 1),
    deep_sleep_hours: deep,
    rem_sleep_hours: rem,
    light_sleep_hours: round(duration - deep - rem, 2),
    awakenings: Math.max(0, Math.round(1.6 + 0.9 * random.normal() + (isSick ? 3 : 0))),
    hrv_rmssd_ms: hrvOf(seed, day, { strain, noise: random.normal() }),
  };
}

function hrvOf(seed: number, day: Day, { strain, noise }: { strain: number; noise: number }): number {
  const isSick = isIll(seasonOf(seed, day), day);
  const fit = 90 * (fitnessOf(seed, day) - 0.96);
  const value = BASELINE_HRV_MS + fit - 0.055 * strain - (isSick ? 20 : 0) + 3 * noise;
  return round(within(value, 18, 120), 1);
}

/** Training load of the two days before, the nearer one counting more. */
function strainBefore(seed: number, day: Day): number {
  return loadOn(seed, day - 1) + 0.4 * loadOn(seed, day - 2);
}

function loadOn(seed: number, day: Day): number {
  // The plan of a race is longer than the race.
  return Math.min(
    250,
    planDay(seed, day).reduce((sum, session) => sum + loadOf(session), 0),
  );
}

function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
