import type { Computed } from '../algorithms/computed.ts';
import { sleepScore } from '../algorithms/sleep/sleep-score.ts';
import type { SleepScore } from '../algorithms/sleep/sleep-score.ts';
import type { SleepStages } from '../algorithms/sleep/stages-score.ts';
import type { SleepNight } from '../providers/provider.ts';

/** The stages of a night; null unless all of them were measured. */
export function stagesOf(night: SleepNight): SleepStages | null {
  const { deep_sleep_hours, rem_sleep_hours, light_sleep_hours } = night;
  if (deep_sleep_hours === null || rem_sleep_hours === null || light_sleep_hours === null) return null;
  return { deep_hours: deep_sleep_hours, rem_hours: rem_sleep_hours, light_hours: light_sleep_hours };
}

export function scoreNight(night: SleepNight): Computed<SleepScore> {
  const { duration_hours, efficiency_percent } = night;
  return sleepScore({ duration_hours, efficiency_percent, stages: stagesOf(night) });
}
