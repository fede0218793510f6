import { createApiKey } from 'toolwright/auth';
import type { Database } from '../database/database.ts';
import { AccountError } from './account-error.ts';
import type { Actor } from './actor.ts';
import type { Audit } from './audit.ts';
import type { Directory } from './directory.ts';
import { assertDays } from './validate-account.ts';

export interface NewToken {
  readonly user: string;
  /** Default: the token never expires. */
  readonly validDays?: number | undefined;
}

/** `token` is shown once: the database has its hash alone. */
export interface IssuedToken {
  readonly user: string;
  readonly token: string;
  readonly prefix: string;
  /** ISO 8601, UTC; undefined for never. */
  readonly expiresAt: string | undefined;
}

export interface RevokedToken {
  readonly user: string;
  readonly prefix: string;
}

interface TokensOptions {
  readonly directory: Directory;
  readonly audit: Audit;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
const MAX_TOKENS_PER_USER = 50;

/** Issues and revokes tokens. `TokenStore` finds them for requests. */
export class Tokens {
  readonly #database: Database;
  readonly #options: TokensOptions;

  constructor(database: Database, options: TokensOptions) {
    this.#database = database;
    this.#options = options;
  }

  issue(actor: Actor, { user, validDays }: NewToken): IssuedToken {
    if (validDays !== undefined) assertDays(validDays);
    const { directory, audit, now } = this.#options;
    const createdAt = now();
    const expiresAt = validDays === undefined ? undefined : createdAt + validDays * DAY_MS;
    return this.#database.write(() => {
      const { tenant } = directory.getUser(actor, user);
      this.#assertRoom(user, createdAt);
      const { key: token, record } = createApiKey({ id: user }, { name: 'fit' });
      const { prefix, hash } = record;
      this.#database.insert('tokens', {
        prefix,
        hash,
        user_id: user,
        created_at: createdAt,
        expires_at: expiresAt ?? null,
        revoked_at: null,
      });
      const until = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
      audit.record(actor, 'token_issue', { tenant, user, prefix, expiresAt: until });
      return { user, token, prefix, expiresAt: until };
    });
  }

  revoke(actor: Actor, prefix: string): RevokedToken {
    const { audit, now } = this.#options;
    return this.#database.write(() => {
      const row = this.#database.first<{ user_id: string; tenant_id: string | null }>(
        `SELECT t.user_id, u.tenant_id FROM tokens t JOIN users u ON u.id = t.user_id
         WHERE t.prefix = ? AND t.revoked_at IS NULL`,
        prefix,
      );
      if (row === undefined || (actor.tenant !== undefined && row.tenant_id !== actor.tenant))
        throw new AccountError(
          'not_found',
          // Without the given text: it may be a whole token.
          'Unknown token: use the prefix that was shown with the token, such as fit_0123456789abcdef. A revoked token is unknown, too.',
        );
      const { user_id: user, tenant_id: tenant } = row;
      this.#database.run('UPDATE tokens SET revoked_at = ? WHERE prefix = ?', now(), prefix);
      audit.record(actor, 'token_revoke', { tenant: tenant ?? undefined, user, prefix });
      return { user, prefix };
    });
  }

  #assertRoom(user: string, now: number): void {
    const row = this.#database.first<{ count: number }>(
      `SELECT count(*) AS count FROM tokens
       WHERE user_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
      user,
      now,
    );
    if ((row?.count ?? 0) < MAX_TOKENS_PER_USER) return;
    throw new AccountError(
      'conflict',
      `The user "${user}" has ${MAX_TOKENS_PER_USER} valid tokens, which is the limit: revoke one first.`,
    );
  }
}
