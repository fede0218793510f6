import { findGiven } from './pagination-input.ts';
import type { PaginationInput, PagingParameter } from './pagination-input.ts';
import { isNumberName } from './paging-names.ts';

/** There is more. */
export type NextPage =
  /** What to change of the arguments of this call. */
  | { readonly kind: 'arguments'; readonly arguments: Readonly<Record<string, unknown>> }
  /** The tool has no argument for it. */
  | { readonly kind: 'unreachable' };

/** There is more, and the tool has nothing to ask for it with. */
export const UNREACHABLE: NextPage = { kind: 'unreachable' };

/** No cursor is longer; nobody would repeat it. */
export const MAX_CURSOR = 4096;

/** The line that tells a model how to go on. */
export function describeNextPage(next: NextPage): string {
  if (next.kind === 'unreachable')
    return 'There are more results, but this tool has no argument that asks for them.';
  return `More results: call this tool again with ${JSON.stringify(next.arguments)} and the other arguments as before.`;
}

/** A next page that one argument asks for; undefined when this call asked for the very same. */
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

/** Whether an argument has this value, as it is written in a query. */
export function isSame(given: unknown, text: string): boolean {
  const isScalar = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
  return isScalar && String(given) === text;
}

/** A value from an answer, in the type that the argument has. */
export function toTyped(text: string, { name, type }: PagingParameter, given: unknown): unknown {
  const wanted = type ?? (given === undefined ? guessType(name) : typeof given);
  if ((wanted === 'number' || wanted === 'integer') && isNumeral(text)) return Number(text);
  if (wanted === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function guessType(name: string): string {
  return isNumberName(name) ? 'number' : 'string';
}

/** What is the same again as a text. */
function isNumeral(text: string): boolean {
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text));
}
