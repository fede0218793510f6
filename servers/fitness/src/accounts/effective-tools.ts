import { CATALOG, CATEGORIES } from '../gate/catalog.ts';
import type { CatalogTool, Category, Plan } from '../gate/catalog.ts';
import { decide } from '../gate/decide.ts';
import type { Decision } from '../gate/decide.ts';
import type { Override, TenantStanding } from '../gate/standing.ts';

export interface EffectiveTool extends Decision {
  readonly tool: string;
  readonly category: Category;
}

export interface CategorySummary {
  readonly category: Category;
  readonly total: number;
  readonly enabled: number;
}

/** The decision about each tool for the members of a tenant. */
export interface EffectiveTools {
  readonly tenant: string;
  readonly plan: Plan;
  readonly tools: readonly EffectiveTool[];
  readonly categories: readonly CategorySummary[];
  /** All overrides of the tenant, also those that decide nothing because the plan lacks the tool. */
  readonly overrides: readonly Override[];
}

export interface ListedCatalogTool extends CatalogTool {
  readonly isGloballyDisabled: boolean;
}

export interface ListedCatalog {
  readonly tools: readonly ListedCatalogTool[];
  /** `enabled` counts the tools that are not disabled globally. */
  readonly categories: readonly CategorySummary[];
  readonly globallyDisabled: readonly string[];
}

export function listEffectiveTools(
  tenant: Omit<TenantStanding, 'role'>,
  disabledTools: ReadonlySet<string>,
): EffectiveTools {
  const standing: TenantStanding = { ...tenant, role: 'member' };
  const tools = [...CATALOG.values()]
    .filter(({ plan }) => plan !== undefined)
    .map((tool) => ({
      tool: tool.name,
      category: tool.category,
      ...decide(tool, standing, disabledTools),
    }));
  return {
    tenant: tenant.tenant,
    plan: tenant.plan,
    tools,
    categories: summarize(tools.map(({ category, isAllowed }) => ({ category, isEnabled: isAllowed }))),
    overrides: [...tenant.overrides.values()],
  };
}

export function listCatalog(disabledTools: ReadonlySet<string>): ListedCatalog {
  const tools = [...CATALOG.values()].map((tool) => ({
    ...tool,
    isGloballyDisabled: disabledTools.has(tool.name),
  }));
  return {
    tools,
    categories: summarize(
      tools.map(({ category, isGloballyDisabled }) => ({ category, isEnabled: !isGloballyDisabled })),
    ),
    globallyDisabled: [...disabledTools],
  };
}

function summarize(
  tools: readonly { readonly category: Category; readonly isEnabled: boolean }[],
): CategorySummary[] {
  return CATEGORIES.map((category) => {
    const own = tools.filter((tool) => tool.category === category);
    return { category, total: own.length, enabled: own.filter(({ isEnabled }) => isEnabled).length };
  }).filter(({ total }) => total > 0);
}
