/** Common names of paging parameters, in lower case without separators: `page[size]` is `pagesize`. */

/** Normalizes a name: lower case without separators. */
export function normalName(name: string): string {
  return name
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');
}

const MAX_NAME = 64;

/** Page numbers. */
export const PAGE_NAMES: readonly string[] = [
  'page',
  'pagenumber',
  'pageno',
  'pagenum',
  'pageindex',
  'currentpage',
  'p',
];

/** Offsets: number of elements to skip. */
export const OFFSET_NAMES: readonly string[] = [
  'offset',
  'skip',
  'startat',
  'startindex',
  'pageoffset',
  'firstresult',
];

/** Offsets only beside a page size: alone they are more likely dates. */
export const WEAK_OFFSET_NAMES: readonly string[] = ['start', 'from'];

/** Page sizes. */
export const SIZE_NAMES: readonly string[] = [
  'limit',
  'perpage',
  'pagesize',
  'pagelimit',
  'size',
  'maxresults',
  'maxitems',
  'maxpagesize',
  'count',
  'top',
  'first',
  'take',
  'rows',
];

/** Cursors. */
export const CURSOR_NAMES: readonly string[] = [
  'cursor',
  'nextcursor',
  'pagecursor',
  'startcursor',
  'after',
  'pageafter',
  'startingafter',
  'startafter',
  'afterid',
  'pagetoken',
  'nextpagetoken',
  'paginationtoken',
  'nexttoken',
  'continuationtoken',
  'continue',
  'marker',
  'bookmark',
  'scrollid',
  'skiptoken',
  'next',
];

/** Ids of the element before the page. */
export const AFTER_NAMES: readonly string[] = ['startingafter', 'startafter', 'afterid', 'after', 'sinceid'];

/** Ids of the element after the page, for reading backwards. */
export const BEFORE_NAMES: readonly string[] = ['endingbefore', 'endbefore', 'beforeid', 'before'];

const NUMBERS = new Set([...PAGE_NAMES, ...OFFSET_NAMES, ...WEAK_OFFSET_NAMES, ...SIZE_NAMES]);
const POSITIONS = new Set([...PAGE_NAMES, ...OFFSET_NAMES, ...WEAK_OFFSET_NAMES, ...CURSOR_NAMES]);
const SIZES = new Set(SIZE_NAMES);

/** Whether a parameter with this name most likely takes a number. */
export function isNumberName(name: string): boolean {
  return NUMBERS.has(normalName(name));
}

/** Whether a parameter with this name selects a page. */
export function isPositionName(name: string): boolean {
  return POSITIONS.has(normalName(name));
}

/** Whether a parameter with this name is a page size, which does not select another page. */
export function isSizeName(name: string): boolean {
  return SIZES.has(normalName(name));
}
