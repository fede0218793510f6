import { isObject, isStructure } from '../../base/is-object.ts';
import { assertKnown, placeOf } from '../assert-known.ts';
import type { Within } from '../assert-known.ts';
import { wrongValue } from './wrong-value.ts';

/** What an option or a member of a definition must be: a test, and the description or the choices that say it. */
export type Rule = readonly [allows: Check, expected: string | readonly string[], traits?: RuleTraits];

interface RuleTraits {
  /** Without a default. */
  readonly isRequired?: true;
  /** Not shown in messages. */
  readonly isSecret?: true;
}

/** Whether a value is what it must be. */
export type Check = (value: unknown) => boolean;

/** A rule for each name. */
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

/** An object whose members, where they are present, pass their checks. */
export function hasMembers(checks: Readonly<Record<string, Check>>): Check {
  const members = Object.entries(checks);
  return (value) =>
    isObject(value) &&
    members.every(([key, check]) => {
      const member = (value as Record<string, unknown>)[key];
      return member === undefined || check(member);
    });
}

/** For values that are checked elsewhere, or that may be anything. */
export const ANY: Rule = [() => true, 'a value'];
export const STRING: Rule = [isString, 'a string'];
export const NON_EMPTY: Rule = [
  (value) => typeof value === 'string' && value.trim() !== '',
  'a string that is not empty',
];
export const STRINGS: Rule = [isListOf(isString), 'an array of strings'];
export const BOOLEAN: Rule = [isBoolean, 'true or false'];
export const FUNCTION: Rule = [isFunction, 'a function'];
export const SCHEMA: Rule = [(value) => isObject(value) || isFunction(value), 'a schema'];
export const DEFINITIONS: Rule = [
  (value) => isStructure(value) && isFunction((value as Partial<Iterable<unknown>>)[Symbol.iterator]),
  'an array of definitions',
];
export const POSITIVE: Rule = [(value) => typeof value === 'number' && value > 0, 'a number above 0'];
export const MIDDLEWARE: Rule = [
  isListOf(isFunction),
  'an array of functions: ({ context, next }) => next()',
];

/** The longest time a timer can wait. Beyond it `setTimeout` calls back at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A number between two others, both included. */
export function numberFrom(min: number, max: number = Number.MAX_SAFE_INTEGER): Rule {
  return [
    (value) => typeof value === 'number' && value >= min && value <= max,
    `a number ${rangeOf(min, max)}`,
  ];
}

/** The same without fractions. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): Rule {
  return [
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
    `a whole number ${rangeOf(min, max)}`,
  ];
}

function rangeOf(min: number, max: number): string {
  return max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`;
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

/** The same rule for a value that has no default. */
export function required([allows, expected, traits]: Rule): Rule {
  return [allows, expected, { ...traits, isRequired: true }];
}

/** The same rule for a value that is not shown when it is wrong. */
export function secret([allows, expected, traits]: Rule): Rule {
  return [allows, expected, { ...traits, isSecret: true }];
}

export const CLOCK: Rule = objectWith('now', 'schedule');

/** Rejects values that break their rules. `within` is the option that they are members of, and the path in it. */
// oxlint-disable-next-line max-params -- the last ones are one path
export function assertValues(owner: string, given: object, rules: Partial<Rules>, ...within: Within): void {
  for (const [name, [allows, expected, traits = {}] = ANY] of Object.entries(rules)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value === undefined ? traits.isRequired !== true : allows(value)) continue;
    const shown = traits.isSecret === true && value !== undefined ? {} : { value };
    throw wrongValue(owner, { ...placeOf(name, within), expected, ...shown });
  }
}

/** The same, and rejects names that have no rule: nothing would read them. */
// oxlint-disable-next-line max-params -- the last ones are one path
export function assertOptions(owner: string, given: object, rules: Rules, ...within: Within): void {
  assertKnown(owner, given, Object.keys(rules), ...within);
  assertValues(owner, given, rules, ...within);
}
