import * as z from 'zod';
import { dayOf, findDay, toDate } from '../../calendar/days.ts';
import { GOAL_TYPES } from '../../goals/goal.ts';
import type { Goal } from '../../goals/goal.ts';
import { insertGoal } from '../../goals/goals.ts';
import { describeMeasure, MEASURES, PERFORMANCE_SPORTS } from '../../goals/measure.ts';
import { sportType } from '../arguments.ts';
import { defineFitnessTool } from '../define-tool.ts';
import { invalidArgument } from '../invalid-argument.ts';

const MAX_DAYS = 1826;

export const setGoal = defineFitnessTool({
  name: 'set_goal',
  title: 'New goal',
  description:
    'Stores a goal and returns its id. target_value is the total until target_date for distance (metres) and time (seconds), activities a week for frequency, and for performance the best of 20 minutes or more: speed in m/s, for rides normalized power in W. custom goals are not measured.',
  synonyms: ['target', 'resolution', 'I want to'],
  effect: 'creates',
  arguments: {
    title: z.string().trim().min(1).max(200),
    goal_type: z.enum(GOAL_TYPES),
    target_value: z.number().min(0.001).max(1_000_000_000),
    target_date: z.iso.date().describe('Last day, at most five years ahead'),
    description: z.string().max(2000).optional(),
    sport_type: sportType.optional().describe('Default: all sports; required for performance'),
  },
  findIssues: ({ goal_type, sport_type }) =>
    goal_type === 'performance' && (sport_type === undefined || !PERFORMANCE_SPORTS.includes(sport_type))
      ? [{ path: ['sport_type'], message: `must be one of ${PERFORMANCE_SPORTS.join(', ')} for performance` }]
      : [],
  run: ({ input, context }) => {
    const { description = null, sport_type = null, ...draft } = input;
    const now = context.now();
    assertAhead(draft.target_date, now);
    const goal: Goal = { goal_id: crypto.randomUUID(), ...draft, description, sport_type, created_at: now };
    insertGoal(context.database, context.caller.id, goal);
    return { data: toGoalData(goal) };
  },
});

/** A goal in members of a result. */
export function toGoalData({ created_at, ...goal }: Goal): object {
  const { goal_type, sport_type } = goal;
  return {
    ...goal,
    unit: goal_type === 'custom' ? null : MEASURES[goal_type].unit(sport_type),
    measured_by: describeMeasure(goal_type, sport_type),
    created_at: new Date(created_at).toISOString(),
  };
}

function assertAhead(date: string, now: number): void {
  const today = dayOf(now / 1000);
  const day = findDay(date) ?? 0;
  if (day > today && day <= today + MAX_DAYS) return;
  const message = `must be from ${toDate(today + 1)} to ${toDate(today + MAX_DAYS)}`;
  throw invalidArgument('target_date', message);
}
