import { normalizedPower } from '../algorithms/power/normalized-power.ts';
import { secondsOf } from '../algorithms/streams/seconds.ts';
import type { ActivityStreams } from '../providers/provider.ts';

/** Normalized power of samples, in whole tenths of a watt; null without power, or with less than 30 seconds of it. */
export function normalizedPowerOf({ time_s, power_w }: ActivityStreams): number | null {
  if (power_w === undefined) return null;
  const power = normalizedPower(secondsOf(time_s, power_w));
  return power.ok ? Math.round(power.value * 10) / 10 : null;
}
