import type { SportType } from '../../provider.ts';

/** Strava's `sport_type` values; all others are `other`. */
const SPORTS: Readonly<Record<Exclude<SportType, 'other'>, readonly string[]>> = {
  run: ['Run', 'TrailRun', 'VirtualRun'],
  ride: [
    'Ride',
    'MountainBikeRide',
    'GravelRide',
    'VirtualRide',
    'EBikeRide',
    'EMountainBikeRide',
    'Handcycle',
    'Velomobile',
  ],
  swim: ['Swim'],
  walk: ['Walk'],
  hike: ['Hike', 'Snowshoe'],
  strength: ['WeightTraining', 'Crossfit', 'Workout', 'HighIntensityIntervalTraining'],
  row: ['Rowing', 'VirtualRow', 'Canoeing', 'Kayaking'],
  ski: ['NordicSki', 'BackcountrySki', 'AlpineSki', 'RollerSki'],
};

const BY_NAME = new Map<string, SportType>(
  Object.entries(SPORTS).flatMap(([sport, names]) => names.map((name) => [name, sport as SportType])),
);

export function toSportType(stravaType: string | undefined): SportType {
  return BY_NAME.get(stravaType ?? '') ?? 'other';
}
