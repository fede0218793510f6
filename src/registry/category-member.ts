import type { McpToolAnnotations } from '../model/mcp-types.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import type { InternalAction } from '../tools/grouped/action/internal-action.ts';
import type { GroupedMember } from '../tools/grouped/plan/grouped-member.ts';
import type { GroupedPlan } from '../tools/grouped/plan/grouped-plan.ts';
import { AnnotationAggregator, DEFAULT_STRATEGIES } from '../tools/grouped/strategies/strategies.ts';

/** The argument that selects a tool of a category. */
const DISCRIMINATOR = 'action';

/** Plan of all groups of single tools; their listing comes from the tools. */
export const GROUP_OF_TOOLS: GroupedPlan = Object.freeze({
  name: 'group',
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

/** A single tool with a category, as an action of a tool named after the category. */
export function toCategoryMember(entry: CatalogEntry): GroupedMember | undefined {
  const { category } = entry.tool.subject;
  return category === undefined
    ? undefined
    : { tool: category, plan: GROUP_OF_TOOLS, action: toAction(entry, entry.listed.name) };
}

/** A single tool as an action. */
export function toAction({ listed }: CatalogEntry, name: string): InternalAction {
  const { description, inputSchema, outputSchema, annotations = {} } = listed;
  return Object.freeze({
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
}

/** A single tool without a destructive hint that is not read-only may be destructive, so the group must not deny it. */
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
