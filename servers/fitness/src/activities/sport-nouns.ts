import type { SportType } from '../providers/provider.ts';

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
