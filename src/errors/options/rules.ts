import { isObject, isStructure } from '../../base/is-object.ts';
import { assertKnown, placeOf } from '../assert-known.ts';
import type { Within } from '../assert-known.ts';
import { wrongValue } from './wrong-value.ts';
import type { WrongValue } from './wrong-value.ts';

/** Rule for the value of an option or of a member of a definition: a check, and the description or the allowed values that messages show. */
export type Rule = readonly [allows: Check, expected: string | readonly string[], traits?: RuleTraits];

interface RuleTraits {
  /** The value has no default. */
  readonly isRequired?: true;
  /** Messages do not show the value. */
  readonly isSecret?: true;
  /** Rule for the elements of an array: errors name the first one that violates it. */
  readonly elements?: Rule;
}

/** Whether a value is valid. */
export type Check = (value: unknown) => boolean;

/** Rules by option name. */
export type Rules<TName extends string = string> = Readonly<Record<TName, Rule>>;

export const isString: Check = (value) => typeof value === 'string';
export const isBoolean: Check = (value) => typeof value === 'boolean';
export const isFunction: Check = (value) => typeof value === 'function';

export const isJsonObject: Check = (value) => {
  try {
    return isObject(value) && typeof JSON.stringify(value) === 'string';
  } catch {
    return false;
  }
};

export function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** An object whose members pass their checks; every member is optional. */
export function hasMembers(checks: Readonly<Record<string, Check>>): Check {
  const members = Object.entries(checks);
  return (value) =>
    isObject(value) &&
    members.every(([key, check]) => {
      const member = (value as Record<string, unknown>)[key];
      return member === undefined || check(member);
    });
}

/** For values of any type, and for values that are validated elsewhere. */
export const ANY: Rule = [() => true, 'a value'];
export const STRING: Rule = [isString, 'a string'];
export const NON_EMPTY: Rule = [
  (value) => typeof value === 'string' && value.trim() !== '',
  'a non-empty string',
];
/** `token` of RFC 9110: a request can have no header of another name, and `Headers` throws for it. */
export const HEADER_NAME: Rule = [
  (value) => typeof value === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(value),
  'the name of a header, such as "x-api-key"',
];
export const STRINGS: Rule = [isListOf(isString), 'an array of strings'];

/** `scope-token` of RFC 6749: with a space in it, a scope is two of them in every token and challenge. */
export const SCOPE: Rule = [
  (value) => typeof value === 'string' && /^[!#-[\]-~]+$/.test(value),
  'one scope, such as "notes:read": ASCII characters other than a space, " and \\',
];
export const SCOPES: Rule = [isListOf(SCOPE[0]), 'an array of strings', { elements: SCOPE }];
export const BOOLEAN: Rule = [isBoolean, 'true or false'];
export const FUNCTION: Rule = [isFunction, 'a function'];
export const SCHEMA: Rule = [(value) => isObject(value) || isFunction(value), 'a schema'];
export const DEFINITIONS: Rule = [
  (value) => isStructure(value) && isFunction((value as Partial<Iterable<unknown>>)[Symbol.iterator]),
  'an array of definitions',
];
export const POSITIVE: Rule = [(value) => typeof value === 'number' && value > 0, 'a number greater than 0'];
export const MIDDLEWARE: Rule = [
  isListOf(isFunction),
  'an array of functions: ({ context, next }) => next()',
];

/** Maximum delay of a timer. Beyond it `setTimeout` fires immediately. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A number from `min` to `max`, both included. */
export function numberFrom(min: number, max: number = Number.MAX_SAFE_INTEGER): Rule {
  return [
    (value) => typeof value === 'number' && value >= min && value <= max,
    `a number ${rangeOf(min, max)}`,
  ];
}

/** An integer from `min` to `max`, both included. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): Rule {
  return [
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
    `an integer ${rangeOf(min, max)}`,
  ];
}

function rangeOf(min: number, max: number): string {
  return max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
}

export function oneOf(...choices: readonly string[]): Rule {
  return [(value) => choices.includes(value as string), choices];
}

/** An object with these methods, such as a store. */
export function objectWith(...methods: readonly string[]): Rule {
  return [
    (value) => methods.every((method) => isFunction((value as Record<string, unknown> | null)?.[method])),
    `an object with the methods ${methods.join(', ')}`,
  ];
}

/** The same rule for a required value. */
export function required([allows, expected, traits]: Rule): Rule {
  return [allows, expected, { ...traits, isRequired: true }];
}

/** The same rule for a secret: messages do not show the value. */
export function secret([allows, expected, traits]: Rule): Rule {
  return [allows, expected, { ...traits, isSecret: true }];
}

export const CLOCK: Rule = objectWith('now', 'schedule');

/** Rejects values that violate their rules. `within`: the option that they are members of, and the path in it. */
// oxlint-disable-next-line max-params -- the last ones are one path
export function assertValues(owner: string, given: object, rules: Partial<Rules>, ...within: Within): void {
  for (const [name, rule = ANY] of Object.entries(rules)) {
    const [allows, , traits] = rule;
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value === undefined ? traits?.isRequired !== true : allows(value)) continue;
    throw wrongValue(owner, findWrong(value, rule, placeOf(name, within)));
  }
}

type Place = Pick<WrongValue, 'option' | 'path'>;

/** The value, or the first element of it that is wrong. */
function findWrong(value: unknown, [, expected, traits = {}]: Rule, place: Place): WrongValue {
  const { elements, isSecret } = traits;
  const index =
    elements !== undefined && Array.isArray(value) ? value.findIndex((each) => !elements[0](each)) : -1;
  if (elements !== undefined && index !== -1)
    return findWrong((value as readonly unknown[])[index], elements, {
      ...place,
      path: [...(place.path ?? []), index],
    });
  return { ...place, expected, ...(isSecret === true && value !== undefined ? {} : { value }) };
}

/** The same, and rejects names without a rule. */
// oxlint-disable-next-line max-params -- the last ones are one path
export function assertOptions(owner: string, given: object, rules: Rules, ...within: Within): void {
  assertKnown(owner, given, Object.keys(rules), ...within);
  assertValues(owner, given, rules, ...within);
}
