import { ELEMENTS_PER_VALUE, emptyElementsOf } from '../../base/index-keys.ts';
import { isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { mapMembers } from '../../base/json/map-members.ts';
import type { SchemaView } from '../view/schema-view.ts';

/**
 * Parses a number, boolean, array or object that a model sent as a JSON string. Only where the schema accepts no string, and only if the
 * string parses to a type that it accepts; everything else stays unchanged.
 */
export function repairArguments(view: SchemaView, value: unknown): unknown {
  view.begin();
  const allowance: Allowance = { values: MAX_VALUES };
  const visit = (node: SchemaNode, current: unknown): unknown => {
    const repaired =
      typeof current === 'string' ? repairText(current, view.acceptedTypes(node), allowance) : current;
    if (typeof repaired !== 'object' || repaired === null) return repaired;
    const place = view.at(node, repaired);
    return mapMembers(repaired, (member, key) => {
      const child = place.member(key);
      return child === undefined ? member : visit(child, member);
    });
  };
  return visit(view.root, value);
}

/** JSON's notation for numbers: no hexadecimal, no whitespace, no Infinity. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function repairText(text: string, accepted: ReadonlySet<string> | undefined, allowance: Allowance): unknown {
  if (accepted === undefined || accepted.has('string')) return text;
  const trimmed = text.trim();
  if (accepted.has('integer') && JSON_NUMBER.test(trimmed)) {
    const number = Number(trimmed);
    const isWanted = accepted.has('number') || Number.isInteger(number);
    return isWanted && isExact(trimmed, number) ? number : text;
  }
  if (accepted.has('boolean') && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true';
  const isContainer =
    (accepted.has('array') && trimmed.startsWith('[')) || (accepted.has('object') && trimmed.startsWith('{'));
  return isContainer ? (parseContainer(trimmed, allowance) ?? text) : text;
}

/** A number that a double cannot represent exactly is an identifier, not a quantity: it stays a string, and validation rejects it. */
function isExact(digits: string, number: number): boolean {
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return false;
  return significantDigits(digits) === significantDigits(String(number));
}

function significantDigits(number: string): string {
  const [mantissa = ''] = number.split(/[eE]/, 1);
  const digits = mantissa.replaceAll(/[-.]/g, '').replace(/^0+/, '');
  // Without a regular expression, which would search for the end after every zero of a long number.
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Default limits of the transports for nesting and the number of values. */
const MAX_DEPTH = 128;
const MAX_VALUES = 50_000;

/** Number of values that the strings of one call may still add. */
interface Allowance {
  values: number;
}

/** A parsed string has passed none of the transport's checks, so they run here: number of values, nesting, keys that reach a prototype. */
function parseContainer(text: string, allowance: Allowance): unknown {
  // A string with too many values is not parsed at all.
  if (hasMoreMarks(text, allowance.values)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isHarmless(parsed, 0, allowance) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const MARKS: ReadonlySet<number> = new Set(Array.from(',[{', (mark) => mark.charCodeAt(0)));

/** Whether a text has more than `max` commas and opening brackets: every JSON value except the first of an array has one. */
function hasMoreMarks(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let marks = 0;
  for (let index = 0; index < text.length && marks <= max; index += 1)
    if (MARKS.has(text.charCodeAt(index))) marks += 1;
  return marks > max;
}

function isHarmless(value: unknown, depth: number, allowance: Allowance): boolean {
  allowance.values -= 1;
  if (typeof value !== 'object' || value === null) return allowance.values >= 0;
  if (!Array.isArray(value))
    allowance.values -= Math.floor(emptyElementsOf(Object.keys(value)) / ELEMENTS_PER_VALUE);
  if (allowance.values < 0 || depth >= MAX_DEPTH || Object.hasOwn(value, '__proto__')) return false;
  const { constructor } = value as { constructor?: unknown };
  if (Object.hasOwn(value, 'constructor') && isNode(constructor) && Object.hasOwn(constructor, 'prototype'))
    return false;
  return Object.values(value).every((member) => isHarmless(member, depth + 1, allowance));
}
