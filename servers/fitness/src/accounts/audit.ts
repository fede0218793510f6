import type { Database } from '../database/database.ts';
import type { Actor } from './actor.ts';

export interface AuditEntry {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly tenant: string | undefined;
  readonly detail: Readonly<Record<string, unknown>>;
}

interface AuditRow {
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly tenant_id: string | null;
  readonly detail: string;
}

/** The record of administrative operations. Rows are never changed. */
export class Audit {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** Records an operation, in the transaction of the operation. `detail` must not have secrets. */
  record(
    actor: Actor,
    action: string,
    { tenant, ...detail }: Readonly<Record<string, unknown>> & { readonly tenant?: string | undefined },
  ): void {
    this.#database.insert('audit', {
      at: this.#now(),
      actor: actor.id,
      action,
      tenant_id: tenant ?? null,
      detail: JSON.stringify(detail),
    });
  }

  /** The newest first. An actor with a tenant gets the entries of this tenant. */
  list(actor: Actor, limit = 100): AuditEntry[] {
    const rows = this.#database.all<AuditRow>(
      'SELECT at, actor, action, tenant_id, detail FROM audit WHERE ? IS NULL OR tenant_id = ? ORDER BY id DESC LIMIT ?',
      actor.tenant ?? null,
      actor.tenant ?? null,
      limit,
    );
    return rows.map(({ at, actor: id, action, tenant_id: tenant, detail }) => ({
      at: new Date(at).toISOString(),
      actor: id,
      action,
      tenant: tenant ?? undefined,
      detail: JSON.parse(detail) as Readonly<Record<string, unknown>>,
    }));
  }
}
