import { DefinitionError } from '../errors.ts';
import { optionPathOf } from '../finding.ts';
import type { FindingData } from '../finding.ts';

/** A wrong value. Both the message and the data of its error are derived from it. */
export interface WrongValue extends Pick<FindingData, 'option' | 'path'>, ErrorOptions {
  /** A description, or the allowed values. */
  readonly expected: string | readonly string[];
  /** Omitted if it may be a secret. */
  readonly value?: unknown;
}

/** The error for a wrong value of an option or member. `owner`: its function, class or definition, such as `createServer` or `Tool "add"`. */
export function wrongValue(owner: string, given: WrongValue): DefinitionError {
  const { value, ...data } = given;
  const place = `${owner}: ${optionPathOf(given)}`;
  const expected = wordsOf(given.expected);
  const isGiven = Object.hasOwn(given, 'value');
  if (isGiven && value === undefined)
    return new DefinitionError(`${place} is required; expected ${expected}.`, {
      ...data,
      reason: 'wrong-value',
    });
  const received = isGiven ? { received: describeValue(value) } : {};
  const found = isGiven ? `; received ${received.received}` : '';
  return new DefinitionError(`${place} must be ${expected}${found}.`, {
    ...data,
    ...received,
    reason: 'wrong-value',
  });
}

/** `"a", "b" or "c"` for allowed values; a description is returned unchanged. */
export function wordsOf(expected: string | readonly string[]): string {
  if (typeof expected === 'string') return expected;
  const quoted = expected.map((choice) => `"${choice}"`);
  return [...quoted.slice(0, -2), quoted.slice(-2).join(' or ')].join(', ');
}

/** A value as messages show it; objects and arrays by their type only. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_SHOWN));
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value).slice(0, MAX_SHOWN);
  return Array.isArray(value) ? 'an array' : 'an object';
}

const MAX_SHOWN = 140;
