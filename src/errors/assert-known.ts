import { isObject } from '../base/is-object.ts';
import { DefinitionError } from './errors.ts';
import { optionPathOf } from './finding.ts';
import type { FindingData } from './finding.ts';
import { didYouMean } from './nearest-names.ts';

/** The option that a member belongs to, and the path in it. Empty for options themselves. */
export type Within = readonly [] | readonly [option: string, ...path: (string | number)[]];

/** `option` and `path` of a finding about an option, or about a member of one. */
export function placeOf(name: string, [option, ...path]: Within): Pick<FindingData, 'option' | 'path'> {
  return option === undefined ? { option: name } : { option, path: [...path, name] };
}

/** Rejects unknown names: a misspelt option would silently have no effect. */
// oxlint-disable-next-line max-params -- the last ones are one path
export function assertKnown(owner: string, given: object, known: readonly string[], ...within: Within): void {
  if (!isObject(given)) {
    const [option, ...path] = within;
    const problem =
      option === undefined
        ? `Invalid options of ${withinSentence(owner)}: expected`
        : `${owner}: ${optionPathOf({ option, path })} must be`;
    throw new DefinitionError(`${problem} an object with: ${known.join(', ')}.`, {
      ...(option === undefined ? {} : { option, path }),
      reason: 'wrong-value',
      expected: 'an object',
    });
  }
  const stranger = Object.keys(given).find((key) => !known.includes(key));
  if (stranger === undefined) return;
  const place = placeOf(stranger, within);
  throw new DefinitionError(
    `Unknown option "${optionPathOf(place)}" of ${withinSentence(owner)}.${didYouMean(stranger, known)} Options: ${known.join(', ')}.`,
    { ...place, reason: 'unknown-option', expected: known },
  );
}

/** `Tool "add"` as `tool "add"`; names of functions and classes keep their case. */
function withinSentence(owner: string): string {
  return /^[A-Z][a-z]* /.test(owner) ? owner.charAt(0).toLowerCase() + owner.slice(1) : owner;
}
