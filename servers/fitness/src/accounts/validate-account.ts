import { CATALOG } from '../gate/catalog.ts';
import { AccountError } from './account-error.ts';

export const ID_PATTERN = /^[a-z\d][a-z\d._@-]{0,63}$/;
export const MAX_REASON = 500;
export const MAX_VALID_DAYS = 3650;

/** Ids are written in messages, keys of rate limits and the audit, so they have no space and no separator. */
export function assertId(noun: string, id: string): void {
  if (!ID_PATTERN.test(id))
    throw new AccountError(
      'invalid_input',
      `Invalid ${noun} "${id}": use 1 to 64 lowercase letters, digits, ".", "_", "-" and "@", with a letter or digit first.`,
    );
}

export function assertChoice<TChoice extends string>(
  noun: string,
  value: string,
  choices: readonly TChoice[],
): TChoice {
  const choice = choices.find((each) => each === value);
  if (choice === undefined)
    throw new AccountError('invalid_input', `Unknown ${noun} "${value}": use ${choices.join(', ')}.`);
  return choice;
}

/** A tool that a plan has. Roles decide about the others. */
export function assertPlanTool(name: string): void {
  if (CATALOG.get(name)?.plan !== undefined) return;
  if (CATALOG.has(name))
    throw new AccountError(
      'invalid_input',
      `The tool "${name}" has no overrides: only administrators and owners have it.`,
    );
  const names = [...CATALOG.values()].filter(({ plan }) => plan !== undefined).map((tool) => tool.name);
  throw new AccountError('not_found', `Unknown tool "${name}": use ${names.join(', ')}.`);
}

/** The reason without surrounding white space. */
export function parseReason(reason: string): string {
  const text = reason.trim();
  if (text === '' || text.length > MAX_REASON || /\p{Cc}/u.test(text))
    throw new AccountError(
      'invalid_input',
      `Invalid reason: write one line of 1 to ${MAX_REASON} characters that says why, for those who read the override later.`,
    );
  return text;
}

export function assertDays(days: number): void {
  if (!Number.isInteger(days) || days < 1 || days > MAX_VALID_DAYS)
    throw new AccountError(
      'invalid_input',
      `Invalid number of days "${days}": use a whole number from 1 to ${MAX_VALID_DAYS}.`,
    );
}
