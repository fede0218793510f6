import type { Migration } from '../migration.ts';

export const rateWindowsMigration: Migration = {
  name: '0004-rate-windows',
  sql: `
  -- Windows of rate limits: 'count' calls were allowed, and the window ends at 'ends_at', in milliseconds since 1970.
  CREATE TABLE rate_windows (
    key TEXT PRIMARY KEY, ends_at INTEGER NOT NULL, count INTEGER NOT NULL, is_blocked INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX rate_windows_by_end ON rate_windows (is_blocked, ends_at);
  `,
};
