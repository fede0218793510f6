import { DefinitionError } from '../../errors/errors.ts';

/** What a number of an option may be. */
interface NumberRange {
  readonly min: number;
  readonly max?: number;
  readonly isWhole?: boolean;
}

/** The longest time a timer can wait. Beyond it `setTimeout` calls back at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Refuses a number that makes no sense, when the middleware is made: `option` reads `timeout: ms`. */
export function assertNumber(option: string, value: number, range: NumberRange): void {
  const { min, max = Number.MAX_SAFE_INTEGER, isWhole = false } = range;
  if (typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value)))
    return;
  throw new DefinitionError(
    `${option} must be a${isWhole ? ' whole' : ''} number from ${min} to ${max}; it is ${String(value)}.`,
  );
}

/** Refuses what cannot be called. */
export function assertFunction(option: string, value: unknown): void {
  if (typeof value !== 'function')
    throw new DefinitionError(`${option} must be a function; it is ${typeof value}.`);
}
