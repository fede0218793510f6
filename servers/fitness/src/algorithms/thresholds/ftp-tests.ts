import { computeWithin } from '../bounds.ts';
import type { Computed } from '../computed.ts';

/**
 * Share of the measured power that is functional threshold power: 95 % of 20 minutes (Allen and Coggan), 90 % of
 * 8 minutes (Carmichael), 75 % of the best minute of a ramp test, all of 60 minutes.
 */
const SHARES = { twenty_minutes: 0.95, eight_minutes: 0.9, ramp: 0.75, sixty_minutes: 1 } as const;

export type FtpTest = keyof typeof SHARES;

/** Functional threshold power in watts, from the average power of the test (of the best minute for `ramp`). */
export function ftpFromTest(test: FtpTest, power_w: number): Computed<number> {
  const share = SHARES[test];
  return computeWithin(
    // Bounds whose FTP is within 50 to 600 W.
    [
      {
        name: 'Power of the test',
        value: power_w,
        min: Math.ceil(50 / share),
        max: Math.floor(600 / share),
        unit: 'W',
      },
    ],
    () => share * power_w,
  );
}
