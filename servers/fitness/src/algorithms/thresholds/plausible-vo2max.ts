import { computeWithin } from '../bounds.ts';
import { refused } from '../computed.ts';
import type { Computed } from '../computed.ts';

/** Refuses an estimate that nobody has: each input can be possible where all of them together are not. */
export function plausibleVo2max(estimate: Computed<number>): Computed<number> {
  if (!estimate.ok) return estimate;
  const checked = computeWithin(
    [{ name: 'The estimate of VO2max', value: estimate.value, min: 10, max: 90, unit: 'ml/kg/min' }],
    () => estimate.value,
  );
  return checked.ok ? checked : refused(`${checked.reason} Check the values of the test.`);
}
