import { createHash } from 'node:crypto';
import type { Database } from '../database/database.ts';

/** The owner of an access token. */
export interface User {
  readonly id: string;
  readonly default_plan_id: string | null;
  readonly last_plan_id: string | null;
}

/** Tokens are stored as digests, so the file does not grant access. */
export function toDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export function findUser(database: Database, digest: string): User | undefined {
  return database.first<User>(
    'SELECT id, default_plan_id, last_plan_id FROM users WHERE token_digest = ?',
    digest,
  );
}
