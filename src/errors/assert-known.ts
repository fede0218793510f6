import { DefinitionError } from './errors.ts';
import { didYouMean } from './nearest-names.ts';

/** Refuses members that nobody reads: what was meant by a misspelt one would silently not happen. */
export function assertKnown(owner: string, given: object, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new DefinitionError(`${owner} must be an object with: ${known.join(', ')}.`);
  }
  const stranger = Object.keys(given).find((key) => !known.includes(key));
  if (stranger === undefined) return;
  const hint = didYouMean(stranger, known);
  throw new DefinitionError(`${owner}: "${stranger}" is unknown.${hint} Known: ${known.join(', ')}.`);
}
