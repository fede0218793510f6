import { DefinitionError } from './errors.ts';
import { findNearestNames, suggest } from './nearest-names.ts';

/** Refuses members that nobody reads: what was meant by a misspelt one would silently not happen. */
export function assertKnown(owner: string, given: object, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new DefinitionError(`${owner} must be an object with: ${known.join(', ')}.`);
  }
  const stranger = Object.keys(given).find((key) => !known.includes(key));
  if (stranger === undefined) return;
  const expected = findNearestNames(stranger, known);
  throw new DefinitionError(
    `${owner}: "${stranger}" is unknown.${suggest(expected)} Known: ${known.join(', ')}.`,
    { reason: 'unknown-option', option: stranger, expected },
  );
}
