import { heading } from './markdown.ts';

/** At most this many entries of each list of a statement are sent; the summary has the whole numbers. */
export const MAX_ENTRIES = 100;

/** A heading, a table of the first items, and the number of items that it leaves out; nothing if there are no items. */
export function shortSection<TItem>(
  title: string,
  { items, max }: { readonly items: readonly TItem[]; readonly max: number },
  toTable: (items: readonly TItem[]) => string,
): readonly string[] {
  if (items.length === 0) return [];
  const shown = toTable(items.slice(0, max));
  const left = items.length > max ? [`The first ${max} of ${items.length}.`] : [];
  return [heading(2, title), shown, ...left];
}
