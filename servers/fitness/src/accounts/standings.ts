import type { Database } from '../database/database.ts';
import type { Plan } from '../gate/catalog.ts';
import type { Override, Role, Standing } from '../gate/standing.ts';

interface UserRow {
  readonly role: Role;
  readonly tenant_id: string | null;
  readonly plan: Plan | null;
}

interface OverrideRow {
  readonly tool: string;
  readonly is_enabled: number;
  readonly set_by: string;
  readonly set_at: number;
  readonly reason: string;
}

/** A number that every change of users, tenants and overrides raises, in all processes. */
export function readRevision(database: Database): number {
  const row = database.first<{ revision: number }>('SELECT revision FROM gate_revision');
  if (row === undefined) throw new Error('The table gate_revision has no row: restore the database.');
  return row.revision;
}

/** The standing of a user; undefined if there is no such user. Call it within a transaction, so that its parts are of one state. */
export function findStanding(database: Database, user: string): Standing | undefined {
  const row = database.first<UserRow>(
    'SELECT u.role, u.tenant_id, t.plan FROM users u LEFT JOIN tenants t ON t.id = u.tenant_id WHERE u.id = ?',
    user,
  );
  if (row === undefined) return undefined;
  const { role, tenant_id: tenant, plan } = row;
  if (role !== 'member' && role !== 'owner') return { role };
  if (tenant === null || plan === null)
    throw new Error(`The user ${user} has the role ${role} without a tenant.`);
  return { role, tenant, plan, overrides: readOverrides(database, tenant) };
}

/** The overrides of a tenant, by tool. */
export function readOverrides(database: Database, tenant: string): ReadonlyMap<string, Override> {
  const rows = database.all<OverrideRow>(
    'SELECT tool, is_enabled, set_by, set_at, reason FROM overrides WHERE tenant_id = ? ORDER BY tool',
    tenant,
  );
  return new Map(rows.map((row) => [row.tool, toOverride(row)]));
}

function toOverride({ tool, is_enabled, set_by, set_at, reason }: OverrideRow): Override {
  return {
    tool,
    isEnabled: is_enabled === 1,
    setBy: set_by,
    setAt: new Date(set_at).toISOString(),
    reason,
  };
}
