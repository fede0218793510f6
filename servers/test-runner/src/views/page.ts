import * as z from 'zod';

/** Arguments that select a page. */
export const PAGE = {
  limit: z.int().min(1).max(200).default(50).describe('Maximum number of entries.'),
  offset: z.int().min(0).default(0).describe('Number of entries to skip: next_offset of the page before.'),
};

export const FIRST_PAGE = { limit: 50, offset: 0 };

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** Members of a result that has one page of a list. */
export const PAGE_COUNTS = {
  total_count: z.int(),
  returned_count: z.int(),
  has_more: z.boolean(),
  next_offset: z.int().nullable(),
};

/** JSON of the entries of one page. A page ends early when it is reached. */
const PAGE_BYTES = 50_000;

/** One page of a list, by number of entries and by size. */
export function toPage<TEntry, TShown>(
  all: readonly TEntry[],
  { limit, offset }: PageRequest,
  show: (entry: TEntry) => TShown,
) {
  const entries: TShown[] = [];
  let bytes = 0;
  for (const entry of all.slice(offset, offset + limit)) {
    const shown = show(entry);
    bytes += Buffer.byteLength(JSON.stringify(shown));
    if (bytes > PAGE_BYTES && entries.length > 0) break;
    entries.push(shown);
  }
  const end = offset + entries.length;
  const has_more = end < all.length;
  return {
    entries,
    counts: {
      total_count: all.length,
      returned_count: entries.length,
      has_more,
      next_offset: has_more ? end : null,
    },
  };
}
