import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import type { Goal } from '../../src/goals/goal.ts';
import { getGoal, insertGoal } from '../../src/goals/goals.ts';

const folder = mkdtempSync(join(tmpdir(), 'fitness-goals-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a goal is the same after the database was closed and opened', () => {
  const goal: Goal = {
    goal_id: 'g1',
    title: 'Run 200 km',
    goal_type: 'distance',
    target_value: 200_000.5,
    target_date: '2026-12-31',
    description: null,
    sport_type: 'run',
    created_at: 1_795_003_200_000,
  };
  const file = join(folder, 'goals.db');
  const first = openDatabase(file);
  insertGoal(first, 'ann', goal);
  first.close();
  const second = openDatabase(file);
  expect(getGoal(second, 'ann', 'g1')).toEqual(goal);
  expect(() => getGoal(second, 'bob', 'g1')).toThrow('Unknown goal "g1".');
  second.close();
});
