import { isNode } from '../../../schema/nodes/json-node.ts';
import type { JsonObject } from '../../model/operation.ts';

/** Readers for members of documents, whose types are unknown. */

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function flagOf(value: unknown): boolean {
  return value === true || value === 'true';
}

export function objectOf(value: unknown): JsonObject {
  return isNode(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The strings of an array; numbers are treated as unquoted strings. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((each) =>
    typeof each === 'string' ? [each] : typeof each === 'number' ? [String(each)] : [],
  );
}

/** An own member of an object. */
export function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Members whose names begin with `x-`. */
export function extensionsOf(object: JsonObject): JsonObject {
  // Fast path: most objects have none.
  if (!Object.keys(object).some((key) => key.startsWith('x-'))) return NONE;
  return Object.fromEntries(Object.entries(object).filter(([key]) => key.startsWith('x-')));
}

const NONE: JsonObject = Object.freeze({});
