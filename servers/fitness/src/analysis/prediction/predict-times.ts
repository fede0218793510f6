import { riegelTime } from '../../algorithms/running/riegel.ts';
import { raceTime } from '../../algorithms/running/vdot.ts';
import { formatDuration, formatPace } from '../../algorithms/units/pace.ts';
import type { BasePerformance } from './base-performance.ts';

/** Predicted times over one distance; null where a formula does not hold. */
export interface PredictedTime {
  readonly distance_m: number;
  readonly vdot_time_s: number | null;
  readonly vdot_time: string | null;
  readonly riegel_time_s: number | null;
  readonly riegel_time: string | null;
  /** By VDOT, else by Riegel. */
  readonly pace: string | null;
}

/** Race distances in metres. */
const DISTANCES_M = [1500, 3000, 5000, 10_000, 21_097.5, 42_195];

/** Predictions for the target and the usual race distances, the shortest first, with a note for each formula that does not hold. */
export function predictTimes(
  base: BasePerformance,
  target_m: number,
  notes: string[],
): { readonly target: PredictedTime; readonly others: readonly PredictedTime[] } {
  const predict = (distance_m: number, reasons: string[]): PredictedTime => {
    const byVdot = raceTime(base.vdot, distance_m);
    const byRiegel = riegelTime(
      { distance_m: base.distance_m, time_s: base.activity.moving_time_s },
      distance_m,
    );
    if (!byVdot.ok) reasons.push(`vdot: ${byVdot.reason}`);
    if (!byRiegel.ok) reasons.push(`riegel: ${byRiegel.reason}`);
    const [vdotTime, riegel] = [byVdot.ok ? byVdot.value : null, byRiegel.ok ? byRiegel.value : null];
    const best = vdotTime ?? riegel;
    return {
      distance_m,
      vdot_time_s: vdotTime && Math.round(vdotTime),
      vdot_time: vdotTime === null ? null : formatDuration(vdotTime),
      riegel_time_s: riegel && Math.round(riegel),
      riegel_time: riegel === null ? null : formatDuration(riegel),
      pace: best === null ? null : formatPace((1000 * best) / distance_m, 'km'),
    };
  };
  return {
    target: predict(target_m, notes),
    others: DISTANCES_M.filter((distance) => distance !== target_m).map((distance) => predict(distance, [])),
  };
}
