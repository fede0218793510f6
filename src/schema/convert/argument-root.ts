import { SchemaError } from '../../errors/errors.ts';
import { isNode, listedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { createRefResolver } from '../nodes/resolve-ref.ts';
import { SchemaView } from '../view/schema-view.ts';

/** Arguments are an object. A union of objects may stay a union, with the type said beside it. */
export function withObjectRoot(schema: SchemaNode, owner: string): SchemaNode {
  if (schema['type'] === 'object') return schema;
  const accepted = new SchemaView(schema).acceptedTypes(schema);
  if (schema['type'] === undefined && accepted?.size === 1 && accepted.has('object')) {
    const { $schema, ...rest } = schema as { $schema?: unknown };
    return { ...($schema === undefined ? {} : { $schema }), type: 'object', ...rest };
  }
  const found = accepted === undefined ? 'anything' : [...accepted].join(' or ') || 'nothing';
  throw new SchemaError(
    `${owner} must describe an object, because the arguments of a tool are an object; it accepts ${found}. Wrap it, for example: z.object({ value: … }).`,
  );
}

/**
 * The schema with these arguments optional. Whoever leaves out an argument that is supplied has sent a valid call: the
 * advertised schema must say so, also where a union or another definition asks for the argument.
 */
export function withOptional(root: SchemaNode, supplied: readonly string[]): SchemaNode {
  if (supplied.length === 0) return root;
  const resolve = createRefResolver(root);
  const relax = (schema: unknown): unknown => {
    if (!isNode(schema)) return schema;
    const { required, $ref, ...relaxed } = schema as Record<string, unknown>;
    if (Array.isArray(required)) {
      const remaining = required.filter((name) => !supplied.includes(String(name)));
      if (remaining.length > 0) relaxed['required'] = remaining;
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      if (Array.isArray(relaxed[keyword])) relaxed[keyword] = listedChildren(relaxed, keyword).map(relax);
    }
    for (const keyword of ['then', 'else']) {
      if (isNode(relaxed[keyword])) relaxed[keyword] = relax(relaxed[keyword]);
    }
    // What is referred to may be used for members as well, where nobody supplies anything: relax a copy.
    if (typeof $ref === 'string')
      relaxed['allOf'] = [withoutNames(relax(resolve($ref))), ...listedChildren(relaxed, 'allOf')];
    return relaxed;
  };
  return relax(root) as SchemaNode;
}

/** A copy must not carry a name that the original already has in this document. */
function withoutNames(schema: unknown): unknown {
  if (!isNode(schema)) return schema;
  const { $id: _id, $anchor: _anchor, $dynamicAnchor: _dynamic, ...rest } = schema as Record<string, unknown>;
  return rest;
}
