import type { Migration } from '../migration.ts';

export const sharedRateLimitsMigration: Migration = {
  name: '0008-shared-rate-limits',
  sql: `
  -- Calls are counted by the stores of Toolwright, in tables of their own.
  DROP TABLE rate_windows;
  `,
};
