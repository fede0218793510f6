import { ToolError } from 'toolwright';
import * as z from 'zod';
import { toActivityRow } from '../../activities/activity-view.ts';
import { readPeriod } from '../../activities/read-period.ts';
import { SPORT_NOUNS } from '../../activities/sport-nouns.ts';
import { raceTime } from '../../algorithms/running/vdot.ts';
import { trainingPaces } from '../../algorithms/running/training-paces.ts';
import { formatDuration, formatPace } from '../../algorithms/units/pace.ts';
import { findBasePerformance } from '../../analysis/prediction/base-performance.ts';
import type { BasePerformance } from '../../analysis/prediction/base-performance.ts';
import { judgeConfidence } from '../../analysis/prediction/confidence.ts';
import { predictTimes } from '../../analysis/prediction/predict-times.ts';
import { athleteFigures } from '../../athlete/athlete-figures.ts';
import { dayOf, findDay, toDate } from '../../calendar/days.ts';
import type { Day } from '../../calendar/days.ts';
import { sportType } from '../arguments.ts';
import { defineProviderTool } from '../define-provider-tool.ts';
import { invalidArgument } from '../invalid-argument.ts';
import { getValue } from '../results/computed.ts';
import { rounded } from '../results/rounded.ts';

const DAYS = 180;
/** Daniels raises VDOT by one after four to six weeks of training. */
const WEEKS_PER_POINT = 6;
const MOST_POINTS = 4;

export const predictPerformance = defineProviderTool({
  name: 'predict_performance',
  title: 'Prediction of a race time',
  description:
    'Predicts the time of a run from one of the best runs of half a year by VDOT (Daniels and Gilbert) and Riegel, with doubts, and training paces. Other sports have no such formula.',
  synonyms: ['race predictor', 'how fast can I run', 'marathon time', 'finish time'],
  hasRows: true,
  arguments: {
    target_sport: sportType,
    target_distance: z.number().min(400).max(100_000).describe('Metres'),
    target_date: z.iso.date().optional().describe('Day of the race; adds the time that training can reach'),
  },
  read: async ({ input: { target_sport, target_distance, target_date }, source, context }) => {
    if (target_sport !== 'run')
      throw new ToolError(
        `Times of ${SPORT_NOUNS[target_sport]} cannot be predicted: VDOT and the exponent of Riegel are fitted to running.`,
        { suggestions: ['Use target_sport "run".'] },
      );
    const now = context.now();
    const weeks = target_date === undefined ? null : weeksUntil(target_date, dayOf(now / 1000));
    const { activities: runs } = await readPeriod({ source, now, days: DAYS, sport_type: 'run' });
    const base = findBasePerformance(runs);
    if (base === undefined)
      throw new ToolError(
        `There is no run of ${DAYS} days that VDOT applies to: 0.8 to 50 km in 3.5 to 240 minutes.`,
      );
    const notes: string[] = [];
    const athlete = await athleteFigures(context, source);
    const { target, others } = predictTimes(base, target_distance, notes);
    if (target.pace === null) throw new ToolError(notes.join(' '));
    return {
      data: {
        target_sport,
        target,
        ...judgeConfidence({ base, runs, target_m: target_distance, athlete, now }),
        vdot: rounded(base.vdot),
        based_on: toActivityRow(base.activity),
        ...(weeks !== null && { with_training: toGoal(base, target_distance, weeks) }),
        equivalent_times: others,
        training_paces: getValue(trainingPaces(base.vdot)).map(({ name, slowest_mps, fastest_mps }) => ({
          name,
          slowest: formatPace(1000 / slowest_mps, 'km'),
          fastest: formatPace(1000 / fastest_mps, 'km'),
        })),
        figures: athlete.list('lthr'),
      },
      notes,
    };
  },
});

function weeksUntil(date: string, today: Day): number {
  const day = findDay(date) ?? 0;
  if (day >= today) return Math.floor((day - today) / 7);
  throw invalidArgument('target_date', `must be today, ${toDate(today)}, or later`);
}

/** The time that training until the race can reach. */
function toGoal(base: BasePerformance, target_m: number, weeks: number): object {
  const points = Math.min(MOST_POINTS, Math.floor(weeks / WEEKS_PER_POINT));
  const time = raceTime(base.vdot + points, target_m);
  return {
    weeks,
    vdot: rounded(base.vdot + points),
    time_s: time.ok ? Math.round(time.value) : null,
    time: time.ok ? formatDuration(time.value) : null,
    reason: `VDOT can rise by 1 in ${WEEKS_PER_POINT} weeks of training (Daniels), here by ${points}.`,
  };
}
