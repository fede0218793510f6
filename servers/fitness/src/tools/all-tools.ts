import type { AnyToolDefinition } from 'toolwright';
import type { FitnessContext } from '../context.ts';
import { CATALOG } from '../gate/catalog.ts';
import type { Providers } from '../providers/providers.ts';
import { ADMIN_TOOLS } from './admin/admin-tools.ts';
import { ANALYSIS_TOOLS } from './analysis/analysis-tools.ts';
import { createProviderArgument } from './arguments.ts';
import { CONFIGURATION_TOOLS } from './configuration/configuration-tools.ts';
import { FITNESS_CONFIG_TOOLS } from './configuration/fitness-config-tools.ts';
import { CORE_TOOLS } from './core/core-tools.ts';
import type { FitnessTool } from './define-tool.ts';
import { GOAL_TOOLS } from './goals/goal-tools.ts';
import { NUTRITION_TOOLS } from './nutrition/nutrition-tools.ts';
import { RECIPE_TOOLS } from './recipes/recipe-tools.ts';
import { SLEEP_TOOLS } from './sleep/sleep-tools.ts';

const TOOLS: readonly FitnessTool[] = [
  ...CORE_TOOLS,
  ...GOAL_TOOLS,
  ...ANALYSIS_TOOLS,
  ...CONFIGURATION_TOOLS,
  ...FITNESS_CONFIG_TOOLS,
  ...SLEEP_TOOLS,
  ...NUTRITION_TOOLS,
  ...RECIPE_TOOLS,
  ...ADMIN_TOOLS,
];

/** The tools of a server, in the order of the catalog, which has their categories. */
export function createTools(
  providers: Providers,
  tools: readonly FitnessTool[] = TOOLS,
): readonly AnyToolDefinition<FitnessContext>[] {
  const unknown = tools.find(({ name }) => !CATALOG.has(name));
  if (unknown !== undefined)
    throw new Error(`The tool "${unknown.name}" is not in the catalog: add it in gate/catalog.ts.`);
  const provider = createProviderArgument(providers);
  return [...CATALOG.values()].flatMap(({ name, category }) =>
    tools.filter((tool) => tool.name === name).map((tool) => ({ ...tool.define(provider), category })),
  );
}
