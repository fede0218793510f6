import type { Migration } from '../migration.ts';

export const configurationMigration: Migration = {
  name: '0007-configuration',
  sql: `
  -- 'document' is JSON in both tables: the zones and thresholds of an athlete, and the changed parameters.
  CREATE TABLE fitness_configs (
    owner TEXT NOT NULL, name TEXT NOT NULL, document TEXT NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (owner, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE user_configurations (
    owner TEXT PRIMARY KEY, profile TEXT NOT NULL, document TEXT NOT NULL, updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
};
