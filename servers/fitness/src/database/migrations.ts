import type { Migration } from './migration.ts';
import { foodsMigration } from './migrations/0001-foods.ts';
import { recipesMigration } from './migrations/0002-recipes.ts';
import { accountsMigration } from './migrations/0003-accounts.ts';
import { rateWindowsMigration } from './migrations/0004-rate-windows.ts';
import { providerTokensMigration } from './migrations/0005-provider-tokens.ts';
import { goalsMigration } from './migrations/0006-goals.ts';
import { configurationMigration } from './migrations/0007-configuration.ts';
import { sharedRateLimitsMigration } from './migrations/0008-shared-rate-limits.ts';

/** The position in this list is the version of the file: append, never edit. Each migration is one file in `migrations/`. */
export const MIGRATIONS: readonly Migration[] = [
  foodsMigration,
  recipesMigration,
  accountsMigration,
  rateWindowsMigration,
  providerTokensMigration,
  goalsMigration,
  configurationMigration,
  sharedRateLimitsMigration,
];
