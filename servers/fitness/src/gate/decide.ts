import { includesPlan } from './catalog.ts';
import type { CatalogTool } from './catalog.ts';
import type { Override, Standing, TenantStanding } from './standing.ts';

/** The rule that decided. */
export type DecisionSource = 'globally_disabled' | 'role' | 'plan' | 'override' | 'default';

/** Whether a caller has a tool, and why. */
export interface Decision {
  readonly isAllowed: boolean;
  readonly source: DecisionSource;
  /** One sentence. */
  readonly reason: string;
  /** The override that decided. */
  readonly override?: Override;
}

/**
 * Decides whether a caller may see and call a tool. Tools that are disabled globally are disabled for everyone. Members get the decision of
 * their tenant: the plan must have the tool, then an override decides, then the default, which is enabled.
 */
export function decide(tool: CatalogTool, standing: Standing, disabledTools: ReadonlySet<string>): Decision {
  if (disabledTools.has(tool.name))
    return no('globally_disabled', 'FITNESS_DISABLED_TOOLS disables this tool for every caller.');
  switch (standing.role) {
    case 'owner':
      return tool.isAdminOnly
        ? no('role', 'Only administrators have this tool.')
        : yes('role', 'The role owner has all tools except those for administrators alone.');
    case 'admin':
      return yes('role', 'The role admin has all tools.');
    case 'anonymous':
      return tool.isPublic
        ? yes('role', 'The tool is public.')
        : no('role', 'Anonymous callers have only public tools.');
    case 'user':
      return tool.plan === undefined
        ? no('role', NEEDS_ADMIN)
        : yes('role', 'A user without a tenant has all tools except those for administrators.');
    case 'member':
      return decideForTenant(tool, standing);
  }
}

const NEEDS_ADMIN = 'Only administrators and owners have this tool.';

/** The decision of a tenant for its members, without the tools that are disabled globally. */
function decideForTenant({ name, plan: least }: CatalogTool, { plan, overrides }: TenantStanding): Decision {
  if (least === undefined) return no('role', NEEDS_ADMIN);
  if (!includesPlan(plan, least))
    return no('plan', `The tool needs the plan ${least}, and the tenant has ${plan}.`);
  const override = overrides.get(name);
  if (override === undefined)
    return yes('default', `The plan ${plan} has the tool, and tools are enabled by default.`);
  const { isEnabled, setBy, setAt, reason } = override;
  const sentence = `${setBy} ${isEnabled ? 'enabled' : 'disabled'} the tool at ${setAt}: ${reason}`;
  return { isAllowed: isEnabled, source: 'override', reason: sentence, override };
}

function yes(source: DecisionSource, reason: string): Decision {
  return { isAllowed: true, source, reason };
}

function no(source: DecisionSource, reason: string): Decision {
  return { isAllowed: false, source, reason };
}
