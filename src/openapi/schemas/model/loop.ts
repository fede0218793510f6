import type { SchemaNode } from '../../../schema/nodes/json-node.ts';

/** In the place of a schema that would lead back to where it stands without a step into the value. Compared by identity. */
export const LOOP: SchemaNode = Object.freeze({});
