import type { McpToolAnnotations } from '../model/mcp-types.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import type { InternalAction } from '../tools/grouped/action/internal-action.ts';
import type { GroupedMember } from '../tools/grouped/plan/grouped-member.ts';
import type { GroupedPlan } from '../tools/grouped/plan/grouped-plan.ts';
import { AnnotationAggregator, DEFAULT_STRATEGIES } from '../tools/grouped/strategies/strategies.ts';

/** The argument that says which tool of a category is meant. */
const DISCRIMINATOR = 'action';

/** All categories are alike: what is listed of one comes from its tools. */
const CATEGORY: GroupedPlan = Object.freeze({
  name: 'category',
  title: undefined,
  description: undefined,
  discriminator: DISCRIMINATOR,
  annotations: {},
  isToon: false,
  hasGroup: false,
  middleware: [],
  strategies: { ...DEFAULT_STRATEGIES, annotationAggregator: aggregateAnnotations },
  actions: [],
});

/** A single tool with a category, as an action of a tool that is named like the category. */
export function toCategoryMember({ listed, tool }: CatalogEntry): GroupedMember | undefined {
  const { category } = tool.subject;
  if (category === undefined) return undefined;
  const { name, description, inputSchema, outputSchema, annotations = {} } = listed;
  const action: InternalAction = Object.freeze({
    key: name,
    actionName: name,
    description,
    inputSchema,
    outputSchema,
    commonFields: [],
    destructive: annotations.destructiveHint,
    readOnly: annotations.readOnlyHint,
    idempotent: annotations.idempotentHint,
    examples: [],
  });
  return { tool: category, plan: CATEGORY, action };
}

/** A single tool that changes something and does not say whether it destroys may destroy, so the whole must not deny it. */
function aggregateAnnotations(
  actions: readonly InternalAction[],
  explicit?: McpToolAnnotations,
): McpToolAnnotations {
  const { destructiveHint, ...others } = AnnotationAggregator.aggregateAnnotations(actions, explicit);
  const isOpen = actions.some(({ destructive, readOnly }) => destructive === undefined && readOnly !== true);
  return destructiveHint === true || !isOpen
    ? { ...others, destructiveHint: destructiveHint === true }
    : others;
}
