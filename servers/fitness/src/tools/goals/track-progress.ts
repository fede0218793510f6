import { progressOf } from '../../goals/progress.ts';
import type { MeasuredGoal } from '../../goals/progress.ts';
import { defineFitnessTool } from '../define-tool.ts';
import { rounded } from '../results/rounded.ts';
import { toGoalData } from './set-goal.ts';
import { goalId, readMeasuredGoal } from './stored-goal.ts';
import type { MeasurableGoal } from './stored-goal.ts';

export const trackProgress = defineFitnessTool({
  name: 'track_progress',
  title: 'Progress of a goal',
  description:
    'Measures a goal by your activities: progress and time in percent, status (reached, ahead, on_track, behind, missed), and the value that this pace reaches.',
  synonyms: ['how close am I', 'goal status', 'on track'],
  effect: 'reads',
  isOpenWorld: true,
  arguments: { goal_id: goalId },
  run: async ({ input: { goal_id }, context }) => {
    const { goal, measured, source } = await readMeasuredGoal(context, goal_id);
    const { percent, time_percent, status, projected } = progressOf(goal, measured, context.now());
    return {
      data: {
        provider: source.provider,
        status,
        progress_percent: rounded(percent),
        time_percent: rounded(time_percent),
        start_value: rounded(measured.start, 2),
        current_value: rounded(measured.current, 2),
        projected_value: projected === null ? null : rounded(projected, 2),
        days_left: measured.days_left,
        needed_per_week: neededPerWeek(goal, measured),
        goal: toGoalData(goal),
      },
      notes: source.notes,
    };
  },
});

/** The value that a total needs in each week that is left; null for other goals and after the last day. */
function neededPerWeek(
  { goal_type, target_value }: MeasurableGoal,
  { current, days_left }: MeasuredGoal,
): number | null {
  if ((goal_type !== 'distance' && goal_type !== 'time') || days_left < 0) return null;
  return rounded((7 * Math.max(0, target_value - current)) / Math.max(1, days_left), 0);
}
