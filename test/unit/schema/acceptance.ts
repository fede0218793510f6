import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaNode } from '../../../src/schema/nodes/json-node.ts';

/** What Ajv, on its own, says of values by a document. */
export function createAcceptance(document: SchemaNode): (value: unknown) => boolean {
  // Without its meta-schemas an Ajv costs little, and properties need one per document.
  const accepts = new Ajv2020({ strict: false, logger: false, meta: false, validateSchema: false }).compile(
    document,
  );
  return (value) => accepts(value) === true;
}
