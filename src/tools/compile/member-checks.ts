import { DefinitionError } from '../../errors/errors.ts';

/** Whether a member of a definition is what it must be. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isFlag: Check = (value) => typeof value === 'boolean';
export const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function isOneOf(...choices: readonly string[]): Check {
  return (value) => choices.includes(value as string);
}

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

export const isJsonObject: Check = (value) => {
  try {
    return isObject(value) && typeof JSON.stringify(value) === 'string';
  } catch {
    return false;
  }
};

/** An optional member of a definition, what it must be, and how to say it. */
export type MemberRule<TKey extends string = string> = readonly [TKey, Check, string];

/** Refuses members of the wrong kind. */
export function assertEach(given: object, rules: readonly MemberRule[], owner: string): void {
  for (const [key, check, words] of rules) {
    const value = (given as Readonly<Record<string, unknown>>)[key];
    if (value !== undefined && !check(value)) throw new DefinitionError(`${owner}: ${key} must be ${words}.`);
  }
}
