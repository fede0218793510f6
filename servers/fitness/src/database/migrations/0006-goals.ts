import type { Migration } from '../migration.ts';

export const goalsMigration: Migration = {
  name: '0006-goals',
  sql: `
  -- 'target_date' is YYYY-MM-DD; 'created_at' is in milliseconds. Progress is computed from activities when it is read.
  CREATE TABLE goals (
    id INTEGER PRIMARY KEY, goal_id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, title TEXT NOT NULL, goal_type TEXT NOT NULL,
    target_value REAL NOT NULL, target_date TEXT NOT NULL, description TEXT, sport_type TEXT, created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX goals_of_owner ON goals (owner, id);
  `,
};
