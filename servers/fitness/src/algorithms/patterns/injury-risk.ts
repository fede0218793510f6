import { computed, refused } from '../computed.ts';
import type { Computed } from '../computed.ts';
import { trainingMonotony } from '../load/monotony.ts';
import { rampRate } from '../load/ramp-rate.ts';
import { trainingLoad } from '../load/training-load.ts';
import { workloadRatio } from '../load/workload-ratio.ts';

export interface InjuryRisk {
  readonly risk: 'low' | 'moderate' | 'high';
  readonly workload_ratio: number;
  /** Rise of chronic load in the last seven days. */
  readonly ramp_rate: number;
  /** Null if the last week has no training, or equal loads every day. */
  readonly monotony: number | null;
  readonly signs: readonly string[];
}

/**
 * Signs of a raised risk of injury: a workload ratio above 1.3 (Gabbett), a rise of chronic load of more than 8 a week,
 * and a monotony above 2 (Foster). A ratio above 1.5 alone is a high risk. `dailyLoads` ends with today.
 */
export function injuryRisk(dailyLoads: readonly number[]): Computed<InjuryRisk> {
  const ratio = workloadRatio(dailyLoads);
  if (!ratio.ok) return ratio;
  const load = trainingLoad(dailyLoads, startOf(dailyLoads));
  if (!load.ok) return refused(load.reason);
  const ramp = rampRate(load.value.map(({ ctl }) => ctl));
  if (!ramp.ok) return ramp;
  const week = trainingMonotony(dailyLoads.slice(-7));
  const monotony = week.ok ? week.value.monotony : null;
  const signs: string[] = [];
  if (ratio.value.ratio > 1.3) {
    signs.push(
      `Load of the last week is ${ratio.value.ratio.toFixed(2)} times the average of four weeks (above 1.3).`,
    );
  }
  if (ramp.value > 8) signs.push(`Chronic load rose by ${ramp.value.toFixed(1)} in a week (more than 8).`);
  if (monotony !== null && monotony > 2) {
    signs.push(`Training was monotonous: ${monotony.toFixed(1)} (above 2).`);
  }
  const high = ratio.value.range === 'high' || signs.length > 1;
  return computed({
    risk: high ? 'high' : signs.length === 1 ? 'moderate' : 'low',
    workload_ratio: ratio.value.ratio,
    ramp_rate: ramp.value,
    monotony,
    signs,
  });
}

/** Chronic load before the first day is unknown; the mean of the first week is nearer to it than 0. */
function startOf(dailyLoads: readonly number[]): { initial_ctl: number; initial_atl: number } {
  let sum = 0;
  for (const load of dailyLoads.slice(0, 7)) sum += load;
  return { initial_ctl: sum / 7, initial_atl: sum / 7 };
}
