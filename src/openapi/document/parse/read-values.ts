import { isNode } from '../../../schema/nodes/json-node.ts';
import type { JsonObject } from '../../model/operation.ts';

/** Readers for members of documents, which may be anything. */

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

/** The texts of a list; numbers are texts that nobody quoted. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).flatMap((each) =>
    typeof each === 'string' ? [each] : typeof each === 'number' ? [String(each)] : [],
  );
}

/** A member that the object itself has. */
export function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The members whose names begin with `x-`. */
export function extensionsOf(object: JsonObject): JsonObject {
  // Most objects have none.
  if (!Object.keys(object).some((key) => key.startsWith('x-'))) return NONE;
  return Object.fromEntries(Object.entries(object).filter(([key]) => key.startsWith('x-')));
}

const NONE: JsonObject = Object.freeze({});
