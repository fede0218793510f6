import { allNodes } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';

/** Formats of integers that a double cannot hold, and their ranges. */
const RANGES: ReadonlyMap<unknown, readonly [bigint, bigint]> = new Map([
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['long', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['uint64', [0n, 2n ** 64n - 1n]],
]);

/** An integer as JSON writes it, of no more digits than 64 bits need. */
const DIGITS = /^(?:0|-?[1-9]\d{0,19})$/;

/** Whether a format is one of integers that a double cannot hold. */
export function isWideFormat(format: unknown): format is string {
  return RANGES.has(format);
}

/** Whether an integer is in the range of a format; of others nothing is known. */
export function isInRange(integer: bigint, format: unknown): boolean {
  const range = RANGES.get(format);
  return range === undefined || (integer >= range[0] && integer <= range[1]);
}

/** Whether a value is a text that can stand for such an integer. */
export function isDigits(value: unknown): value is string {
  return typeof value === 'string' && DIGITS.test(value);
}

/** Whether any part of a schema has such a format. */
export function hasWideIntegers(root: SchemaNode): boolean {
  return [...allNodes(root)].some(({ format }) => isWideFormat(format));
}
