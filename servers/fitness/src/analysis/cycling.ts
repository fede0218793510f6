import { SPORT_NOUNS } from '../activities/sport-nouns.ts';
import { refused } from '../algorithms/computed.ts';
import type { Refused } from '../algorithms/computed.ts';
import type { Activity } from '../providers/provider.ts';

/** FTP is a figure of cycling: power of other sports has another threshold. Undefined for rides. */
export function refuseOtherSports({ sport_type }: Activity): Refused | undefined {
  return sport_type === 'ride' ? undefined : refused(`FTP does not apply to ${SPORT_NOUNS[sport_type]}.`);
}
