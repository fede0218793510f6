import type { ToolContext } from 'toolwright';
import { recoveryScore } from '../algorithms/sleep/recovery-score.ts';
import { meanOf } from '../algorithms/statistics/spread.ts';
import { toDate } from '../calendar/days.ts';
import type { Day } from '../calendar/days.ts';
import type { FitnessContext } from '../context.ts';
import type { ProviderName } from '../providers/providers.ts';
import { hrvState } from '../sleep/hrv-state.ts';
import type { HrvState } from '../sleep/hrv-state.ts';
import { readNights } from '../sleep/read-nights.ts';
import { scoreNight } from '../sleep/score-night.ts';
import { rounded } from '../tools/results/rounded.ts';

/** Sleep of the last days; not rounded. */
export interface SleepState {
  readonly sleep_provider: string | null;
  /** The newest night. */
  readonly night: string;
  readonly sleep_score: number | null;
  /** Number of nights of the last seven days that have a score, and the mean of their scores. */
  readonly nights: number;
  readonly mean_sleep_score: number | null;
  readonly hrv: HrvState | null;
}

/** Sleep beside the analysis of training. */
export interface SleepContext {
  readonly sleep: SleepState;
  readonly notes: readonly string[];
}

/** Days that the HRV baseline is the mean of. */
const BASELINE_DAYS = 14;
const MEAN_DAYS = 7;

/** Sleep of a provider up to today. */
export async function readSleepContext(
  context: ToolContext<FitnessContext>,
  name: ProviderName,
  today: Day,
): Promise<SleepContext> {
  const slept = await readNights(context, { name, days: BASELINE_DAYS });
  const scores = slept.nights.flatMap((night) => {
    const score = scoreNight(night);
    return score.ok ? [{ date: night.date, score: score.value.score }] : [];
  });
  const since = toDate(today - MEAN_DAYS + 1);
  const week = scores.filter(({ date }) => date >= since).map(({ score }) => score);
  const mean = meanOf(week);
  const last = scores.find(({ date }) => date === slept.newest.date);
  const notes: string[] = [];
  const hrv = hrvState({ nights: slept.nights }, notes);
  const sleep = {
    sleep_provider: slept.provider,
    night: slept.newest.date,
    sleep_score: last?.score ?? null,
    nights: week.length,
    mean_sleep_score: mean ?? null,
    hrv,
  };
  return { sleep, notes: [...slept.notes, ...notes] };
}

/** Recovery today, in members of a result. Null if the newest night is not the last one. */
export function toRecovery({ night, sleep_score, hrv }: SleepState, tsb: number, today: Day): object {
  const isRecent = night >= toDate(today - 1);
  const score =
    sleep_score === null || !isRecent
      ? undefined
      : recoveryScore({ tsb, sleep_score, hrv_score: hrv?.score ?? null });
  return score?.ok
    ? { recovery_score: rounded(score.value.score), recovery_category: score.value.category }
    : { recovery_score: null, recovery_category: null };
}
