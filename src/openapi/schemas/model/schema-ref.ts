import { isNode } from '../../../schema/nodes/json-node.ts';
import { refOf } from '../../document/references.ts';

/** The reference of a schema, of any kind. Within one document, a dynamic reference is a plain one. */
export function schemaRefOf(value: unknown): string | undefined {
  return refOf(value) ?? dynamicRefOf(value);
}

/** A reference whose target can depend on the schema that refers to its own schema. */
export function dynamicRefOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  const { $dynamicRef, $recursiveRef } = value as { $dynamicRef?: unknown; $recursiveRef?: unknown };
  const ref = $dynamicRef ?? $recursiveRef;
  return typeof ref === 'string' ? ref : undefined;
}
