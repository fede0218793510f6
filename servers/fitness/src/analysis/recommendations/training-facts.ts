import type { ToolContext } from 'toolwright';
import { weeklyConsistency } from '../../algorithms/patterns/weekly-consistency.ts';
import type { WeeklyConsistency } from '../../algorithms/patterns/weekly-consistency.ts';
import { selectDays } from '../../activities/read-period.ts';
import { athleteFigures } from '../../athlete/athlete-figures.ts';
import type { AthleteFigures } from '../../athlete/athlete-figures.ts';
import type { FitnessContext } from '../../context.ts';
import type { Activity, SleepNight } from '../../providers/provider.ts';
import type { Source } from '../../providers/source.ts';
import { listNights } from '../../sleep/read-nights.ts';
import { getValue } from '../../tools/results/computed.ts';
import { summarizeLoad } from '../load/load-summary.ts';
import type { LoadSummary } from '../load/load-summary.ts';
import { readTrainingLoad } from '../load/training-load-history.ts';
import { listTrainedDays } from '../patterns/whole-weeks.ts';

/** Everything that the rules of recommendations read. */
export interface TrainingFacts {
  readonly athlete: AthleteFigures;
  readonly load: LoadSummary;
  /** Mean load of a week, of the last four. */
  readonly weekly_load: number;
  /** Of the last twelve weeks; null for a shorter history. */
  readonly consistency: WeeklyConsistency | null;
  /** Days with training in a row, up to today or yesterday. */
  readonly days_in_a_row: number;
  /** The oldest first. */
  readonly four_weeks: readonly Activity[];
  readonly half_year: readonly Activity[];
  /** The activity of the call, else the newest one. */
  readonly activity: Activity | undefined;
  /** Of the last two weeks, the oldest first; none if the provider has no sleep. */
  readonly nights: readonly SleepNight[];
  readonly notes: readonly string[];
}

const HALF_YEAR_DAYS = 180;
const TWELVE_WEEKS_DAYS = 84;
const FOUR_WEEKS_DAYS = 28;
const NIGHTS_DAYS = 14;

/** Reads the facts up to today. */
export async function readTrainingFacts(
  context: ToolContext<FitnessContext>,
  source: Source,
  activityId: string | undefined,
): Promise<TrainingFacts> {
  const now = context.now();
  const given = activityId === undefined ? undefined : await source.getActivity(activityId);
  const athlete = await athleteFigures(context, source);
  const load = getValue(await readTrainingLoad({ source, now, days: HALF_YEAR_DAYS, athlete }));
  const { to, activities } = load.period;
  const fourWeeks = selectDays(activities, to - FOUR_WEEKS_DAYS + 1, to);
  const twelveWeeks = selectDays(activities, to - TWELVE_WEEKS_DAYS + 1, to);
  const trained = listTrainedDays(twelveWeeks);
  const consistency = weeklyConsistency(trained);
  const total = load.history.slice(-FOUR_WEEKS_DAYS).reduce((sum, day) => sum + day.load, 0);
  return {
    athlete,
    load: summarizeLoad(load, []),
    weekly_load: total / 4,
    consistency: consistency.ok ? consistency.value : null,
    days_in_a_row: countDaysInARow(trained),
    four_weeks: fourWeeks.activities,
    half_year: activities,
    activity: given ?? activities.at(-1),
    nights: source.has('sleep') ? await listNights(source, { now, days: NIGHTS_DAYS }) : [],
    notes: load.notes,
  };
}

/** Today may still be a day of training. */
function countDaysInARow(trained: readonly boolean[]): number {
  const days = trained.at(-1) === true ? trained : trained.slice(0, -1);
  const rest = days.lastIndexOf(false);
  return days.length - 1 - rest;
}
