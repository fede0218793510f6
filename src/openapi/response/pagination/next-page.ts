import { findGiven } from './pagination-input.ts';
import type { PaginationInput, PagingParameter } from './pagination-input.ts';
import { isNumberName } from './paging-names.ts';

/** The next page of a response. */
export type NextPage =
  /** Arguments to change for the next call. */
  | { readonly kind: 'arguments'; readonly arguments: Readonly<Record<string, unknown>> }
  /** The tool has no argument for it. */
  | { readonly kind: 'unreachable' };

/** There is a next page, and the tool has no argument for it. */
export const UNREACHABLE: NextPage = { kind: 'unreachable' };

/** Maximum length of a cursor; a model would not repeat a longer one. */
export const MAX_CURSOR = 4096;

/** The line that tells a model how to get the next page. */
export function describeNextPage(next: NextPage): string {
  if (next.kind === 'unreachable')
    return 'There are more results, but this tool has no argument that asks for them.';
  return `More results: call this tool again with ${JSON.stringify(next.arguments)} and the other arguments as before.`;
}

/** The next page for one argument; undefined if this call already had the same value. */
export function toNextPage(
  input: PaginationInput,
  parameter: PagingParameter,
  value: string | number,
): NextPage | undefined {
  const given = findGiven(input, parameter);
  if (isSame(given, String(value))) return undefined;
  return {
    kind: 'arguments',
    arguments: Object.fromEntries([[parameter.argument, toTyped(String(value), parameter, given)]]),
  };
}

/** Whether an argument has this value in its query form. */
export function isSame(given: unknown, text: string): boolean {
  const isScalar = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
  return isScalar && String(given) === text;
}

/** Converts a value of a response to the type of the argument. */
export function toTyped(text: string, { name, type }: PagingParameter, given: unknown): unknown {
  const wanted = type ?? (given === undefined ? guessType(name) : typeof given);
  if ((wanted === 'number' || wanted === 'integer') && isNumeral(text)) return Number(text);
  if (wanted === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function guessType(name: string): string {
  return isNumberName(name) ? 'number' : 'string';
}

/** Whether converting the text to a number and back yields the same text. */
function isNumeral(text: string): boolean {
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text));
}
