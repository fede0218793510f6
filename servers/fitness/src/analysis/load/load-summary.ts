import { formStatus } from '../../algorithms/load/form-status.ts';
import { trainingMonotony } from '../../algorithms/load/monotony.ts';
import { overtrainingSigns } from '../../algorithms/load/overtraining-signs.ts';
import { rampRate } from '../../algorithms/load/ramp-rate.ts';
import { workloadRatio } from '../../algorithms/load/workload-ratio.ts';
import { toNullable } from '../../tools/results/computed.ts';
import { rounded } from '../../tools/results/rounded.ts';
import { daysSinceFirstLoad } from './training-load-history.ts';
import type { LoadHistory } from './training-load-history.ts';

/** The state of an athlete today, in members of a result. Values that cannot be computed are null, with a note. */
export interface LoadSummary {
  readonly fitness_ctl: number;
  readonly fatigue_atl: number;
  readonly form_tsb: number;
  readonly form_status: string;
  /** Rise of fitness in seven days. */
  readonly ramp_rate: number | null;
  /** Mean load of 7 days over that of 28 days. */
  readonly workload_ratio: number | null;
  readonly workload_range: string | null;
  readonly load_of_7_days: number;
  readonly monotony: number | null;
  readonly strain: number | null;
  readonly overtraining_risk: string;
  readonly signs: readonly string[];
}

/** Summarizes the load up to today. */
export function summarizeLoad(load: LoadHistory, notes: string[]): LoadSummary {
  const { history } = load;
  const known = daysSinceFirstLoad(load);
  const week = history.slice(-7).map((day) => day.load);
  const today = history.at(-1) ?? { ctl: 0, atl: 0, tsb: 0 };
  const ratio = toNullable('workload_ratio', workloadRatio(known.map((day) => day.load)), notes);
  const monotony = toNullable('monotony', trainingMonotony(week), notes);
  const ramp = toNullable('ramp_rate', rampRate(known.map(({ ctl }) => ctl)), notes);
  const { risk, signs } = overtrainingSigns(today);
  return {
    fitness_ctl: rounded(today.ctl),
    fatigue_atl: rounded(today.atl),
    form_tsb: rounded(today.tsb),
    form_status: formStatus(today.tsb),
    ramp_rate: ramp === null ? null : rounded(ramp),
    workload_ratio: ratio && rounded(ratio.ratio, 2),
    workload_range: ratio && ratio.range,
    load_of_7_days: rounded(week.reduce((sum, each) => sum + each, 0)),
    monotony: monotony && rounded(monotony.monotony, 2),
    strain: monotony && rounded(monotony.strain),
    overtraining_risk: risk,
    signs,
  };
}
