import { isNode, listedChildren, mapSubschemas } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { createRefResolver } from '../nodes/resolve-ref.ts';
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
  const definitions = new Definitions(root);

  const close = (schema: unknown, role: Role): unknown => {
    if (!isNode(schema)) return schema;
    const {
      $defs: _defs,
      definitions: _definitions,
      $anchor: _a,
      $dynamicAnchor: _d,
      ...rest
    } = schema as Record<string, unknown>;
    const meets = role !== 'condition' && describers(schema) > 1;
    const partRole: Role = role === 'whole' && meets ? 'part' : role;
    const closed = mapSubschemas(rest, (child, keyword) => close(child, roleOf(keyword, role, partRole)));
    pointTo(closed, (ref) => definitions.refTo(ref, partRole));
    if (role === 'whole' && (meets || hasOwnKeys(schema)) && isUnsaid(schema, view))
      closed[meets ? 'unevaluatedProperties' : 'additionalProperties'] = false;
    return closed;
  };

  const closed = close(root, 'whole') as SchemaNode;
  const written = definitions.writeAll(close);
  return written === undefined ? closed : { ...closed, $defs: written };
}

/** The definitions that the closed document needs, each in the roles in which it is referred to. */
class Definitions {
  readonly #root: SchemaNode;
  readonly #resolve: (ref: string) => unknown;
  readonly #names = new Map<unknown, Map<Role, string>>();
  readonly #taken = new Set<string>();
  readonly #waiting: { readonly name: string; readonly target: unknown; readonly role: Role }[] = [];

  constructor(root: SchemaNode) {
    this.#root = root;
    this.#resolve = createRefResolver(root);
  }

  /** The reference to a target in a role. */
  refTo(ref: string, role: Role): string {
    const target = this.#resolve(ref);
    if (target === this.#root && role === 'whole') return '#';
    const names = this.#names.get(target) ?? new Map<Role, string>();
    this.#names.set(target, names);
    let name = names.get(role);
    if (name === undefined) {
      name = this.#freeName(ref.slice(ref.lastIndexOf('/') + 1).replace(/^#/, '') || 'root', role);
      names.set(role, name);
      this.#waiting.push({ name, target, role });
    }
    return `#/$defs/${name}`;
  }

  /** Writes every definition, also those that are first referred to while others are written. */
  writeAll(close: (schema: unknown, role: Role) => unknown): Record<string, unknown> | undefined {
    const written: [string, unknown][] = [];
    // The list grows while it is walked.
    for (const { name, target, role } of this.#waiting) written.push([decodeName(name), close(target, role)]);
    return written.length === 0 ? undefined : Object.fromEntries(written);
  }

  #freeName(wanted: string, role: Role): string {
    let name = wanted;
    for (let count = 1; this.#taken.has(name); count += 1)
      name = count === 1 ? `${wanted}-${role}` : `${wanted}-${role}-${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** A name as it stands in a reference, back to the key it means. */
function decodeName(name: string): string {
  let decoded = name;
  try {
    decoded = decodeURIComponent(name);
  } catch {
    // Not percent-encoded after all: take it as it is written.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Rewrites the references of a node. In one document without embedded others, a dynamic reference is a plain one. */
function pointTo(target: Record<string, unknown>, rewrite: (ref: string) => string): void {
  const { $ref, $dynamicRef } = target as { $ref?: unknown; $dynamicRef?: unknown };
  delete target['$dynamicRef'];
  if (typeof $ref === 'string') target['$ref'] = rewrite($ref);
  if (typeof $dynamicRef !== 'string') return;
  if (typeof $ref !== 'string') target['$ref'] = rewrite($dynamicRef);
  else target['allOf'] = [...listedChildren(target, 'allOf'), { $ref: rewrite($dynamicRef) }];
}

const CONDITIONS: ReadonlySet<string> = new Set(['if', 'not', 'contains', 'propertyNames', 'contentSchema']);
const ALWAYS_PARTS: ReadonlySet<string> = new Set(['then', 'else', 'dependentSchemas']);
const SAME_VALUE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

function roleOf(keyword: string, role: Role, partRole: Role): Role {
  if (role === 'condition' || CONDITIONS.has(keyword)) return 'condition';
  if (ALWAYS_PARTS.has(keyword)) return 'part';
  return SAME_VALUE.has(keyword) ? partRole : 'whole';
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
