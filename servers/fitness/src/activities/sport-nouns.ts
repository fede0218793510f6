import type { SportType } from '../providers/provider.ts';

/** An activity of a sport, in sentences. */
export const SPORT_NOUN: Readonly<Record<SportType, string>> = {
  run: 'run',
  ride: 'ride',
  swim: 'swim',
  walk: 'walk',
  hike: 'hike',
  strength: 'strength session',
  row: 'rowing session',
  ski: 'ski tour',
  other: 'activity',
};

/** Activities of a sport, in sentences. */
export const SPORT_NOUNS: Readonly<Record<SportType, string>> = {
  run: 'runs',
  ride: 'rides',
  swim: 'swims',
  walk: 'walks',
  hike: 'hikes',
  strength: 'strength sessions',
  row: 'rowing sessions',
  ski: 'ski tours',
  other: 'other activities',
};
