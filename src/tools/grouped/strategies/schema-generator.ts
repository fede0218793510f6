import { DefinitionPool } from '../../../schema/nodes/definition-pool.ts';
import { withoutSharedHeaders } from '../../../schema/convert/header-arguments.ts';
import { namedChildren } from '../../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../../schema/nodes/json-node.ts';
import { sameJson } from '../../../base/json/same-json.ts';
import { SchemaView } from '../../../schema/view/schema-view.ts';
import type { InternalAction } from '../action/internal-action.ts';
import { mergeField } from './field-notes.ts';
import type { FieldUse } from './field-notes.ts';
import { getFields as readFields } from './schema-utils.ts';
import type { ActionField } from './schema-utils.ts';

/** Input of {@link generateInputSchema}. */
export interface InputSchemaSource {
  readonly actions: readonly InternalAction[];
  /** Name of the argument that selects the action. */
  readonly discriminator: string;
  /** Whether the keys of the actions are `group.action`. Default: false. */
  readonly hasGroup?: boolean;
  /** Returns the fields of an action. Default: `SchemaUtils.getFields`. */
  readonly getFields?: typeof readFields | undefined;
}

/**
 * Generates one input schema for all actions: the discriminator, and every field with the actions it is for. It
 * accepts all arguments that one of the actions accepts; the action validates them with its own schema.
 */
export function generateInputSchema(source: InputSchemaSource): SchemaNode {
  const { discriminator, hasGroup = false } = source;
  const { actions, definitions } = embedInputs(source.actions);
  const { getFields = readFields } = source;
  const all = new Set(actions.flatMap((action) => [...getFields(action).keys()]));
  // An action with additional properties also accepts the keys of other actions, with its own types.
  const fields = new Map(actions.map((action) => [action.key, getFields(action, all)]));
  const names = [
    ...actions.flatMap((action) => action.commonFields),
    ...[...fields.values()].flatMap((own) => [...own.keys()]),
  ];
  const alwaysRequired = (name: string): boolean =>
    actions.length > 0 &&
    actions.every(
      ({ key, commonFields }) => commonFields.includes(name) && fields.get(key)?.get(name)?.required === true,
    );
  const keys = actions.map(({ key }) => key);
  const merged: [string, SchemaNode][] = [];
  const required = [discriminator];
  for (const name of new Set(names)) {
    const uses = usesOf(fields, name);
    if (uses.length === 0 || name === discriminator) continue;
    merged.push([name, mergeField(uses, { isAlwaysRequired: alwaysRequired(name), keys })]);
    if (alwaysRequired(name)) required.push(name);
  }
  const choice = {
    type: 'string',
    enum: actions.map(({ key }) => key),
    description: `The action to perform${hasGroup ? ', written as module.action' : ''}.`,
  };
  return withoutSharedHeaders({
    type: 'object',
    properties: Object.fromEntries([[discriminator, choice], ...merged]),
    required,
    ...(actions.every(isClosed) ? { additionalProperties: false } : {}),
    ...(definitions === undefined ? {} : { $defs: definitions }),
  });
}

/**
 * Generates one output schema for all actions; undefined unless every action has an output schema with an object
 * root.
 */
export function generateOutputSchema(actions: readonly InternalAction[]): SchemaNode | undefined {
  const outputs = actions.map(({ outputSchema }) => outputSchema).filter((output) => output !== undefined);
  const [first] = outputs;
  const areObjects = outputs.every((output) => output['type'] === 'object');
  if (first === undefined || outputs.length < actions.length || !areObjects) return undefined;
  const pool = new DefinitionPool();
  const embedded = outputs.map((output) => pool.embed(output));
  const distinct = embedded.filter(
    (output, index) => embedded.findIndex((other) => sameJson(other, output)) === index,
  );
  if (distinct.length === 1) return first;
  const definitions = pool.definitions();
  return { type: 'object', anyOf: distinct, ...(definitions === undefined ? {} : { $defs: definitions }) };
}

/** The actions with their schemas embedded in shared definitions. */
function embedInputs(actions: readonly InternalAction[]): {
  readonly actions: readonly InternalAction[];
  readonly definitions: SchemaNode | undefined;
} {
  const pool = new DefinitionPool();
  const roots = actions.map(({ inputSchema }) => pool.embed(inputSchema));
  const definitions = pool.definitions();
  const embedded = actions.map((action, index) => ({
    ...action,
    inputSchema: { ...roots[index], ...(definitions === undefined ? {} : { $defs: definitions }) },
  }));
  return { actions: embedded, definitions };
}

function usesOf(fields: ReadonlyMap<string, ReadonlyMap<string, ActionField>>, name: string): FieldUse[] {
  return [...fields].flatMap(([key, own]) => {
    const field = own.get(name);
    return (field?.variants ?? []).map((schema) => ({ key, schema, required: field?.required === true }));
  });
}

/** Whether an action rejects every key that its schema does not list. */
function isClosed({ inputSchema }: InternalAction): boolean {
  const view = new SchemaView(inputSchema);
  const everything = view.nodesOfValue(inputSchema);
  if (everything.some((node) => namedChildren(node, 'patternProperties').length > 0)) return false;
  // A subschema that accepts any key does so even if the root is closed: keys that it evaluates are not
  // "unevaluated".
  const isOpen = (rest: unknown): boolean => rest !== undefined && rest !== false;
  if (
    everything.some((node) => isOpen(node['additionalProperties']) || isOpen(node['unevaluatedProperties']))
  )
    return false;
  const isClosedAt = (node: SchemaNode): boolean => {
    const { nodes, choices } = view.facetsOf(node);
    const isOwn = nodes.some(
      (part) => part['additionalProperties'] === false || part['unevaluatedProperties'] === false,
    );
    return isOwn || choices.some((choice) => choice.every(isClosedAt));
  };
  return isClosedAt(inputSchema);
}
