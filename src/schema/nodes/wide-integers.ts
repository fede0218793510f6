import { allNodes } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';

/** Integer formats that a double cannot represent, and their ranges. */
const RANGES: ReadonlyMap<unknown, readonly [bigint, bigint]> = new Map([
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['long', [-(2n ** 63n), 2n ** 63n - 1n]],
  ['uint64', [0n, 2n ** 64n - 1n]],
]);

/** An integer in JSON notation, with at most the digits of 64 bits. */
const DIGITS = /^(?:0|-?[1-9]\d{0,19})$/;

/** Whether a format is an integer format that a double cannot represent. */
export function isWideFormat(format: unknown): format is string {
  return RANGES.has(format);
}

/** Whether an integer is in the range of a format; true for unknown formats. */
export function isInRange(integer: bigint, format: unknown): boolean {
  const range = RANGES.get(format);
  return range === undefined || (integer >= range[0] && integer <= range[1]);
}

/** Whether a value is a string of digits that represents such an integer. */
export function isDigits(value: unknown): value is string {
  return typeof value === 'string' && DIGITS.test(value);
}

/** Whether any part of a schema has such a format. */
export function hasWideIntegers(root: SchemaNode): boolean {
  return [...allNodes(root)].some(({ format }) => isWideFormat(format));
}
