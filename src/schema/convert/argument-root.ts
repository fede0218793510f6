import { SchemaError } from '../../errors/errors.ts';
import { editValue } from './edit-value.ts';
import { listedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { SchemaView } from '../view/schema-view.ts';

/** Ensures that the root is an object, because arguments are. A union of objects stays a union, with `type: object` beside it. */
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
 * Makes these arguments optional. A call without a supplied argument is valid, so the advertised schema must not require it, not even in a
 * union or another definition.
 */
export function withOptional(root: SchemaNode, supplied: readonly string[]): SchemaNode {
  if (supplied.length === 0) return root;
  const isSupplied = (name: unknown): boolean => supplied.includes(String(name));
  return editValue(root, {
    keywords: APPLIED,
    concerns: (node) => listedChildren(node, 'required').some(isSupplied),
    edit: (node) => {
      const { required: _required, ...relaxed } = node as Record<string, unknown>;
      const remaining = listedChildren(node, 'required').filter((name) => !isSupplied(name));
      return remaining.length === 0 ? relaxed : { ...relaxed, required: remaining };
    },
  });
}

/** Keywords whose subschemas require something. Conditions are not changed: relaxed, they would match other values. */
const APPLIED: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);
