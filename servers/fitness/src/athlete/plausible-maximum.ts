import { PHYSIOLOGICAL_LIMITS } from '../algorithms/physiological-limits.ts';
import type { Activity } from '../providers/provider.ts';

/** The highest heart rate of an activity. Null if it is implausible: sensors without contact send such values. */
export function plausibleMaximum({ max_heart_rate: highest }: Activity): number | null {
  const { min, max } = PHYSIOLOGICAL_LIMITS.max_hr;
  return highest !== null && highest >= min && highest <= max ? highest : null;
}
