import { refused } from '../../algorithms/computed.ts';
import type { Computed } from '../../algorithms/computed.ts';
import { heartRateStressScore } from '../../algorithms/load/heart-rate-stress.ts';
import { trainingStressScore } from '../../algorithms/load/training-stress.ts';
import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import type { Activity } from '../../providers/provider.ts';

/** Training stress score of a ride with power: FTP is a figure of cycling, so power of other sports is not used. */
export function powerLoad(activity: Activity, athlete: AthleteFigures): Computed<number> {
  const { sport_type, normalized_power_w, moving_time_s } = activity;
  if (sport_type !== 'ride')
    return refused(`TSS by power is for rides: FTP is not the threshold of a ${sport_type}.`);
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
