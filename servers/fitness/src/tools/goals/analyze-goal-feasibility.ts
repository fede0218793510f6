import { ToolError } from 'toolwright';
import { dayOf, toDate } from '../../calendar/days.ts';
import { feasibleDays, judgeGoal, reachableTarget } from '../../goals/feasibility.ts';
import type { JudgedGoal } from '../../goals/feasibility.ts';
import { MEASURES } from '../../goals/measure.ts';
import type { MeasuredGoal } from '../../goals/progress.ts';
import { defineFitnessTool } from '../define-tool.ts';
import { getValue } from '../results/computed.ts';
import { rounded } from '../results/rounded.ts';
import { toGoalData } from './set-goal.ts';
import { goalId, readMeasuredGoal } from './stored-goal.ts';
import type { MeasurableGoal } from './stored-goal.ts';

export const analyzeGoalFeasibility = defineFitnessTool({
  name: 'analyze_goal_feasibility',
  title: 'Feasibility of a goal',
  description:
    'Decides whether a goal can be reached: an improvement of 10 % a month is feasible. If it is not, returns the target and the date that are.',
  synonyms: ['realistic', 'achievable', 'too ambitious'],
  effect: 'reads',
  isOpenWorld: true,
  arguments: { goal_id: goalId },
  run: async ({ input: { goal_id }, context }) => {
    const { goal, measured, source } = await readMeasuredGoal(context, goal_id);
    const { current, level, days_left } = measured;
    const isReached = current >= goal.target_value;
    if (days_left < 0 && !isReached)
      throw new ToolError(`The goal "${goal.title}" was due on ${goal.target_date}.`, {
        suggestions: ['Call track_progress for the value that was reached.'],
      });
    if (level <= 0 && !isReached)
      throw new ToolError(
        `There is no activity that the goal "${goal.title}" is measured by, so there is no level to start from.`,
        {
          suggestions: ['Record some activities first.'],
        },
      );
    const today = dayOf(context.now() / 1000);
    const data = { provider: source.provider, current_value: rounded(current, 2), days_left };
    if (isReached)
      return {
        data: { feasible: true, reason: 'The goal is reached.', ...data, goal: toGoalData(goal) },
        notes: source.notes,
      };
    const judged = getValue(judgeGoal(goal, measured, days_left));
    return {
      data: {
        feasible: judged.feasibility.feasible,
        reason: explain(goal, measured, judged),
        ...data,
        required_percent_per_month: rounded(judged.feasibility.required_percent_per_month),
        ...(judged.feasibility.feasible ? {} : suggest(goal, measured, today)),
        goal: toGoalData(goal),
      },
      notes: source.notes,
    };
  },
});

function explain(goal: MeasurableGoal, { level }: MeasuredGoal, { feasibility, needed }: JudgedGoal): string {
  const { kind, unit } = MEASURES[goal.goal_type];
  const suffix = `${unit(goal.sport_type)}${kind === 'total' ? ' a week' : ''}`;
  const percent = feasibility.required_percent_per_month.toFixed(1);
  return `The goal needs ${format(needed)} ${suffix}, and you have ${format(level)} ${suffix}: +${percent} % a month, where 10 % are feasible.`;
}

function format(value: number): string {
  return String(rounded(value, value >= 100 ? 0 : 2));
}

/** The target that is feasible in time, and the date that is feasible for the target. */
function suggest(goal: MeasurableGoal, measured: MeasuredGoal, today: number): object {
  const target = reachableTarget(goal.goal_type, measured, measured.days_left);
  const days = feasibleDays(goal, measured);
  return {
    feasible_target_value: target.ok ? rounded(target.value, target.value >= 100 ? 0 : 2) : null,
    feasible_target_date: days === null ? null : toDate(today + days),
  };
}
