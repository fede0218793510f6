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
 * One schema for all actions with little in it: the actions, and the types of arguments that one of them requires. It takes whatever one of
 * the actions takes; the exact check is the action's own.
 */
export function generateBriefSchema(source: BriefSchemaSource): SchemaNode {
  const { actions, discriminator, hasGroup, describeKey } = source;
  const own = describeArguments(discriminator);
  const names = new Set(actions.flatMap((action) => listedNames(action, source)));
  names.delete(discriminator);
  const all = [...actions, describerOf(source)];
  const views = all.map((action) => ({
    view: new SchemaView(action.inputSchema),
    // An action that takes any key takes those that other actions name, with values of its own kind.
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

/** Arguments that results ask for. */
const ASKED_FOR: ReadonlySet<string> = new Set([CONFIRMATION_ARGUMENT, CONTINUE_ARGUMENT]);

/** The arguments that an action requires, those that results ask for, and those that travel as headers as well: proxies read them. */
function listedNames(action: InternalAction, { getFields: read }: BriefSchemaSource): string[] {
  const required = [...read(action)]
    .filter(([name, field]) => field.required || ASKED_FOR.has(name))
    .map(([name]) => name);
  const headers = headerArgumentsOf(action.inputSchema).flatMap(({ path }) =>
    path.length === 1 ? path : [],
  );
  return [...required, ...headers];
}

/** The action that describes the others, as far as its arguments go. */
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

/** The arguments of all actions together. */
function mergeTypes(uses: readonly Use[]): SchemaNode {
  const types = uses.map(({ view, field }) => typesOfField(view, field));
  const merged = types.includes(undefined) ? undefined : new Set(types.flatMap((each) => [...(each ?? [])]));
  const header = agreedHeader(uses.flatMap(({ field }) => field.variants));
  return { ...typeKeyword(merged), ...(header === undefined ? {} : { [HEADER_KEYWORD]: header }) };
}
