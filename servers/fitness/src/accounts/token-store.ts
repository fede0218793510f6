import type { ApiKeyRecord, ApiKeyStore, Authorize } from 'toolwright/auth';
import type { Database } from '../database/database.ts';
import { findStanding } from './standings.ts';

interface TokenRow {
  readonly prefix: string;
  readonly hash: string;
  readonly user_id: string;
  readonly expires_at: number | null;
}

/** The tokens of the database. Each request reads the database, so a revoked token is rejected from the next request on. */
export class TokenStore implements ApiKeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(prefix: string): ApiKeyRecord | undefined {
    const row = this.#database.first<TokenRow>(
      'SELECT prefix, hash, user_id, expires_at FROM tokens WHERE prefix = ? AND revoked_at IS NULL',
      prefix,
    );
    if (row === undefined) return undefined;
    const { hash, user_id: id, expires_at: expiresAt } = row;
    return { prefix, hash, principal: { id }, ...(expiresAt === null ? {} : { expiresAt }) };
  }
}

/** Grants the role and the tenant of a user. The second parameter keeps Toolwright from caching them, so a change holds from the next request on. */
export function createAuthorize(database: Database): Authorize {
  return ({ id }, _request) => {
    const standing = database.read(() => findStanding(database, id));
    if (standing === undefined) return undefined;
    return { roles: [standing.role], ...('tenant' in standing ? { tenant: standing.tenant } : {}) };
  };
}
