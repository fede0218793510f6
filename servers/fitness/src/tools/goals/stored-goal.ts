import { ToolError } from 'toolwright';
import type { ToolContext } from 'toolwright';
import * as z from 'zod';
import type { FitnessContext } from '../../context.ts';
import type { Goal, MeasuredType } from '../../goals/goal.ts';
import { getGoal } from '../../goals/goals.ts';
import { measureGoal } from '../../goals/progress.ts';
import type { MeasuredGoal } from '../../goals/progress.ts';
import type { Source } from '../../providers/source.ts';

export const goalId = z.string().min(1).max(100).describe('From set_goal');

export type MeasurableGoal = Goal & { readonly goal_type: MeasuredType };

/** A goal of the caller, measured by their own provider; the demonstration athlete's without one. */
export async function readMeasuredGoal(
  context: ToolContext<FitnessContext>,
  id: string,
): Promise<{ readonly goal: MeasurableGoal; readonly measured: MeasuredGoal; readonly source: Source }> {
  const goal = getGoal(context.database, context.caller.id, id);
  if (!isMeasurable(goal))
    throw new ToolError(`The server cannot measure the custom goal "${goal.title}".`, {
      suggestions: ['Set a goal of the type distance, time, frequency or performance.'],
    });
  const source = await context.sources.choose({
    name: undefined,
    isFirstEnough: true,
    signal: context.signal,
  });
  return { goal, measured: await measureGoal(goal, source, context.now()), source };
}

function isMeasurable(goal: Goal): goal is MeasurableGoal {
  return goal.goal_type !== 'custom';
}
