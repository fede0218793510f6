import type { ParameterStyle } from '../../model/operation.ts';
import { entriesOf, isCompound, isNothing, itemsOf, refuseArguments, toText } from './argument-values.ts';

/** Makes text fit for the place that it goes to. */
export type Encode = (text: string) => string;

/** How values become pairs of a name and a value: in queries, forms and cookies alike. */
export interface PairStyle {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly encodeName: Encode;
  readonly encode: Encode;
  /** For an item of a list that commas join: a comma of its own must not look like one of them. */
  readonly encodeItem: Encode;
}

/** Reserved characters that change nothing in a query: not `&`, `#` and `+`, not `'`, which a URL always encodes, and no commas, which join lists. */
export const KEPT_IN_QUERY = ':/?@!$()*;=[]';

const NAMED_STYLES: ReadonlySet<ParameterStyle> = new Set([
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
]);

/** A style for pairs; one that is not counts as `form`. */
export function toNamedStyle(style: ParameterStyle): ParameterStyle {
  return NAMED_STYLES.has(style) ? style : 'form';
}

/** A name and a value, both encoded. */
export type Pair = readonly [name: string, value: string];

/** No real API goes deeper, and nothing recursive is without a bound. */
const MAX_DEPTH = 64;

/**
 * A value by its style. What has no value is left out, and so are empty lists and objects. Where the specification defines nothing:
 * delimited styles with `explode` are written as `form`, single values of any style as `name=value`, lists in an object with `explode` as
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

/** What joins the items of a list. Encoded, but for the comma: that one is told apart from commas in values by not being encoded. */
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

/** `a[b][c]=1`, and lists by number, `a[0]=1`: so that lists of objects stay what they are. */
function writeDeep({ name, value, depth }: Deep, how: PairStyle): Pair[] {
  if (!isCompound(value)) return [[how.encodeName(name), how.encode(toText(value))]];
  if (depth === MAX_DEPTH) throw refuseArguments(`An argument is nested more than ${MAX_DEPTH} levels deep.`);
  const members = Array.isArray(value) ? itemsOf(value).entries() : entriesOf(value);
  return [...members].flatMap(([key, member]) =>
    writeDeep({ name: `${name}[${key}]`, value: member, depth: depth + 1 }, how),
  );
}

/** `a=1&b=2`. */
export function joinPairs(pairs: readonly Pair[], separator: string): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join(separator);
}
