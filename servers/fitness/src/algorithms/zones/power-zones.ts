import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';
import { limited } from '../physiological-limits.ts';
import type { Zone } from './zone.ts';

const SHARES: readonly number[] = [0, 0.55, 0.75, 0.9, 1.05];

/** Five zones at 55, 75, 90 and 105 % of functional threshold power (Coggan's levels 1 to 4, and all above). */
export function powerZones(ftp_w: number): Computed<readonly Zone[]> {
  return computeWithin([limited('ftp', ftp_w)], () =>
    ([1, 2, 3, 4, 5] as const).map((zone) => {
      const upper = SHARES[zone];
      return { zone, min: (SHARES[zone - 1] ?? 0) * ftp_w, max: upper === undefined ? null : upper * ftp_w };
    }),
  );
}
