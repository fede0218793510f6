import { ToolError } from 'toolwright';
import type { Database } from '../database/database.ts';
import type { Goal } from './goal.ts';

const MAX_GOALS = 200;
const MAX_NAMED = 10;
const COLUMNS = 'goal_id, title, goal_type, target_value, target_date, description, sport_type, created_at';

/** Stores a goal. Rejects if the owner has too many. */
export function insertGoal(database: Database, owner: string, goal: Goal): void {
  database.write(() => {
    const row = database.first<{ count: number }>(
      'SELECT count(*) AS count FROM goals WHERE owner = ?',
      owner,
    );
    if ((row?.count ?? 0) >= MAX_GOALS)
      throw new ToolError(`You have ${MAX_GOALS} goals, which is the limit.`, {
        suggestions: ['Track one of them with track_progress.'],
      });
    database.insert('goals', { ...goal, owner });
  });
}

/** A goal of the owner: the id of another owner's goal is unknown. */
export function getGoal(database: Database, owner: string, goalId: string): Goal {
  const sql = `SELECT ${COLUMNS} FROM goals WHERE goal_id = ? AND owner = ?`;
  const goal = database.first<Goal>(sql, goalId, owner);
  if (goal !== undefined) return goal;
  throw new ToolError(`Unknown goal "${goalId}".`, { suggestions: [suggestGoals(database, owner)] });
}

/** No tool lists goals, so the error does. */
function suggestGoals(database: Database, owner: string): string {
  const sql = `SELECT ${COLUMNS} FROM goals WHERE owner = ? ORDER BY id DESC LIMIT ${MAX_NAMED}`;
  const goals = database.all<Goal>(sql, owner);
  if (goals.length === 0) return 'Set a goal with set_goal.';
  return `Your newest goals: ${goals.map(({ goal_id, title }) => `${goal_id} (${title})`).join(', ')}.`;
}
