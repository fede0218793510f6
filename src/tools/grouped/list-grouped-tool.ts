import type { McpInputSchema, McpTool, McpToolAnnotations } from '../../model/mcp-types.ts';
import { deepFreeze } from '../../base/json/deep-freeze.ts';
import type { CatalogEntry } from '../compile/catalog-entry.ts';
import { requiredTypes } from './brief/argument-types.ts';
import { generateBriefDescription } from './brief/brief-description.ts';
import { generateBriefSchema } from './brief/brief-schema.ts';
import { describeKeyAmong } from './brief/describe-action-names.ts';
import type { InternalAction } from './action/internal-action.ts';
import type { GroupedMember } from './plan/grouped-member.ts';
import type { GroupedPlan } from './plan/grouped-plan.ts';

/** Options for listing a grouped tool. */
export interface ListGroupedOptions {
  /** Whether only its reads or only its writes are listed. Default: false. */
  readonly isHalf?: boolean;
  /** `full` lists the schema of every action, `brief` one line per action. Default: `full`. */
  readonly schemas?: 'full' | 'brief';
}

/** The entry of `tools/list` for some actions of a grouped tool; other actions are not mentioned. */
export function listGroupedTool(
  name: string,
  members: readonly GroupedMember[],
  { isHalf = false, schemas = 'full' }: ListGroupedOptions = {},
): McpTool {
  const plans = [...new Set(members.map((member) => member.plan))];
  const [plan] = plans;
  if (plan === undefined) throw new RangeError(`"${name}" has no actions to list`);
  const title = plans.find((each) => each.title !== undefined)?.title;
  const listing = { name, plans, plan, actions: members.map((member) => member.action) };
  const { description, ...rest } = schemas === 'brief' ? writeBrief(listing) : writeFull(listing);
  return deepFreeze({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    ...rest,
    annotations: aggregate(plans, members, isHalf),
  });
}

interface Listing {
  readonly name: string;
  readonly plans: readonly GroupedPlan[];
  /** The first plan, whose strategies are used. */
  readonly plan: GroupedPlan;
  readonly actions: readonly InternalAction[];
}

type Written = Pick<McpTool, 'inputSchema' | 'outputSchema'> & { readonly description: string };

/** Lists every action with its whole schema. */
function writeFull({ name, plans, plan: { strategies, discriminator }, actions }: Listing): Written {
  const { schemaGenerator, schemaUtils } = strategies;
  const hasGroup = plans.some((each) => each.hasGroup);
  const generate = plans.some((each) => each.isToon)
    ? strategies.toonDescriptionGenerator
    : strategies.descriptionGenerator;
  const outputSchema = schemaGenerator.generateOutputSchema(actions);
  return {
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
  };
}

/** Lists one line per action. */
function writeBrief({ name, plans, plan: { strategies, discriminator }, actions }: Listing): Written {
  const { getFields } = strategies.schemaUtils;
  const describeKey = describeKeyAmong(new Set(actions.map(({ key }) => key)));
  const hasGroup = plans.some((each) => each.hasGroup);
  return {
    description: generateBriefDescription({
      actions,
      toolName: name,
      description: joinDescriptions(plans),
      discriminator,
      describeKey,
      typesOf: (action) => requiredTypes(action, getFields(action)),
    }),
    inputSchema: generateBriefSchema({
      actions,
      discriminator,
      hasGroup,
      describeKey,
      getFields,
    }) as McpInputSchema,
  };
}

/** Joins the descriptions of several builders of one tool. */
export function joinDescriptions(plans: readonly GroupedPlan[]): string | undefined {
  const texts = plans
    .map((plan) => plan.description?.trim())
    .filter((text) => text !== undefined && text !== '');
  return texts.length === 0
    ? undefined
    : [...new Set(texts)].map((text) => text?.replace(/\.$/, '')).join('. ');
}

/**
 * Explicit annotations of a builder apply to its own actions; over several builders, the most cautious values
 * apply.
 */
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
    // Open world if one builder says so; closed only if all do.
    ...(worlds.includes(true) ? { openWorldHint: true } : {}),
    ...(worlds.every((world) => world === false) ? { openWorldHint: false } : {}),
  };
}

/**
 * Explicit annotations of the whole tool may be false for its reads or writes; there they are derived from the
 * actions.
 */
function forHalf(annotations: McpToolAnnotations): McpToolAnnotations {
  const { readOnlyHint: _read, destructiveHint: _destroy, idempotentHint: _repeat, ...rest } = annotations;
  return rest;
}

/** The grouped members of entries. */
export function membersOf(entries: readonly CatalogEntry[]): GroupedMember[] {
  return entries.flatMap((entry) => (entry.grouped === undefined ? [] : [entry.grouped]));
}
