import { DefinitionPool, pointRefs } from '../nodes/definition-pool.ts';
import type { WriteSchema } from '../nodes/definition-pool.ts';
import { isNode, listedChildren, mapSubschemas, withoutNames } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { SchemaView } from '../view/schema-view.ts';

/**
 * How a schema takes part in describing an object.
 *
 * - `whole`: it alone describes the object, so it can be closed
 * - `part`: others describe the same object, so closing it would refuse their keys; its members are closed all the same
 * - `condition`: it only asks a question (`if`, `not`, `contains`), and closing anything in it would change the answer
 */
type Role = 'whole' | 'part' | 'condition';

/**
 * The schema with `additionalProperties: false` wherever it lists properties and leaves other keys open by silence, at
 * every depth. This is what `unknownArguments: 'reject'` advertises.
 *
 * Where several parts describe one object, `unevaluatedProperties: false` stands once, where they meet. A definition that is
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

/** How many parts describe the keys of one object here. */
function describers(node: SchemaNode): number {
  let count = hasOwnKeys(node) ? 1 : 0;
  for (const keyword of ['$ref', '$dynamicRef', 'anyOf', 'oneOf']) if (keyword in node) count += 1;
  count += listedChildren(node, 'allOf').length;
  // What applies to some values only always has the rest of the node beside it.
  if (['then', 'else', 'dependentSchemas'].some((keyword) => keyword in node)) count += 2;
  return count;
}

function hasOwnKeys(node: SchemaNode): boolean {
  return isNode(node['properties']) || isNode(node['patternProperties']);
}

/** Whether keys are listed here, and nothing that always applies says anything about others. */
function isUnsaid(node: SchemaNode, view: SchemaView): boolean {
  const saysOthers = view
    .facetsOf(node)
    .nodes.some((part) => 'additionalProperties' in part || 'unevaluatedProperties' in part);
  return !saysOthers && view.nodesOfValue(node).some((part) => isNode(part['properties']));
}
