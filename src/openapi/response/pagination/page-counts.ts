import type { OutboundAnswer } from '../../../outbound/outbound-client.ts';
import type { PageMember } from './page-members.ts';
import { toCount } from './pagination-input.ts';

/** Page counts of a response. */
export interface PageCounts {
  /** Total number of elements. */
  readonly total: number | undefined;
  readonly pages: number | undefined;
  readonly page: number | undefined;
  /** Whether the first page is page 0. */
  readonly isZeroBased: boolean;
  readonly size: number | undefined;
  readonly offset: number | undefined;
  /** Whether there are more elements, if the response has a flag for it. */
  readonly hasMore: boolean | undefined;
}

/** Reads the page counts from members and headers. */
export function readCounts(members: readonly PageMember[], headers: OutboundAnswer['headers']): PageCounts {
  const find = (names: readonly string[]): number | undefined => findCount(members, names);
  const header = (name: string): number | undefined => toCount(headers.get(name)?.trim());
  // Spring counts `number` from 0; other APIs use a name with `page`.
  const spring = findCount(members.some(({ name }) => name === 'totalelements') ? members : [], ['number']);
  const page = spring ?? find(['page', 'currentpage', 'pagenumber', 'pageindex']) ?? header('x-page');
  return {
    total: find(TOTALS) ?? header('x-total-count') ?? header('x-total') ?? totalOfRange(headers),
    pages: find(['totalpages', 'pagecount', 'numpages', 'lastpage', 'pages']) ?? header('x-total-pages'),
    page,
    isZeroBased: spring !== undefined || page === 0,
    size:
      find(['perpage', 'pagesize', 'limit', 'size', 'maxresults', 'itemsperpage']) ?? header('x-per-page'),
    offset: find(['offset', 'startat', 'skip', 'startindex', 'start', 'from']),
    hasMore: findHasMore(members),
  };
}

const TOTALS = [
  'total',
  'totalcount',
  'totalresults',
  'totalitems',
  'totalrecords',
  'totalelements',
  'totalhits',
  'totalrows',
  'totalsize',
  'count',
];

function findCount(members: readonly PageMember[], names: readonly string[]): number | undefined {
  for (const wanted of names) {
    const found = members.find(({ name, value }) => name === wanted && isWhole(value));
    if (found !== undefined) return toCount(found.value);
  }
  return undefined;
}

function isWhole(value: unknown): boolean {
  return toCount(value) !== undefined;
}

/** Whether there are more elements, if the response has a flag for it. */
export function findHasMore(members: readonly PageMember[]): boolean | undefined {
  let last: boolean | undefined;
  for (const { name, value } of members) {
    if (typeof value !== 'boolean') continue;
    if (HAS_MORE.has(name)) return value;
    if (name === 'last') last ??= value;
  }
  return last === undefined ? undefined : !last;
}

const HAS_MORE = new Set([
  'hasmore',
  'hasnext',
  'hasnextpage',
  'moreavailable',
  'hasmoreitems',
  'istruncated',
]);

/** `Content-Range: items 0-19/100` */
function totalOfRange(headers: OutboundAnswer['headers']): number | undefined {
  return toCount(/\/(\d{1,15})$/.exec(headers.get('content-range')?.slice(0, 200) ?? '')?.[1]);
}
