import type { Database } from '../../database/database.ts';
import type { TokenStore } from './token-store.ts';

/** Sealed tokens in the database. The tokens of a user are removed with the user. */
export class DatabaseTokenStore implements TokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(user: string, provider: string): Promise<string | undefined> {
    return this.#database.first<{ sealed: string }>(
      'SELECT sealed FROM provider_tokens WHERE user_id = ? AND provider = ?',
      user,
      provider,
    )?.sealed;
  }

  async save(user: string, provider: string, sealed: string): Promise<void> {
    this.#database.run(
      `INSERT INTO provider_tokens (user_id, provider, sealed) VALUES (?, ?, ?)
       ON CONFLICT (user_id, provider) DO UPDATE SET sealed = excluded.sealed`,
      user,
      provider,
      sealed,
    );
  }

  async remove(user: string, provider: string): Promise<void> {
    this.#database.run('DELETE FROM provider_tokens WHERE user_id = ? AND provider = ?', user, provider);
  }
}
