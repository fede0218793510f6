import type { SchemaNode } from '../../../../../src/schema/nodes/json-node.ts';
import type { InternalAction } from '../../../../../src/tools/grouped/action/internal-action.ts';

/** An action with only a key; `users.create` is in a group. */
export function createAction(key: string, members: Partial<InternalAction> = {}): InternalAction {
  const [group, name] = key.includes('.') ? key.split('.') : [undefined, key];
  return {
    key,
    actionName: name ?? key,
    groupName: group,
    description: undefined,
    inputSchema: { type: 'object', properties: {} },
    outputSchema: undefined,
    commonFields: [],
    destructive: undefined,
    readOnly: undefined,
    idempotent: undefined,
    examples: [],
    ...members,
  };
}

/** An object document; names with a final `?` are optional. */
export function objectOf(fields: Readonly<Record<string, unknown>>, more: SchemaNode = {}): SchemaNode {
  const names = Object.keys(fields);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name]])),
    ...(required.length === 0 ? {} : { required }),
    ...more,
  };
}
