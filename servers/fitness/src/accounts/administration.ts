import { createApiKey } from 'toolwright/auth';
import type { Database } from '../database/database.ts';
import { PLANS } from '../gate/catalog.ts';
import type { Plan } from '../gate/catalog.ts';
import { ROLES } from '../gate/standing.ts';
import type { Override, Role } from '../gate/standing.ts';
import { AccountError } from './account-error.ts';
import type { Actor } from './actor.ts';
import { Audit } from './audit.ts';
import { listCatalog, listEffectiveTools } from './effective-tools.ts';
import type { EffectiveTool, EffectiveTools, ListedCatalog } from './effective-tools.ts';
import { readOverrides } from './standings.ts';
import { assertChoice, assertDays, assertId, assertPlanTool, parseReason } from './validate-account.ts';

export interface AdministrationOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly disabledTools: ReadonlySet<string>;
  /** Called after each change that decisions about tools depend on: `() => gate.refresh()`. */
  readonly onChange: () => void;
}

export interface User {
  readonly user: string;
  readonly role: Role;
  readonly tenant: string | undefined;
}

/** `token` is shown once: the database has its hash alone. */
export interface IssuedToken {
  readonly user: string;
  readonly token: string;
  readonly prefix: string;
  /** ISO 8601, UTC; undefined for never. */
  readonly expiresAt: string | undefined;
}

interface Tenant {
  readonly id: string;
  readonly plan: Plan;
}

interface OverrideInput {
  readonly tenant: string;
  readonly tool: string;
}

const DAY_MS = 86_400_000;
const MAX_TOKENS_PER_USER = 50;
const MAX_CHOICES = 20;

/**
 * The administrative operations, for the command line and the `admin_…` tools. An owner sees and changes only their own tenant: every other
 * tenant, with its users and tokens, is unknown to them. Every change is recorded in the audit, in the same transaction.
 */
export class Administration {
  readonly audit: Audit;
  readonly #database: Database;
  readonly #options: AdministrationOptions;

  constructor(database: Database, options: AdministrationOptions) {
    this.audit = new Audit(database, options.now);
    this.#database = database;
    this.#options = options;
  }

  /** Adds a user. Default: a member if there is a tenant, otherwise a user without one. */
  addUser(
    actor: Actor,
    given: {
      readonly user: string;
      readonly role?: string | undefined;
      readonly tenant?: string | undefined;
    },
  ): User {
    const { user, tenant = actor.tenant } = given;
    assertId('user', user);
    const role = assertChoice('role', given.role ?? (tenant === undefined ? 'user' : 'member'), ROLES);
    const needsTenant = role === 'member' || role === 'owner';
    if (needsTenant && tenant === undefined)
      throw new AccountError(
        'invalid_input',
        `The role ${role} needs a tenant: name one, or use the role user.`,
      );
    if (!needsTenant && actor.tenant !== undefined)
      throw new AccountError('forbidden', `Owners cannot give the role ${role}: use member or owner.`);
    if (!needsTenant && tenant !== undefined)
      throw new AccountError(
        'invalid_input',
        `The role ${role} has no tenant: use member or owner, or no tenant.`,
      );
    return this.#change(() => {
      if (tenant !== undefined) this.#getTenant(actor, tenant);
      if (this.#database.first('SELECT id FROM users WHERE id = ?', user) !== undefined)
        throw new AccountError('conflict', `The user "${user}" exists: use another id.`);
      this.#database.insert('users', {
        id: user,
        role,
        tenant_id: tenant ?? null,
        created_at: this.#options.now(),
      });
      this.audit.record(actor, 'user_add', { tenant, user, role });
      return { user, role, tenant };
    });
  }

  /** Creates a token of a user. Default: it never expires. */
  issueToken(
    actor: Actor,
    { user, validDays }: { readonly user: string; readonly validDays?: number | undefined },
  ): IssuedToken {
    if (validDays !== undefined) assertDays(validDays);
    const now = this.#options.now();
    const expiresAt = validDays === undefined ? undefined : now + validDays * DAY_MS;
    return this.#database.write(() => {
      const { tenant } = this.#getUser(actor, user);
      const tokens = this.#database.first<{ count: number }>(
        'SELECT count(*) AS count FROM tokens WHERE user_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
        user,
        now,
      );
      if ((tokens?.count ?? 0) >= MAX_TOKENS_PER_USER)
        throw new AccountError(
          'conflict',
          `The user "${user}" has ${MAX_TOKENS_PER_USER} valid tokens, which is the limit: revoke one first.`,
        );
      const { key: token, record } = createApiKey(
        { id: user },
        { name: 'fit', ...(expiresAt === undefined ? {} : { expiresAt }) },
      );
      const { prefix, hash } = record;
      this.#database.insert('tokens', {
        prefix,
        hash,
        user_id: user,
        created_at: now,
        expires_at: expiresAt ?? null,
        revoked_at: null,
      });
      const until = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
      this.audit.record(actor, 'token_issue', { tenant, user, prefix, expiresAt: until });
      return { user, token, prefix, expiresAt: until };
    });
  }

  /** Revokes a token by its prefix. The next request with it is rejected. */
  revokeToken(actor: Actor, prefix: string): { readonly user: string; readonly prefix: string } {
    return this.#database.write(() => {
      const row = this.#database.first<{ user_id: string; tenant_id: string | null }>(
        `SELECT t.user_id, u.tenant_id FROM tokens t JOIN users u ON u.id = t.user_id
         WHERE t.prefix = ? AND t.revoked_at IS NULL`,
        prefix,
      );
      if (row === undefined || (actor.tenant !== undefined && row.tenant_id !== actor.tenant))
        throw new AccountError(
          'not_found',
          // A whole token, given by mistake, must not be repeated.
          'Unknown token: use the prefix that was shown with the token, such as fit_0123456789abcdef. A revoked token is unknown, too.',
        );
      const { user_id: user, tenant_id: tenant } = row;
      this.#database.run('UPDATE tokens SET revoked_at = ? WHERE prefix = ?', this.#options.now(), prefix);
      this.audit.record(actor, 'token_revoke', { tenant: tenant ?? undefined, user, prefix });
      return { user, prefix };
    });
  }

  /** Sets the plan of a tenant, and creates the tenant if it does not exist. */
  setPlan(
    actor: Actor,
    given: { readonly tenant: string; readonly plan: string },
  ): { readonly tenant: string; readonly plan: Plan; readonly isCreated: boolean } {
    const { tenant } = given;
    if (actor.tenant !== undefined)
      throw new AccountError('forbidden', 'Owners cannot change plans: ask an administrator.');
    assertId('tenant', tenant);
    const plan = assertChoice('plan', given.plan, PLANS);
    return this.#change(() => {
      const before = this.#findTenant(tenant);
      if (before === undefined)
        this.#database.insert('tenants', { id: tenant, plan, created_at: this.#options.now() });
      else this.#database.run('UPDATE tenants SET plan = ? WHERE id = ?', plan, tenant);
      this.audit.record(actor, 'tenant_set_plan', { tenant, plan, before: before?.plan });
      return { tenant, plan, isCreated: before === undefined };
    });
  }

  /** Enables or disables a tool for a tenant, and returns the decision that follows: a plan without the tool takes precedence. */
  setOverride(
    actor: Actor,
    given: OverrideInput & { readonly isEnabled: boolean; readonly reason: string },
  ): EffectiveTool {
    const { tenant, tool, isEnabled } = given;
    assertPlanTool(tool);
    const reason = parseReason(given.reason);
    return this.#change(() => {
      this.#getTenant(actor, tenant);
      this.#database.run(
        `INSERT INTO overrides (tenant_id, tool, is_enabled, set_by, set_at, reason) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (tenant_id, tool) DO UPDATE SET is_enabled = excluded.is_enabled, set_by = excluded.set_by,
         set_at = excluded.set_at, reason = excluded.reason`,
        tenant,
        tool,
        isEnabled,
        actor.id,
        this.#options.now(),
        reason,
      );
      this.audit.record(actor, 'override_set', { tenant, tool, isEnabled, reason });
      return this.#decide(actor, given);
    });
  }

  /** Removes an override, and returns the decision that follows. */
  removeOverride(actor: Actor, given: OverrideInput): EffectiveTool {
    const { tenant, tool } = given;
    assertPlanTool(tool);
    return this.#change(() => {
      this.#getTenant(actor, tenant);
      const overrides = readOverrides(this.#database, tenant);
      const before = overrides.get(tool);
      if (before === undefined)
        throw new AccountError(
          'not_found',
          `The tenant "${tenant}" has no override of "${tool}". ${toOverrideChoices(overrides)}`,
        );
      this.#database.run('DELETE FROM overrides WHERE tenant_id = ? AND tool = ?', tenant, tool);
      this.audit.record(actor, 'override_remove', { tenant, tool, before });
      return this.#decide(actor, given);
    });
  }

  /** The decision about each tool for the members of a tenant. */
  listEffectiveTools(actor: Actor, tenant: string): EffectiveTools {
    return this.#database.read(() => this.#listEffective(actor, tenant));
  }

  listCatalog(): ListedCatalog {
    return listCatalog(this.#options.disabledTools);
  }

  #listEffective(actor: Actor, id: string): EffectiveTools {
    const { plan } = this.#getTenant(actor, id);
    const standing = { tenant: id, plan, overrides: readOverrides(this.#database, id) };
    return listEffectiveTools(standing, this.#options.disabledTools);
  }

  #decide(actor: Actor, { tenant, tool: name }: OverrideInput): EffectiveTool {
    const found = this.#listEffective(actor, tenant).tools.find(({ tool }) => tool === name);
    if (found === undefined) throw new Error(`The catalog has no tool "${name}".`);
    return found;
  }

  #change<T>(body: () => T): T {
    const value = this.#database.write(body);
    this.#options.onChange();
    return value;
  }

  #findTenant(id: string): Tenant | undefined {
    return this.#database.first<Tenant>('SELECT id, plan FROM tenants WHERE id = ?', id);
  }

  #getTenant(actor: Actor, id: string): Tenant {
    const isVisible = actor.tenant === undefined || actor.tenant === id;
    const found = isVisible ? this.#findTenant(id) : undefined;
    if (found !== undefined) return found;
    const tenants = this.#database.all<{ id: string }>(
      'SELECT id FROM tenants WHERE ? IS NULL OR id = ? ORDER BY id LIMIT ?',
      actor.tenant ?? null,
      actor.tenant ?? null,
      MAX_CHOICES,
    );
    throw new AccountError(
      'not_found',
      tenants.length === 0
        ? `Unknown tenant "${id}": there are no tenants yet. Setting a plan creates one.`
        : `Unknown tenant "${id}": use ${tenants.map((tenant) => tenant.id).join(', ')}${tenants.length === MAX_CHOICES ? ', …' : ''}.`,
    );
  }

  #getUser(actor: Actor, id: string): { readonly id: string; readonly tenant: string | undefined } {
    const row = this.#database.first<{ tenant_id: string | null }>(
      'SELECT tenant_id FROM users WHERE id = ? AND (? IS NULL OR tenant_id = ?)',
      id,
      actor.tenant ?? null,
      actor.tenant ?? null,
    );
    if (row !== undefined) return { id, tenant: row.tenant_id ?? undefined };
    throw new AccountError('not_found', `Unknown user "${id}": add the user first.`);
  }
}

function toOverrideChoices(overrides: ReadonlyMap<string, Override>): string {
  return overrides.size === 0
    ? 'The tenant has no overrides.'
    : `Its overrides: ${[...overrides.keys()].join(', ')}.`;
}
