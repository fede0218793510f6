import { isDeeperThan } from '../schema/json-depth.ts';

/** Whether a value can be sent, and as what. */
export type Serialized =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Nesting that every JSON writer and reader on the way can handle. `JSON.stringify` itself gives up near 5,000 levels, and
 * whoever serialises the reply again needs room on the stack.
 */
export const MAX_RESULT_DEPTH = 512;

/** The value as JSON text, or why it has none: BigInt, cycles, too deep, a getter or `toJSON` that throws. */
export function serialize(value: unknown, spaces?: number): Serialized {
  let json: string | undefined;
  try {
    json = JSON.stringify(value, undefined, spaces) as string | undefined;
  } catch (thrown) {
    return { ok: false, reason: reasonFor(thrown) };
  }
  if (json === undefined) return { ok: false, reason: `${NAMES[typeof value] ?? 'it'} has no JSON form` };
  if (isDeeperThan(json, MAX_RESULT_DEPTH)) return { ok: false, reason: TOO_DEEP };
  return { ok: true, json };
}

/** Some engines give up on depth, others write it all the same: the answer is the same. */
const TOO_DEEP = `it is nested deeper than ${MAX_RESULT_DEPTH} levels`;

const NAMES: Readonly<Record<string, string>> = {
  undefined: 'undefined',
  function: 'a function',
  symbol: 'a symbol',
};

/** Messages of foreign code stay inside: a `toJSON` may put anything into its error, and throw when that is read. */
function reasonFor(thrown: unknown): string {
  try {
    if (thrown instanceof RangeError)
      return thrown.message.includes('string length') ? 'it is too large' : TOO_DEEP;
    const message = thrown instanceof TypeError ? thrown.message : '';
    if (message.includes('BigInt')) return 'it contains a BigInt; convert it to a string or a number';
    if (message.includes('circular')) return 'it contains itself (a cycle)';
  } catch {
    // Not an error of JSON.stringify's own, then.
  }
  return 'one of its members throws when it is read';
}
