import { refused } from '../../algorithms/computed.ts';
import type { Computed } from '../../algorithms/computed.ts';
import { heartRateStressScore } from '../../algorithms/load/heart-rate-stress.ts';
import { trainingStressScore } from '../../algorithms/load/training-stress.ts';
import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import type { Activity } from '../../providers/provider.ts';
import { refuseOtherSports } from '../cycling.ts';

/** Training stress score of a ride with power. */
export function powerLoad(activity: Activity, athlete: AthleteFigures): Computed<number> {
  const { normalized_power_w, moving_time_s } = activity;
  const other = refuseOtherSports(activity);
  if (other !== undefined) return other;
  if (normalized_power_w === null) return refused('The activity has no power data.');
  const figures = athlete.require('ftp');
  if (!figures.ok) return figures;
  return trainingStressScore({ duration_s: moving_time_s, normalized_power_w, ftp_w: figures.value.ftp });
}

/** Training stress score of heart rate. */
export function heartRateLoad(activity: Activity, athlete: AthleteFigures): Computed<number> {
  const { average_heart_rate, moving_time_s } = activity;
  if (average_heart_rate === null) return refused('The activity has no heart rate data.');
  const figures = athlete.require('lthr');
  if (!figures.ok) return figures;
  return heartRateStressScore({
    duration_s: moving_time_s,
    average_hr: average_heart_rate,
    lthr: figures.value.lthr,
  });
}

/** The load of an activity: TSS by normalized power, else hrTSS. */
export function activityLoad(activity: Activity, athlete: AthleteFigures): Computed<number> {
  const byPower = powerLoad(activity, athlete);
  return byPower.ok ? byPower : heartRateLoad(activity, athlete);
}
