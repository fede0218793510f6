import { toNextPage } from './next-page.ts';
import type { NextPage } from './next-page.ts';
import type { PageCounts } from './page-counts.ts';
import { findGiven, findGivenCount, findParameter } from './pagination-input.ts';
import type { PaginationInput, PagingParameter } from './pagination-input.ts';
import { OFFSET_NAMES, PAGE_NAMES, SIZE_NAMES, WEAK_OFFSET_NAMES } from './paging-names.ts';

/** The next page by counting seen and total elements. Skipped if there is no parameter for it. */
export function countOn(
  input: PaginationInput,
  readCounts: () => PageCounts,
  shown: number,
): NextPage | undefined {
  const page = findCountParameter(input, PAGE_NAMES);
  const offset = findOffset(input);
  if (shown === 0 || (page === undefined && offset === undefined)) return undefined;
  const counts = readCounts();
  if (counts.hasMore === false) return undefined;
  const byOffset = page === undefined || (isGiven(input, offset) && !isGiven(input, page));
  if (byOffset) return offset === undefined ? undefined : nextOffset({ input, counts, shown }, offset);
  return nextNumber({ input, counts, shown }, page);
}

/** A parameter with this name and a value that is not a count has another meaning. */
function findCountParameter(input: PaginationInput, names: readonly string[]): PagingParameter | undefined {
  const found = findParameter(input, names);
  return found === undefined || (isGiven(input, found) && findGivenCount(input, found) === undefined)
    ? undefined
    : found;
}

function findOffset(input: PaginationInput): PagingParameter | undefined {
  const hasSize = findParameter(input, SIZE_NAMES) !== undefined;
  return findCountParameter(input, hasSize ? [...OFFSET_NAMES, ...WEAK_OFFSET_NAMES] : OFFSET_NAMES);
}

function isGiven(input: PaginationInput, parameter: PagingParameter | undefined): boolean {
  return parameter !== undefined && findGiven(input, parameter) !== undefined;
}

interface Counting {
  readonly input: PaginationInput;
  readonly counts: PageCounts;
  /** Number of elements on this page. */
  readonly shown: number;
}

function nextOffset({ input, counts, shown }: Counting, parameter: PagingParameter): NextPage | undefined {
  const next = (findGivenCount(input, parameter) ?? counts.offset ?? 0) + shown;
  const isMore = counts.hasMore === true || (counts.total !== undefined && next < counts.total);
  return isMore ? toNextPage(input, parameter, next) : undefined;
}

function nextNumber({ input, counts, shown }: Counting, parameter: PagingParameter): NextPage | undefined {
  const page = findGivenCount(input, parameter) ?? counts.page ?? 1;
  const before = counts.isZeroBased || page === 0 ? page : page - 1;
  const isMore = counts.hasMore ?? isMoreAfter(before, { input, counts, shown });
  return isMore ? toNextPage(input, parameter, page + 1) : undefined;
}

/** Without the page size, the number of elements before a later page is unknown: no next page is reported then. */
function isMoreAfter(before: number, { input, counts, shown }: Counting): boolean {
  const { pages, total } = counts;
  if (pages !== undefined) return before + 1 < pages;
  const size = findGivenCount(input, findParameter(input, SIZE_NAMES)) ?? counts.size;
  if (total === undefined || (before > 0 && size === undefined)) return false;
  return before * (size ?? 0) + shown < total;
}
