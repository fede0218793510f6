import { SchemaError } from '../../errors/errors.ts';
import { isDeeperThan } from '../../base/json/json-depth.ts';
import type { SchemaNode } from '../nodes/json-node.ts';

/** Maximum nesting of brackets in a document, including data such as defaults. A level of schema takes up to three. */
const MAX_DOCUMENT_DEPTH = 1000;
const TOO_DEEP = 'it is nested too deeply';

/** Serializes and parses a document, so that it is detached from the author's object and equals what clients get. */
export function toPlainJson(document: SchemaNode, owner: string): SchemaNode {
  let json: string;
  try {
    json = JSON.stringify(document);
  } catch (cause) {
    const reason = cause instanceof RangeError ? TOO_DEEP : 'it is circular or contains a BigInt';
    throw new SchemaError(`${owner} cannot be serialized as JSON: ${reason}.`, { cause });
  }
  // Some engines fail on deep nesting, others serialize it; recursive code that runs later may fail.
  if (isDeeperThan(json, MAX_DOCUMENT_DEPTH))
    throw new SchemaError(`${owner} cannot be serialized as JSON: ${TOO_DEEP}.`);
  return JSON.parse(json) as SchemaNode;
}
