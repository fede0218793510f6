import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';

/** Rise of chronic load within the last seven days. `ctls` has one value a day and ends with today. */
export function rampRate(ctls: readonly number[]): Computed<number> {
  const today = ctls.at(-1);
  const before = ctls.at(-8);
  if (today === undefined || before === undefined) {
    return refused(`The ramp rate needs eight days of chronic load; there are ${ctls.length}.`);
  }
  return computed(today - before);
}
