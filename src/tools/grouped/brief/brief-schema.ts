import { CONFIRMATION_ARGUMENT } from '../../../pipeline/confirm.ts';
import { CONTINUE_ARGUMENT } from '../../../pipeline/tool/arguments.ts';
import {
  agreedHeader,
  HEADER_KEYWORD,
  headerArgumentsOf,
  withoutSharedHeaders,
} from '../../../schema/convert/header-arguments.ts';
import type { SchemaNode } from '../../../schema/nodes/json-node.ts';
import { typeKeyword } from '../../../schema/nodes/json-types.ts';
import { SchemaView } from '../../../schema/view/schema-view.ts';
import type { InternalAction } from '../action/internal-action.ts';
import type { ActionField, getFields } from '../strategies/schema-utils.ts';
import { typesOfField } from './argument-types.ts';
import { describeArguments } from './describe-action-names.ts';

/** The parts of a brief schema. */
export interface BriefSchemaSource {
  readonly actions: readonly InternalAction[];
  readonly discriminator: string;
  readonly hasGroup: boolean;
  /** The key of the action that describes the others. */
  readonly describeKey: string;
  readonly getFields: typeof getFields;
}

/**
 * One small schema for all actions: the discriminator, and the types of arguments that an action requires. It
 * accepts all arguments that one of the actions accepts; the action validates them with its own schema.
 */
export function generateBriefSchema(source: BriefSchemaSource): SchemaNode {
  const { actions, discriminator, hasGroup, describeKey } = source;
  const own = describeArguments(discriminator);
  const names = new Set(actions.flatMap((action) => listedNames(action, source)));
  names.delete(discriminator);
  const all = [...actions, describerOf(source)];
  const views = all.map((action) => ({
    view: new SchemaView(action.inputSchema),
    // An action with additional properties also accepts the keys of other actions, with its own types.
    fields: source.getFields(action, [...names, ...Object.values(own)]),
  }));
  const toProperty = (name: string): [string, SchemaNode] => [
    name,
    mergeTypes(
      views.flatMap(({ view, fields }) => {
        const field = fields.get(name);
        return field === undefined ? [] : [{ view, field }];
      }),
    ),
  ];
  const choice = {
    type: 'string',
    enum: [...actions.map(({ key }) => key), describeKey],
    description: `The action to perform${hasGroup ? ', written as module.action' : ''}.`,
  };
  return withoutSharedHeaders({
    type: 'object',
    properties: Object.fromEntries([
      [discriminator, choice],
      ...[...new Set([...names, ...Object.values(own)])].map(toProperty),
    ]),
    required: [discriminator],
  });
}

/** Arguments that results ask the model to send. */
const ASKED_FOR: ReadonlySet<string> = new Set([CONFIRMATION_ARGUMENT, CONTINUE_ARGUMENT]);

/**
 * Required arguments of an action, arguments that results ask for, and arguments that are also sent as headers,
 * which proxies read.
 */
function listedNames(action: InternalAction, { getFields: read }: BriefSchemaSource): string[] {
  const required = [...read(action)]
    .filter(([name, field]) => field.required || ASKED_FOR.has(name))
    .map(([name]) => name);
  const headers = headerArgumentsOf(action.inputSchema).flatMap(({ path }) =>
    path.length === 1 ? path : [],
  );
  return [...required, ...headers];
}

/** The action that describes the others, with its arguments only. */
function describerOf({ discriminator, describeKey }: BriefSchemaSource): InternalAction {
  const { of, path, whole } = describeArguments(discriminator);
  const properties = { [of]: { type: 'string' }, [path]: { type: 'string' }, [whole]: { type: 'boolean' } };
  return {
    key: describeKey,
    actionName: describeKey,
    inputSchema: { type: 'object', properties },
    commonFields: [],
    examples: [],
  };
}

interface Use {
  readonly view: SchemaView;
  readonly field: ActionField;
}

/** Merges the arguments of all actions. */
function mergeTypes(uses: readonly Use[]): SchemaNode {
  const types = uses.map(({ view, field }) => typesOfField(view, field));
  const merged = types.includes(undefined) ? undefined : new Set(types.flatMap((each) => [...(each ?? [])]));
  const header = agreedHeader(uses.flatMap(({ field }) => field.variants));
  return { ...typeKeyword(merged), ...(header === undefined ? {} : { [HEADER_KEYWORD]: header }) };
}
