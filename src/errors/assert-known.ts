import { isObject } from '../base/is-object.ts';
import { DefinitionError } from './errors.ts';
import { optionPathOf } from './finding.ts';
import type { FindingData } from './finding.ts';
import { didYouMean } from './nearest-names.ts';

/** The option that something is a member of, and the path in it. Empty for options themselves. */
export type Within = readonly [] | readonly [option: string, ...path: (string | number)[]];

/** The data for a member of an option, or for an option itself. */
export function placeOf(name: string, [option, ...path]: Within): Pick<FindingData, 'option' | 'path'> {
  return option === undefined ? { option: name } : { option, path: [...path, name] };
}

/** Rejects names that nothing reads: a misspelt option would silently have no effect. */
// oxlint-disable-next-line max-params -- the last ones are one path
export function assertKnown(owner: string, given: object, known: readonly string[], ...within: Within): void {
  if (!isObject(given)) {
    const [option, ...path] = within;
    const what =
      option === undefined ? `${owner} takes` : `${owner}: ${optionPathOf({ option, path })} must be`;
    throw new DefinitionError(`${what} an object with: ${known.join(', ')}.`, {
      ...(option === undefined ? {} : { option, path }),
      reason: 'wrong-value',
      expected: 'an object',
    });
  }
  const stranger = Object.keys(given).find((key) => !known.includes(key));
  if (stranger === undefined) return;
  const place = placeOf(stranger, within);
  throw new DefinitionError(
    `${owner}: "${optionPathOf(place)}" is unknown.${didYouMean(stranger, known)} Known: ${known.join(', ')}.`,
    { ...place, reason: 'unknown-option', expected: known },
  );
}
