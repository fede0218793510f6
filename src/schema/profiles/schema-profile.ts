import { flattenUnions } from './flatten-unions.ts';
import type { UnlistedKeys } from './flatten-unions.ts';
import { inlineRefs } from './inline-refs.ts';
import type { SchemaNode } from '../nodes/json-node.ts';

/**
 * The JSON Schema features that a client supports.
 *
 * - `full`: JSON Schema 2020-12
 * - `no-ref`: no references; definitions are inlined
 * - `no-union`: in addition no `anyOf`, `oneOf`, `allOf`, `not` and conditions; alternatives are merged into one schema
 */
export type SchemaProfile = 'full' | 'no-ref' | 'no-union';

/** Options of {@link applySchemaProfile}. */
export interface SchemaProfileOptions {
  /**
   * Handling of keys that one alternative lists and another does not. `kept`: the other accepts them with any value, as in JSON Schema.
   * `dropped`: the server drops them there, so they keep the schema of the alternative that lists them.
   */
  readonly unlistedKeys?: UnlistedKeys;
}

/**
 * Rewrites a document for a client's profile. The result accepts everything the document accepts; where it accepts more, the description
 * has a note.
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
