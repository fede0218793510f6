import { isNode } from '../../../schema/nodes/json-node.ts';
import { refOf } from '../../document/references.ts';

/** The reference that a schema is, of any kind. In one document without embedded others, a dynamic reference is a plain one. */
export function schemaRefOf(value: unknown): string | undefined {
  return refOf(value) ?? dynamicRefOf(value);
}

/** A reference whose meaning can depend on who refers to the schema that it stands in. */
export function dynamicRefOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  const { $dynamicRef, $recursiveRef } = value as { $dynamicRef?: unknown; $recursiveRef?: unknown };
  const ref = $dynamicRef ?? $recursiveRef;
  return typeof ref === 'string' ? ref : undefined;
}
