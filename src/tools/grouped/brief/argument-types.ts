import { isNode } from '../../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../../schema/nodes/json-node.ts';
import { typeKeyword } from '../../../schema/nodes/json-types.ts';
import { SchemaView } from '../../../schema/view/schema-view.ts';
import type { InternalAction } from '../action/internal-action.ts';
import type { ActionField } from '../strategies/schema-utils.ts';

/** Types of arguments by name: `{ id: 'string', labels: 'string[]' }`. */
export type ArgumentTypes = Readonly<Record<string, string>>;

/** The fields of an action as `getFields` finds them. */
type Fields = ReadonlyMap<string, ActionField>;

/** The required arguments of an action with their types. */
export function requiredTypes({ inputSchema }: InternalAction, fields: Fields): ArgumentTypes {
  const view = new SchemaView(inputSchema);
  const required = [...fields].filter(([, field]) => field.required);
  return Object.fromEntries(required.map(([name, { variants }]) => [name, typeInWords(view, variants)]));
}

/** Types that an action accepts for an argument; undefined for any. */
export function typesOfField(view: SchemaView, { variants }: ActionField): ReadonlySet<string> | undefined {
  const types = variants.map((variant) => view.acceptedTypes(variant));
  return types.includes(undefined) ? undefined : new Set(types.flatMap((each) => [...(each ?? [])]));
}

function typeInWords(view: SchemaView, variants: readonly SchemaNode[]): string {
  const types = typesOfField(view, { variants, required: true });
  const { type = 'any' } = typeKeyword(types) as { type?: string | readonly string[] };
  if (typeof type !== 'string') return type.join('|');
  return type === 'array' ? `${elementType(view, variants)}[]` : type;
}

/** Type of the elements of an array, if there is one. */
function elementType(view: SchemaView, variants: readonly SchemaNode[]): string {
  const items = variants.flatMap((variant) =>
    view
      .facetsOf(variant)
      .nodes.map((node) => node['items'])
      .filter(isNode),
  );
  const [first] = items;
  if (first === undefined || items.length > 1) return 'any';
  const { type } = typeKeyword(view.acceptedTypes(first)) as { type?: string | readonly string[] };
  return typeof type === 'string' ? type : 'any';
}
