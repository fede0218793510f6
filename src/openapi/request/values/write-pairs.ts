import type { ParameterStyle } from '../../model/operation.ts';
import { entriesOf, isCompound, isNothing, itemsOf, refuseArguments, toText } from './argument-values.ts';

/** Encodes text for its location. */
export type Encode = (text: string) => string;

/** Serialization of values as name-value pairs in queries, forms and cookies. */
export interface PairStyle {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly encodeName: Encode;
  readonly encode: Encode;
  /** Encodes an item of a comma-separated array: its own commas must not look like separators. */
  readonly encodeItem: Encode;
}

/**
 * Reserved characters with no meaning in a query: not `&`, `#` and `+`, not `'`, which a URL always encodes, and not the comma, which joins
 * arrays.
 */
export const KEPT_IN_QUERY = ':/?@!$()*;=[]';

const NAMED_STYLES: ReadonlySet<ParameterStyle> = new Set([
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
]);

/** The style if it writes pairs, or else `form`. */
export function toNamedStyle(style: ParameterStyle): ParameterStyle {
  return NAMED_STYLES.has(style) ? style : 'form';
}

/** A name and a value, both encoded. */
export type Pair = readonly [name: string, value: string];

/** Maximum nesting of `deepObject`. */
const MAX_DEPTH = 64;

/**
 * Serializes a value by its style. Missing values, empty arrays and empty objects are left out. Where the specification defines nothing:
 * delimited styles with `explode` are written as `form`, single values of any style as `name=value`, arrays in an object with `explode` as
 * repeated pairs, and everything deeper as JSON.
 */
export function writePairs(name: string, value: unknown, how: PairStyle): Pair[] {
  if (isNothing(value)) return [];
  if (how.style === 'deepObject') return writeDeep({ name, value, depth: 0 }, how);
  if (!isCompound(value)) return [[how.encodeName(name), how.encode(toText(value))]];
  if (how.explode) return Array.isArray(value) ? repeat(name, value, how) : spread(value, how);
  const items = Array.isArray(value) ? itemsOf(value) : entriesOf(value).flat();
  if (items.length === 0) return [];
  const joined = items.map((item) => how.encodeItem(toText(item))).join(delimiterOf(how));
  return [[how.encodeName(name), joined]];
}

function repeat(name: string, items: readonly unknown[], how: PairStyle): Pair[] {
  return itemsOf(items).map((item) => [how.encodeName(name), how.encode(toText(item))]);
}

function spread(value: object, how: PairStyle): Pair[] {
  return entriesOf(value).flatMap(([key, member]) =>
    repeat(key, Array.isArray(member) ? member : [member], how),
  );
}

/** Delimiter of array items. Encoded, except the comma, which differs from commas in values by not being encoded. */
export function delimiterOf({ style, encode }: Pick<PairStyle, 'encode' | 'style'>): string {
  if (style === 'spaceDelimited') return encode(' ');
  if (style === 'pipeDelimited') return encode('|');
  if (style === 'tabDelimited') return encode('\t');
  return ',';
}

interface Deep {
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
}

/** `a[b][c]=1`, and arrays by index, `a[0]=1`, so that arrays of objects are preserved. */
function writeDeep({ name, value, depth }: Deep, how: PairStyle): Pair[] {
  if (!isCompound(value)) return [[how.encodeName(name), how.encode(toText(value))]];
  if (depth === MAX_DEPTH) throw refuseArguments(`An argument is nested more than ${MAX_DEPTH} levels deep.`);
  const members = Array.isArray(value) ? itemsOf(value).entries() : entriesOf(value);
  return [...members].flatMap(([key, member]) =>
    writeDeep({ name: `${name}[${key}]`, value: member, depth: depth + 1 }, how),
  );
}

/** Joins pairs: `a=1&b=2`. */
export function joinPairs(pairs: readonly Pair[], separator: string): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join(separator);
}
