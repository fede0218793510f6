import { isNode } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import { mapArray, mapObject } from './map-members.ts';
import type { SchemaView } from './schema-view.ts';

/**
 * Undoes what models often do: a number, boolean, array or object sent as a JSON string. Only where the schema accepts no
 * string, and only if the text parses to a type that it does accept; everything else stays as it came.
 */
export function repairArguments(view: SchemaView, value: unknown): unknown {
  view.begin();
  const visit = (node: SchemaNode, current: unknown): unknown => {
    const repaired = typeof current === 'string' ? repairText(current, view.acceptedTypes(node)) : current;
    if (Array.isArray(repaired)) {
      const place = view.at(node, repaired);
      return mapArray(repaired as readonly unknown[], (element, index) => {
        const child = place.item(index);
        return child === undefined ? element : visit(child, element);
      });
    }
    if (!isNode(repaired)) return repaired;
    const place = view.at(node, repaired);
    return mapObject(repaired, (key, member) => {
      const child = place.child(key);
      return child === undefined ? member : visit(child, member);
    });
  };
  return visit(view.root, value);
}

/** JSON's own notation for numbers: no hexadecimal, no blanks, no Infinity. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function repairText(text: string, accepted: ReadonlySet<string> | undefined): unknown {
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
  return isContainer ? (parseContainer(trimmed) ?? text) : text;
}

/** A number that a double cannot hold as written is an identifier, not a quantity: leave it for the validator to refuse. */
function isExact(digits: string, number: number): boolean {
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return false;
  return significantDigits(digits) === significantDigits(String(number));
}

function significantDigits(number: string): string {
  const [mantissa = ''] = number.split(/[eE]/, 1);
  const digits = mantissa.replaceAll(/[-.]/g, '').replace(/^0+/, '');
  // Not with an expression, which would look for the end after every zero of a long number.
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The nesting that transports let through. */
const MAX_DEPTH = 128;

/**
 * What was hidden in a string has passed none of the checks at the transport, so it must pass them here: no nesting that breaks
 * whoever walks it, no keys that reach a prototype.
 */
function parseContainer(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return isHarmless(parsed, 0) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isHarmless(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH || Object.hasOwn(value, '__proto__')) return false;
  const { constructor } = value as { constructor?: unknown };
  if (Object.hasOwn(value, 'constructor') && isNode(constructor) && Object.hasOwn(constructor, 'prototype'))
    return false;
  return Object.values(value).every((member) => isHarmless(member, depth + 1));
}
