import type { SchemaNode } from '../../../schema/nodes/json-node.ts';

/** The schema or null. Annotations stay outside. */
export function withNull(node: SchemaNode): SchemaNode {
  const { type, enum: values, const: constant } = node as { type?: unknown; enum?: unknown; const?: unknown };
  if (constant !== undefined) return unionWithNull(node);
  const isUnion = 'anyOf' in node || 'oneOf' in node || 'allOf' in node || '$ref' in node || 'not' in node;
  if (isUnion) return unionWithNull(node);
  const types = type === undefined ? [] : Array.isArray(type) ? (type as unknown[]) : [type];
  return {
    ...node,
    ...(types.length === 0 || types.includes('null') ? {} : { type: [...types, 'null'] }),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

const OUTSIDE = ['title', 'description', 'default', 'deprecated', 'examples'] as const;

function unionWithNull(node: SchemaNode): SchemaNode {
  const outside = Object.fromEntries(OUTSIDE.filter((key) => key in node).map((key) => [key, node[key]]));
  const inside = Object.fromEntries(
    Object.entries(node).filter(([key]) => !(OUTSIDE as readonly string[]).includes(key)),
  );
  const [only] = Object.keys(inside);
  const branches = inside['anyOf'];
  if (only === 'anyOf' && Object.keys(inside).length === 1 && Array.isArray(branches))
    return { ...outside, anyOf: [...(branches as unknown[]), { type: 'null' }] };
  return { ...outside, anyOf: [inside, { type: 'null' }] };
}
