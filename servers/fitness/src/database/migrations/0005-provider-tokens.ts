import type { Migration } from '../migration.ts';

export const providerTokensMigration: Migration = {
  name: '0005-provider-tokens',
  sql: `
  -- 'sealed' is encrypted with FITNESS_KEY.
  CREATE TABLE provider_tokens (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, provider TEXT NOT NULL, sealed TEXT NOT NULL,
    PRIMARY KEY (user_id, provider)
  ) STRICT, WITHOUT ROWID;
  `,
};
