import { defineFitnessTool } from '../define-tool.ts';
import type { FitnessTool } from '../define-tool.ts';
import { category, id, planTool } from './admin-arguments.ts';
import { toCallingActor } from './calling-actor.ts';
import { toDecisionRow, toOverrideRow } from './override-tools.ts';

const getCatalog = defineFitnessTool({
  name: 'admin_get_catalog',
  title: 'Catalog of tools',
  description:
    'Lists all tools with their category, the smallest plan that has them, and whether they are public or disabled for everyone, with counts by category.',
  synonyms: ['all features', 'which plan has', 'globally disabled'],
  effect: 'reads',
  hasRows: true,
  arguments: { category: category.optional() },
  run: ({ input, context: { administration } }) => {
    const { tools, categories, globallyDisabled } = administration.listCatalog();
    const isMeant = isIn(input.category);
    return {
      data: {
        tools: tools.filter(isMeant).map((tool) => ({
          tool: tool.name,
          category: tool.category,
          plan: tool.plan ?? null,
          public: tool.isPublic,
          globally_disabled: tool.isGloballyDisabled,
        })),
        categories: categories.filter(isMeant),
        globally_disabled: globallyDisabled,
      },
    };
  },
});

const getEffectiveTools = defineFitnessTool({
  name: 'admin_get_effective_tools',
  title: 'Tools of a tenant',
  description:
    'Lists the decision about each tool for the members of a tenant with its source (globally_disabled, plan, override or default) and reason, and the overrides: who set them, when and why.',
  synonyms: ['why can they not use', 'permissions', 'what does the team have', 'audit'],
  effect: 'reads',
  hasRows: true,
  arguments: { tenant: id, category: category.optional(), tool: planTool.optional() },
  run: ({ input, context: { administration, caller } }) => {
    const found = administration.listEffectiveTools(toCallingActor(caller), input.tenant);
    const isMeant = isIn(input.category);
    const tools = found.tools.filter(
      (each) => isMeant(each) && (input.tool === undefined || input.tool === each.tool),
    );
    const names = new Set(tools.map(({ tool }) => tool));
    const shown = new Set(tools.map((each) => each.category));
    return {
      data: {
        tenant: found.tenant,
        plan: found.plan,
        tools: tools.map(toDecisionRow),
        categories: found.categories.filter((each) => shown.has(each.category)),
        overrides: found.overrides.filter(({ tool }) => names.has(tool)).map(toOverrideRow),
      },
    };
  },
});

function isIn(wanted: string | undefined): (row: { readonly category: string }) => boolean {
  return (row) => wanted === undefined || row.category === wanted;
}

export const CATALOG_TOOLS: readonly FitnessTool[] = [getCatalog, getEffectiveTools];
