import { isNode } from '../../../schema/nodes/json-node.ts';

/** Keywords that can hold other schemas. */
const HOLDING: ReadonlySet<string> = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'contains',
  'propertyNames',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/** A schema with more values becomes a definition. */
const MAX_VALUES = 24;
const MAX_TEXT = 400;

/** Whether a schema is so small that it is inlined instead of referred to. */
export function isPlain(value: unknown): boolean {
  if (!isNode(value)) return false;
  const { enum: values, description } = value as { enum?: unknown; description?: unknown };
  if (Array.isArray(values) && values.length > MAX_VALUES) return false;
  if (typeof description === 'string' && description.length > MAX_TEXT) return false;
  // defence: schemas-that-hold-others
  return Object.keys(value).every((keyword) => !HOLDING.has(keyword));
}
