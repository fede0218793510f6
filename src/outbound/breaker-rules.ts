import type { BreakerOptions } from '../base/time/circuit-breaker.ts';
import { MAX_TIMER_MS, numberFrom, wholeNumber } from '../errors/options/rules.ts';
import type { Rules } from '../errors/options/rules.ts';

export const BREAKER_RULES: Rules<keyof BreakerOptions> = {
  failures: wholeNumber(1),
  restMs: numberFrom(0, MAX_TIMER_MS),
};
