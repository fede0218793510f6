import { DefinitionPool, pointRefs } from '../nodes/definition-pool.ts';
import type { WriteSchema } from '../nodes/definition-pool.ts';
import { isNode, listedChildren, mapSubschemas, withoutNames } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { SchemaView } from '../view/schema-view.ts';

/**
 * Role of a schema in the description of an object.
 *
 * - `whole`: it alone describes the object, so it can be closed
 * - `part`: others describe the same object, so closing it would reject their keys; its members are still closed
 * - `condition`: it is only a condition (`if`, `not`, `contains`); closing anything in it would change its result
 */
type Role = 'whole' | 'part' | 'condition';

/**
 * Adds `additionalProperties: false` to every object, at every depth, that lists properties and has no rule for other keys.
 * `unknownArguments: 'reject'` advertises this.
 *
 * Where several parts describe one object, `unevaluatedProperties: false` is added once, where they meet. A definition that is
 * referred to in several roles is written once per role.
 */
export function closeObjects(root: SchemaNode): SchemaNode {
  const view = new SchemaView(root);
  const pool = new DefinitionPool();
  const close: WriteSchema<Role> = (schema, refTo, role = 'whole') => {
    if (!isNode(schema)) return schema;
    const meets = role !== 'condition' && describers(schema) > 1;
    const partRole: Role = role === 'whole' && meets ? 'part' : role;
    const closed = pointRefs(
      mapSubschemas(withoutNames(schema), (child, keyword) =>
        close(child, refTo, roleOf(keyword, role, partRole)),
      ),
      (ref) => (partRole === 'whole' && view.resolve(ref) === root ? '#' : refTo(ref, partRole)),
    );
    if (role === 'whole' && (meets || hasOwnKeys(schema)) && isUnsaid(schema, view))
      closed[meets ? 'unevaluatedProperties' : 'additionalProperties'] = false;
    return closed;
  };
  const closed = pool.embed(root, root, close);
  const { $schema, $id } = root as { $schema?: unknown; $id?: unknown };
  const $defs = pool.definitions();
  return {
    ...($schema === undefined ? {} : { $schema }),
    ...($id === undefined ? {} : { $id }),
    ...closed,
    ...($defs === undefined ? {} : { $defs }),
  };
}

const CONDITIONS: ReadonlySet<string> = new Set(['if', 'not', 'contains', 'propertyNames', 'contentSchema']);
const ALWAYS_PARTS: ReadonlySet<string> = new Set(['then', 'else', 'dependentSchemas']);
const COMBINED: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

function roleOf(keyword: string, role: Role, partRole: Role): Role {
  if (role === 'condition' || CONDITIONS.has(keyword)) return 'condition';
  if (ALWAYS_PARTS.has(keyword)) return 'part';
  return COMBINED.has(keyword) ? partRole : 'whole';
}

/** Number of parts that describe the keys of one object here. */
function describers(node: SchemaNode): number {
  let count = hasOwnKeys(node) ? 1 : 0;
  for (const keyword of ['$ref', '$dynamicRef', 'anyOf', 'oneOf']) if (keyword in node) count += 1;
  count += listedChildren(node, 'allOf').length;
  // A conditional part always has the rest of the node beside it.
  if (['then', 'else', 'dependentSchemas'].some((keyword) => keyword in node)) count += 2;
  return count;
}

function hasOwnKeys(node: SchemaNode): boolean {
  return isNode(node['properties']) || isNode(node['patternProperties']);
}

/** Whether properties are listed here, and no part that always applies has a rule for other keys. */
function isUnsaid(node: SchemaNode, view: SchemaView): boolean {
  const saysOthers = view
    .facetsOf(node)
    .nodes.some((part) => 'additionalProperties' in part || 'unevaluatedProperties' in part);
  return !saysOthers && view.nodesOfValue(node).some((part) => isNode(part['properties']));
}
