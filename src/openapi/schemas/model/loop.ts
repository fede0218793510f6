import type { SchemaNode } from '../../../schema/nodes/json-node.ts';

/** Placeholder for a schema that would refer back to itself without a step into the value. Compared by identity. */
export const LOOP: SchemaNode = Object.freeze({});
