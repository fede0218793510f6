import type { McpInputSchema, McpTool, McpToolAnnotations } from '../../model/mcp-types.ts';
import { deepFreeze } from '../../schema/convert/plain-json.ts';
import type { CatalogEntry } from '../compile/catalog-entry.ts';
import type { GroupedMember } from './plan/grouped-member.ts';
import type { GroupedPlan } from './plan/grouped-plan.ts';

/** The entry of `tools/list` for some actions of a grouped tool: only these are named, described and advertised. `isHalf`: its reads or its writes. */
export function listGroupedTool(
  name: string,
  members: readonly GroupedMember[],
  { isHalf = false }: { readonly isHalf?: boolean } = {},
): McpTool {
  const plans = [...new Set(members.map((member) => member.plan))];
  const [plan] = plans;
  if (plan === undefined) throw new RangeError(`"${name}" has no actions to list`);
  const actions = members.map((member) => member.action);
  const { strategies, discriminator } = plan;
  const { schemaGenerator, schemaUtils } = strategies;
  const hasGroup = plans.some((each) => each.hasGroup);
  const generate = plans.some((each) => each.isToon)
    ? strategies.toonDescriptionGenerator
    : strategies.descriptionGenerator;
  const outputSchema = schemaGenerator.generateOutputSchema(actions);
  const title = plans.find((each) => each.title !== undefined)?.title;
  return deepFreeze({
    name,
    ...(title === undefined ? {} : { title }),
    description: generate({
      actions,
      toolName: name,
      description: joinDescriptions(plans),
      hasGroup,
      discriminator,
      getRequiredFields: schemaUtils.getRequiredFields,
    }),
    inputSchema: schemaGenerator.generateInputSchema({
      actions,
      discriminator,
      hasGroup,
      getFields: schemaUtils.getFields,
    }) as McpInputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: aggregate(plans, members, isHalf),
  });
}

/** What several builders of one tool say it is for. */
export function joinDescriptions(plans: readonly GroupedPlan[]): string | undefined {
  const texts = plans
    .map((plan) => plan.description?.trim())
    .filter((text) => text !== undefined && text !== '');
  return texts.length === 0
    ? undefined
    : [...new Set(texts)].map((text) => text?.replace(/\.$/, '')).join('. ');
}

/** What one builder says explicitly holds for its own actions; over several, the most careful reading of all of them holds. */
function aggregate(
  plans: readonly GroupedPlan[],
  members: readonly GroupedMember[],
  isHalf: boolean,
): McpToolAnnotations {
  const parts = plans.map((plan) =>
    plan.strategies.annotationAggregator(
      members.filter((member) => member.plan === plan).map((member) => member.action),
      isHalf ? forHalf(plan.annotations) : plan.annotations,
    ),
  );
  const [first = {}] = parts;
  if (parts.length === 1) return first;
  const all = (hint: 'idempotentHint' | 'readOnlyHint'): boolean =>
    parts.every((part) => part[hint] === true);
  const worlds = parts.map((part) => part.openWorldHint);
  const { openWorldHint: _own, ...rest } = first;
  return {
    ...rest,
    readOnlyHint: all('readOnlyHint'),
    destructiveHint: parts.some((part) => part.destructiveHint !== false),
    idempotentHint: all('idempotentHint'),
    // One open world opens the tool; a closed one closes it only if all say so.
    ...(worlds.includes(true) ? { openWorldHint: true } : {}),
    ...(worlds.every((world) => world === false) ? { openWorldHint: false } : {}),
  };
}

/** What was said of the whole tool need not be true of a half: there its actions say it. */
function forHalf(annotations: McpToolAnnotations): McpToolAnnotations {
  const { readOnlyHint: _read, destructiveHint: _destroy, idempotentHint: _repeat, ...rest } = annotations;
  return rest;
}

/** The members of entries that are actions. */
export function membersOf(entries: readonly CatalogEntry[]): GroupedMember[] {
  return entries.flatMap((entry) => (entry.grouped === undefined ? [] : [entry.grouped]));
}
