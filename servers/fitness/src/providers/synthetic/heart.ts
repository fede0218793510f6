import { BODY } from './athlete.ts';

export interface HeartConditions {
  /** Temperature of the air, in °C. */
  readonly temperature_c: number;
  /** Extra beats per minute of the day, for example after an illness. */
  readonly offset: number;
}

const SLOWNESS_S = 28;

/** Heart rate that follows the effort with a delay, drifts upwards with time and rises with heat. */
export function createHeart({
  temperature_c,
  offset,
}: HeartConditions): (effort: number, elapsed_s: number) => number {
  const { resting_heart_rate: resting, lactate_threshold_heart_rate: threshold } = BODY;
  const heat = 0.3 * Math.max(0, temperature_c - 20);
  let rate = resting + 32;
  return (effort, elapsed_s) => {
    const drift = 1 + (0.025 * elapsed_s) / 3600;
    const steady = resting + (threshold - resting) * (0.28 + 0.72 * effort) * drift + heat + offset;
    rate += (Math.min(BODY.max_heart_rate - 1, steady) - rate) / SLOWNESS_S;
    return Math.round(rate);
  };
}
