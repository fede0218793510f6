import { limit, offset } from './arguments.ts';

/** The arguments of every list. */
export const PAGE = { limit, offset };

/** The key of the view of a page. */
export function pageKey(
  { limit: count, offset: start }: { readonly limit: number; readonly offset: number },
  budgetName: string,
  isCached: boolean,
): readonly (string | number | boolean)[] {
  return [count, start, budgetName, isCached];
}

/** One page of a list. */
export interface Page<TItem> {
  readonly items: readonly TItem[];
  readonly counts: {
    readonly total_count: number;
    readonly returned_count: number;
    readonly has_more: boolean;
    readonly next_offset?: number;
    readonly cached: boolean;
  };
}

export function paginate<TItem>(
  { items, isCached }: { readonly items: readonly TItem[]; readonly isCached: boolean },
  page: { readonly limit: number; readonly offset: number },
): Page<TItem> {
  const selected = items.slice(page.offset, page.offset + page.limit);
  const next = page.offset + selected.length;
  const hasMore = next < items.length;
  return {
    items: selected,
    counts: {
      total_count: items.length,
      returned_count: selected.length,
      has_more: hasMore,
      ...(hasMore ? { next_offset: next } : {}),
      cached: isCached,
    },
  };
}

/** The line below a table that names the arguments of the next page. */
export function describeCounts({ counts }: Page<unknown>): string {
  const { total_count: total, returned_count: returned, next_offset: next } = counts;
  return next === undefined
    ? `${returned} of ${total}.`
    : `${returned} of ${total}. Next page: offset ${next}.`;
}
