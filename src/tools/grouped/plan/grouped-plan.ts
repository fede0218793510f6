import { about, DefinitionError } from '../../../errors/errors.ts';
import type { AnyMiddleware } from '../../../middleware/middleware.ts';
import type { McpToolAnnotations } from '../../../model/mcp-types.ts';
import { toObjectDocument } from '../../../schema/convert/convert.ts';
import { deepFreeze } from '../../../base/json/deep-freeze.ts';
import { toPlainJson } from '../../../schema/convert/plain-json.ts';
import { fromFields } from '../../../schema/nodes/fields-schema.ts';
import { joinSchemas } from '../../../schema/nodes/joined-schema.ts';
import { omitFields } from '../../../schema/convert/omit-fields.ts';
import { fieldNames } from '../../../schema/view/root-keys.ts';
import type { Schema } from '../../../schema/nodes/schema-types.ts';
import { CONFIRMATION_ARGUMENT } from '../../../pipeline/confirm.ts';
import type { AnyToolDefinition, MissingScopes } from '../../tool-definition.ts';
import type { ActionRecord } from '../action/action-record.ts';
import type { GroupedToolStrategies } from '../strategies/strategies.ts';

/** One action of a plan: its tool definition and its place in the grouped tool. */
export interface PlannedAction {
  readonly key: string;
  readonly actionName: string;
  /** Its explicit name in the flat exposure. */
  readonly flatName: string | undefined;
  readonly groupName: string | undefined;
  readonly groupDescription: string | undefined;
  readonly hasDescription: boolean;
  readonly flags: Pick<ActionRecord['definition'], 'destructive' | 'idempotent' | 'readOnly'>;
  readonly commonFields: readonly string[];
  readonly examples: readonly Readonly<Record<string, unknown>>[];
  /** Definition under the canonical name `platform.users.create`, with the middleware of group and action. */
  readonly definition: AnyToolDefinition<never>;
}

/** The immutable result of a builder, from which the registry compiles a grouped tool. */
export interface GroupedPlan {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly discriminator: string;
  readonly annotations: McpToolAnnotations;
  readonly isToon: boolean;
  readonly hasGroup: boolean;
  /** Middleware around all actions of this plan. */
  readonly middleware: readonly AnyMiddleware[];
  readonly strategies: GroupedToolStrategies;
  readonly actions: readonly PlannedAction[];
}

/** State of a builder from which its plan is made. */
export interface PlanSource extends Omit<GroupedPlan, 'actions' | 'hasGroup'> {
  readonly tags: readonly string[];
  readonly scopes: readonly string[];
  readonly missingScopes: MissingScopes | undefined;
  readonly commonSchemas: readonly Schema[];
  readonly records: readonly ActionRecord[];
}

/** Creates the plan of a builder. */
export function planGroupedTool(source: PlanSource): GroupedPlan {
  const {
    tags: _tags,
    scopes: _scopes,
    missingScopes: _missing,
    commonSchemas: _schemas,
    records,
    ...plan
  } = source;
  if (records.length === 0) {
    throw new DefinitionError(
      `Builder "${source.name}" has no actions. Add one with .action() or .group() before it is built.`,
      { option: 'actions' },
    );
  }
  return Object.freeze({
    ...plan,
    hasGroup: records.some((record) => record.group !== undefined),
    actions: Object.freeze(records.map((record) => planAction(source, record))),
  });
}

function planAction(source: PlanSource, record: ActionRecord): PlannedAction {
  const { definition, group, key } = record;
  const fields = planFields(source, record);
  const { name, description, examples, middleware, destructive, readOnly, idempotent } = definition;
  const {
    schema: _schema,
    omitCommonFields: _omitted,
    examples: _examples,
    flatName,
    ...options
  } = definition;
  const { openWorldHint } = source.annotations;
  const missingScopes = definition.missingScopes ?? group?.missingScopes ?? source.missingScopes;
  const flags = {
    ...(destructive === undefined ? {} : { destructive }),
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(idempotent === undefined ? {} : { idempotent }),
  };
  return Object.freeze({
    key,
    actionName: name,
    flatName,
    groupName: group?.name,
    groupDescription: group?.description,
    hasDescription: description !== undefined && description.trim() !== '',
    flags,
    commonFields: fields.common,
    // Copied, so that later changes are neither checked nor advertised.
    examples: (examples ?? []).map((example) => deepFreeze(toPlainJson(example, `An example of "${key}"`))),
    definition: {
      ...(options as Partial<AnyToolDefinition<never>>),
      name: `${source.name}.${key}`,
      description: describe(source, record),
      inputSchema: fields.schema,
      tags: [...new Set([...source.tags, ...(group?.tags ?? []), ...(definition.tags ?? [])])],
      scopes: [...new Set([...source.scopes, ...(group?.scopes ?? []), ...(definition.scopes ?? [])])],
      ...(missingScopes === undefined ? {} : { missingScopes }),
      annotations: {
        readOnlyHint: readOnly === true,
        destructiveHint: destructive === true,
        idempotentHint: idempotent === true,
        ...(openWorldHint === undefined ? {} : { openWorldHint }),
      },
      middleware: [...(group?.middleware ?? []), ...(middleware ?? [])],
      handler: definition.handler as AnyToolDefinition<never>['handler'],
    },
  });
}

/** Description of an action in the flat exposure, which requires one: its own, or the best fallback. */
function describe(source: PlanSource, { key, definition, group }: ActionRecord): string {
  const own = definition.description?.trim();
  if (own !== undefined && own !== '') return own;
  const around = group?.description ?? source.description ?? source.name;
  return `${around.replace(/[.\s]+$/, '')}: ${key}`;
}

interface PlannedFields {
  readonly schema: Schema;
  readonly common: readonly string[];
}

/** Combines common and own fields into one schema. Own fields replace common ones of the same name. */
function planFields(source: PlanSource, { definition, group, key }: ActionRecord): PlannedFields {
  const owner = `Action "${key}" of builder "${source.name}"`;
  const own = fromFields(definition.schema);
  const ownNames = own === undefined ? [] : namesOf(own, `${owner}: the schema`, 'schema');
  const omitted = definition.omitCommonFields ?? [];
  const commons = [...source.commonSchemas, ...(group?.commonSchemas ?? [])];
  const named = commons.map((schema) =>
    namesOf(schema, `Builder "${source.name}": the common schema`, 'commonSchema'),
  );
  assertOmitted(omitted, named.flat(), owner);
  const kept: Schema[] = [];
  const common: string[] = [];
  for (const [index, schema] of commons.entries()) {
    const names = named[index] ?? [];
    // Fields of the group's common schema replace those of the tool's, and own fields replace both.
    const later = new Set([...ownNames, ...named.slice(index + 1).flat(), ...omitted]);
    const gone = names.filter((name) => later.has(name));
    common.push(...names.filter((name) => !later.has(name)));
    if (gone.length < names.length || names.length === 0)
      kept.push(about({ option: 'commonSchema' }, () => omitFields(schema, gone, owner)));
  }
  const taken = definition.confirm === undefined ? [] : [CONFIRMATION_ARGUMENT];
  const stranger = [...ownNames, ...common, ...taken].find((name) => name === source.discriminator);
  if (stranger !== undefined) {
    throw new DefinitionError(
      `${owner} has a field "${stranger}", which is the discriminator of this tool. Rename the field, or set another discriminator with .discriminator().`,
      { option: 'schema', path: [stranger] },
    );
  }
  return { schema: joinSchemas(own === undefined ? kept : [...kept, own]), common };
}

function assertOmitted(omitted: readonly string[], fields: readonly string[], owner: string): void {
  const unknown = omitted.find((name) => !fields.includes(name));
  if (unknown === undefined) return;
  const known = fields.length === 0 ? 'There are no common fields.' : `Common fields: ${fields.join(', ')}.`;
  throw new DefinitionError(`${owner}: unknown common field "${unknown}" in omitCommonFields. ${known}`, {
    option: 'omitCommonFields',
    expected: fields,
    received: unknown,
  });
}

/**
 * Field names of common schemas, cached: each action needs them, and converting schemas is the expensive part of
 * planning.
 */
const knownNames = new WeakMap<Schema, readonly string[]>();

function namesOf(schema: Schema, owner: string, option: 'commonSchema' | 'schema'): readonly string[] {
  const names =
    knownNames.get(schema) ??
    about({ option }, () => fieldNames(toObjectDocument(schema, { owner, side: 'input' })));
  knownNames.set(schema, names);
  return names;
}
