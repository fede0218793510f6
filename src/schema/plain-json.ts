import { SchemaError } from '../errors/errors.ts';
import type { SchemaNode } from './json-node.ts';

/**
 * The document as it will look on the wire, detached from what the author holds. Everything after this reads the same thing
 * that clients read.
 */
export function toPlainJson(document: SchemaNode, owner: string): SchemaNode {
  try {
    return JSON.parse(JSON.stringify(document)) as SchemaNode;
  } catch (cause) {
    const reason = cause instanceof RangeError ? 'it is nested too deeply' : 'it contains itself or a BigInt';
    throw new SchemaError(`${owner} cannot be written as JSON: ${reason}.`, { cause });
  }
}

/** Freezes a JSON value at every depth. */
export function deepFreeze<TValue>(value: TValue): TValue {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
