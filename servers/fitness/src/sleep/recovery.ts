import { ToolError } from 'toolwright';
import type { ToolContext } from 'toolwright';
import { readTrainingLoad } from '../analysis/load/training-load-history.ts';
import { athleteFigures } from '../athlete/athlete-figures.ts';
import type { FigureRow } from '../athlete/athlete-figures.ts';
import { RECOVERY_WEIGHTS, recoveryScore } from '../algorithms/sleep/recovery-score.ts';
import type { RecoveryScore } from '../algorithms/sleep/recovery-score.ts';
import { dayOf, findDay } from '../calendar/days.ts';
import type { AthleteSources } from '../configuration/athlete-values.ts';
import type { FitnessContext } from '../context.ts';
import type { ProviderName } from '../providers/providers.ts';
import { getValue } from '../tools/results/computed.ts';
import { roundRow } from '../tools/results/rounded.ts';
import { hrvState } from './hrv-state.ts';
import type { HrvState } from './hrv-state.ts';
import { readNights } from './read-nights.ts';
import type { GivenNight } from './read-nights.ts';
import { scoreNight } from './score-night.ts';

/** Days that the HRV baseline is the mean of. */
const BASELINE_DAYS = 14;
/** A night before the last one says nothing about today. */
const MAX_AGE_DAYS = 1;

export interface RecoveryRequest {
  readonly activity_provider?: ProviderName | undefined;
  readonly sleep_provider?: ProviderName | undefined;
  readonly sleep_data?: GivenNight | undefined;
  readonly user_config?: AthleteSources['given'];
  readonly recent_hrv_values?: readonly number[] | undefined;
  readonly baseline_hrv?: number | undefined;
}

/** One part of the score. Its share of the score is `weight_percent`. */
export interface RecoveryPart {
  readonly part: 'form' | 'sleep' | 'hrv';
  readonly value: number;
  readonly unit: string;
  readonly score: number;
  readonly weight_percent: number;
}

export interface Recovery {
  readonly recovery: RecoveryScore;
  readonly sleep_score: number;
  readonly tsb: number;
  readonly providers: { readonly activity_provider: string; readonly sleep_provider: string | null };
  readonly night: string;
  readonly parts: readonly RecoveryPart[];
  readonly hrv: HrvState | null;
  readonly figures: readonly FigureRow[];
  readonly notes: readonly string[];
}

/** Recovery of today: form from activities, and sleep and HRV of the last night. */
export async function readRecovery(
  context: ToolContext<FitnessContext>,
  request: RecoveryRequest,
): Promise<Recovery> {
  const { sleep_data, sleep_provider, recent_hrv_values, baseline_hrv } = request;
  const source = await context.sources.choose({ name: request.activity_provider, signal: context.signal });
  const athlete = await athleteFigures(context, source, request.user_config);
  const load = getValue(await readTrainingLoad({ source, now: context.now(), days: 1, athlete }));
  const tsb = load.days.at(-1)?.tsb ?? 0;
  const slept = await readNights(context, {
    given: sleep_data && [sleep_data],
    name: sleep_provider,
    days: BASELINE_DAYS,
  });
  assertRecent(slept.newest.date, context.now());
  const notes: string[] = [];
  const hrv = hrvState({ nights: slept.nights, recent: recent_hrv_values, baseline: baseline_hrv }, notes);
  const sleep = getValue(scoreNight(slept.newest));
  const hrv_score = hrv?.score ?? null;
  const recovery = getValue(recoveryScore({ tsb, sleep_score: sleep.score, hrv_score }));
  return {
    recovery,
    sleep_score: sleep.score,
    tsb,
    providers: { activity_provider: source.provider, sleep_provider: slept.provider },
    night: slept.newest.date,
    parts: weigh([
      { part: 'form', value: tsb, unit: 'TSB', score: recovery.form_score },
      { part: 'sleep', value: slept.newest.duration_hours, unit: 'h', score: sleep.score },
      ...(hrv === null ? [] : [{ part: 'hrv', value: hrv.rmssd_ms, unit: 'ms', score: hrv.score } as const]),
    ]),
    hrv,
    figures: athlete.list('ftp', 'lthr'),
    notes: [...new Set([...source.notes, ...slept.notes, ...load.notes, ...notes])],
  };
}

/** Without HRV, the parts have other weights. */
function weigh(parts: readonly Omit<RecoveryPart, 'weight_percent'>[]): readonly RecoveryPart[] {
  const hasHrv = parts.some(({ part }) => part === 'hrv');
  const weights = hasHrv ? RECOVERY_WEIGHTS.with_hrv : RECOVERY_WEIGHTS.without_hrv;
  return parts.map((row) => ({ ...roundRow(row), weight_percent: Math.round(100 * weights[row.part]) }));
}

function assertRecent(date: string, now: number): void {
  const age = dayOf(now / 1000) - (findDay(date) ?? 0);
  if (age <= MAX_AGE_DAYS) return;
  throw new ToolError(`The newest night is of ${date}: recovery needs the last night.`, {
    suggestions: ['Give the last night as sleep_data.'],
  });
}
