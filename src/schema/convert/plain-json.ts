import { SchemaError } from '../../errors/errors.ts';
import { isDeeperThan } from '../../base/json/json-depth.ts';
import type { SchemaNode } from '../nodes/json-node.ts';

/** Brackets in a document, data such as defaults included. A level of schema takes up to two or three of them. */
const MAX_DOCUMENT_DEPTH = 1000;
const TOO_DEEP = 'it is nested too deeply';

/**
 * The document as it will look on the wire, detached from what the author holds. Everything after this reads the same thing
 * that clients read.
 */
export function toPlainJson(document: SchemaNode, owner: string): SchemaNode {
  let json: string;
  try {
    json = JSON.stringify(document);
  } catch (cause) {
    const reason = cause instanceof RangeError ? TOO_DEEP : 'it is circular or contains a BigInt';
    throw new SchemaError(`${owner} cannot be serialized as JSON: ${reason}.`, { cause });
  }
  // Some engines give up on depth, others write it all the same; whoever walks the document later may not.
  if (isDeeperThan(json, MAX_DOCUMENT_DEPTH))
    throw new SchemaError(`${owner} cannot be serialized as JSON: ${TOO_DEEP}.`);
  return JSON.parse(json) as SchemaNode;
}

/** Freezes a JSON value at every depth. */
export function deepFreeze<TValue>(value: TValue): TValue {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) if (typeof member === 'object') deepFreeze(member);
  }
  return value;
}
