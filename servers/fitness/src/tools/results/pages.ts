import * as z from 'zod';

/** Position of a page in a result. */
export interface Page {
  readonly total: number;
  readonly returned: number;
  readonly offset: number;
  /** The `offset` of the next page; absent on the last one. */
  readonly next_offset?: number;
}

/** The arguments `limit` and `offset`. */
export function pageArguments({ usual, max }: { readonly usual: number; readonly max: number }): {
  readonly limit: z.ZodDefault<z.ZodInt>;
  readonly offset: z.ZodDefault<z.ZodInt>;
} {
  return {
    limit: z.int().min(1).max(max).default(usual),
    offset: z.int().min(0).max(1_000_000).default(0),
  };
}

/** One page of all rows. */
export function paginate<TRow>(
  rows: readonly TRow[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { readonly page: Page; readonly rows: readonly TRow[] } {
  const shown = rows.slice(offset, offset + limit);
  const next = offset + shown.length;
  const page = { total: rows.length, returned: shown.length, offset };
  return { page: next < rows.length ? { ...page, next_offset: next } : page, rows: shown };
}
