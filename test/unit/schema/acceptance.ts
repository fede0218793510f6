import { Ajv2020 } from 'ajv/dist/2020.js';
import type { SchemaNode } from '../../../src/schema/nodes/json-node.ts';

/** The verdict of Ajv alone on a value. */
export function createAcceptance(document: SchemaNode): (value: unknown) => boolean {
  // Without its meta-schemas an Ajv instance is cheap, and property tests need one per document.
  const accepts = new Ajv2020({ strict: false, logger: false, meta: false, validateSchema: false }).compile(
    document,
  );
  return (value) => accepts(value) === true;
}
