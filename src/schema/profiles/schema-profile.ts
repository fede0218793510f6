import { flattenUnions } from './flatten-unions.ts';
import type { UnlistedKeys } from './flatten-unions.ts';
import { inlineRefs } from './inline-refs.ts';
import type { SchemaNode } from '../nodes/json-node.ts';

/**
 * What a client can read.
 *
 * - `full`: JSON Schema 2020-12
 * - `no-ref`: no references; definitions are written out
 * - `no-union`: in addition no `anyOf`, `oneOf`, `allOf`, `not` and conditions; alternatives become one schema
 */
export type SchemaProfile = 'full' | 'no-ref' | 'no-union';

/** How {@link applySchemaProfile} treats details. */
export interface SchemaProfileOptions {
  /**
   * What becomes of keys that one alternative lists and another does not. `kept`: the other takes them with any value, as JSON Schema
   * says. `dropped`: the server drops them there, so they keep the schema of the alternative that lists them.
   */
  readonly unlistedKeys?: UnlistedKeys;
}

/**
 * A document in the words that a client can read. It accepts whatever the document accepts; where it accepts more, the
 * description says so.
 */
export function applySchemaProfile(
  document: SchemaNode,
  profile: SchemaProfile,
  { unlistedKeys = 'kept' }: SchemaProfileOptions = {},
): SchemaNode {
  if (profile === 'full') return document;
  const inlined = inlineRefs(document);
  return profile === 'no-ref' ? inlined : flattenUnions(inlined, unlistedKeys);
}
