import type { Database } from '../database/database.ts';
import type { Plan } from '../gate/catalog.ts';
import { AccountError } from './account-error.ts';
import type { Actor } from './actor.ts';

export interface Tenant {
  readonly id: string;
  readonly plan: Plan;
}

const MAX_CHOICES = 20;

/** The tenants and users that an actor may know. Others are unknown to the actor, also in the choices of an error. */
export class Directory {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  findTenant(id: string): Tenant | undefined {
    return this.#database.first<Tenant>('SELECT id, plan FROM tenants WHERE id = ?', id);
  }

  getTenant(actor: Actor, id: string): Tenant {
    const isVisible = actor.tenant === undefined || actor.tenant === id;
    const found = isVisible ? this.findTenant(id) : undefined;
    if (found !== undefined) return found;
    const own = actor.tenant ?? null;
    const tenants = this.#database.all<{ id: string }>(
      'SELECT id FROM tenants WHERE ? IS NULL OR id = ? ORDER BY id LIMIT ?',
      own,
      own,
      MAX_CHOICES + 1,
    );
    const choices = tenants.map((tenant, index) => (index < MAX_CHOICES ? tenant.id : '…'));
    throw new AccountError(
      'not_found',
      choices.length === 0
        ? `Unknown tenant "${id}": there are no tenants yet. Setting a plan creates one.`
        : `Unknown tenant "${id}": use ${choices.join(', ')}.`,
    );
  }

  getUser(actor: Actor, id: string): { readonly id: string; readonly tenant: string | undefined } {
    const own = actor.tenant ?? null;
    const row = this.#database.first<{ tenant_id: string | null }>(
      'SELECT tenant_id FROM users WHERE id = ? AND (? IS NULL OR tenant_id = ?)',
      id,
      own,
      own,
    );
    if (row === undefined) throw new AccountError('not_found', `Unknown user "${id}": add the user first.`);
    return { id, tenant: row.tenant_id ?? undefined };
  }
}
