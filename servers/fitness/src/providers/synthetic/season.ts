import { mondayOf, weekOf } from './calendar.ts';
import type { Day } from '../../calendar/days.ts';
import { createRandom } from './random.ts';

/** Length of a cycle of training, which ends with a race on its last Sunday. */
export const CYCLE_WEEKS = 16;

export type Phase = 'recovery' | 'build' | 'peak' | 'taper' | 'race';

export interface Race {
  readonly name: string;
  readonly sport: 'run' | 'ride';
  readonly distance_m: number;
  /** Mean intensity, relative to the threshold. */
  readonly intensity: number;
  readonly place: { readonly latitude: number; readonly longitude: number; readonly name: string };
}

/** The cycle that contains a day. */
export interface Season {
  readonly cycle: number;
  readonly first: Day;
  readonly raceDay: Day;
  readonly race: Race;
  /** First and last day of an illness; not every cycle has one. */
  readonly illness: { readonly first: Day; readonly last: Day } | undefined;
}

const RACES: readonly [Race, ...Race[]] = [
  {
    name: 'Half marathon',
    sport: 'run',
    distance_m: 21_097.5,
    intensity: 0.96,
    place: { latitude: 47.559, longitude: 7.588, name: 'Basel' },
  },
  {
    name: 'Gran fondo',
    sport: 'ride',
    distance_m: 112_000,
    intensity: 0.78,
    place: { latitude: 47.902, longitude: 8.153, name: 'Titisee-Neustadt' },
  },
  {
    name: 'Marathon',
    sport: 'run',
    distance_m: 42_195,
    intensity: 0.9,
    place: { latitude: 48.584, longitude: 7.745, name: 'Strasbourg' },
  },
  {
    name: '10 km race',
    sport: 'run',
    distance_m: 10_000,
    intensity: 1.01,
    place: { latitude: 48.078, longitude: 7.359, name: 'Colmar' },
  },
];

/** Share of the full volume in each week: three weeks up, one down; then peak, taper and race. */
const VOLUME = [0.35, 0.7, 0.8, 0.62, 0.8, 0.88, 0.95, 0.68, 0.9, 0.98, 1.05, 0.72, 1.08, 1.05, 0.62, 0.4];

export function seasonOf(seed: number, day: Day): Season {
  const cycle = Math.floor(weekOf(day) / CYCLE_WEEKS);
  const first = mondayOf(cycle * CYCLE_WEEKS);
  const index = ((cycle % RACES.length) + RACES.length) % RACES.length;
  return {
    cycle,
    first,
    raceDay: first + CYCLE_WEEKS * 7 - 1,
    race: RACES[index] ?? RACES[0],
    illness: illnessOf(seed, cycle),
  };
}

/** An illness in every second cycle, in its fifth to ninth week: two years always have at least three. */
function illnessOf(seed: number, cycle: number): Season['illness'] {
  if (cycle % 2 !== 0) return undefined;
  const random = createRandom(seed, 'illness', cycle);
  const first = mondayOf(cycle * CYCLE_WEEKS + random.whole(4, 8)) + random.whole(0, 6);
  return { first, last: first + random.whole(5, 8) };
}

export function isIll({ illness }: Season, day: Day): boolean {
  return illness !== undefined && day >= illness.first && day <= illness.last;
}

/** Days since the end of an illness, if it ended at most a week before. */
export function daysAfterIllness({ illness }: Season, day: Day): number | undefined {
  if (illness === undefined || day <= illness.last || day > illness.last + 7) return undefined;
  return day - illness.last;
}

/** From 0 to 15. */
export function weekInCycle(day: Day): number {
  return ((weekOf(day) % CYCLE_WEEKS) + CYCLE_WEEKS) % CYCLE_WEEKS;
}

export function phaseOf(day: Day): Phase {
  const week = weekInCycle(day);
  if (week === 0) return 'recovery';
  if (week < 12) return 'build';
  if (week < 14) return 'peak';
  return week === 14 ? 'taper' : 'race';
}

export function volumeOf(day: Day): number {
  return VOLUME[weekInCycle(day)] ?? 0.5;
}

/** Threshold power and speed relative to the best of the athlete: rises through a cycle, falls after the race and an illness. */
export function fitnessOf(seed: number, day: Day): number {
  const season = seasonOf(seed, day);
  const progress = (day - season.first) / (CYCLE_WEEKS * 7);
  const rise = progress < 0.1 ? 0.045 - 0.3 * progress : 0.015 + 0.05 * (progress - 0.1);
  const sick = season.illness !== undefined && day >= season.illness.first;
  const loss = sick ? 0.02 * Math.exp(-(day - (season.illness?.last ?? day)) / 20) : 0;
  // A slow wave over years, so that no year is a copy of the one before.
  return 0.93 + rise + 0.012 * Math.sin(day / 290 + seed) - Math.min(loss, 0.02);
}
