import type { Database } from '../database/database.ts';
import { PLANS } from '../gate/catalog.ts';
import type { Plan } from '../gate/catalog.ts';
import { ROLES } from '../gate/standing.ts';
import type { Override, Role } from '../gate/standing.ts';
import { AccountError } from './account-error.ts';
import type { Actor } from './actor.ts';
import { Audit } from './audit.ts';
import { Directory } from './directory.ts';
import { listCatalog, listEffectiveTools } from './effective-tools.ts';
import type { EffectiveTool, EffectiveTools, ListedCatalog } from './effective-tools.ts';
import { readOverrides } from './standings.ts';
import { Tokens } from './tokens.ts';
import type { IssuedToken, NewToken, RevokedToken } from './tokens.ts';
import { assertChoice, assertId, assertPlanTool, parseReason } from './validate-account.ts';

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

interface OverrideInput {
  readonly tenant: string;
  readonly tool: string;
}

/**
 * The administrative operations, for the command line and the `admin_…` tools. An owner sees and changes only their own tenant: every other
 * tenant, with its users and tokens, is unknown to them. Every change is recorded in the audit, in the same transaction.
 */
export class Administration {
  readonly audit: Audit;
  readonly #database: Database;
  readonly #directory: Directory;
  readonly #tokens: Tokens;
  readonly #options: AdministrationOptions;

  constructor(database: Database, options: AdministrationOptions) {
    this.audit = new Audit(database, options.now);
    this.#database = database;
    this.#directory = new Directory(database);
    this.#tokens = new Tokens(database, { directory: this.#directory, audit: this.audit, now: options.now });
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
      if (tenant !== undefined) this.#directory.getTenant(actor, tenant);
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
  issueToken(actor: Actor, given: NewToken): IssuedToken {
    return this.#tokens.issue(actor, given);
  }

  /** Revokes a token by its prefix. The next request with it is rejected. */
  revokeToken(actor: Actor, prefix: string): RevokedToken {
    return this.#tokens.revoke(actor, prefix);
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
      const before = this.#directory.findTenant(tenant);
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
      this.#directory.getTenant(actor, tenant);
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
      this.#directory.getTenant(actor, tenant);
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
    const { plan } = this.#directory.getTenant(actor, id);
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
}

function toOverrideChoices(overrides: ReadonlyMap<string, Override>): string {
  return overrides.size === 0
    ? 'The tenant has no overrides.'
    : `Its overrides: ${[...overrides.keys()].join(', ')}.`;
}
