/** What people call the parameters of pages, in small letters without anything between: `page[size]` is `pagesize`. */

/** A name without the habits of its API. */
export function normalName(name: string): string {
  return name
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');
}

const MAX_NAME = 64;

/** Which page, counted. */
export const PAGE_NAMES: readonly string[] = [
  'page',
  'pagenumber',
  'pageno',
  'pagenum',
  'pageindex',
  'currentpage',
  'p',
];

/** How many elements are left out at the beginning. */
export const OFFSET_NAMES: readonly string[] = [
  'offset',
  'skip',
  'startat',
  'startindex',
  'pageoffset',
  'firstresult',
];

/** Offsets as well, but only beside a size: alone they are more likely dates. */
export const WEAK_OFFSET_NAMES: readonly string[] = ['start', 'from'];

/** How many elements a page has. */
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

/** Where a page begins, in words of the server alone. */
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

/** After the element with this id. */
export const AFTER_NAMES: readonly string[] = ['startingafter', 'startafter', 'afterid', 'after', 'sinceid'];

/** Before the element with this id: those who ask so read the other way. */
export const BEFORE_NAMES: readonly string[] = ['endingbefore', 'endbefore', 'beforeid', 'before'];

const NUMBERS = new Set([...PAGE_NAMES, ...OFFSET_NAMES, ...WEAK_OFFSET_NAMES, ...SIZE_NAMES]);
const POSITIONS = new Set([...PAGE_NAMES, ...OFFSET_NAMES, ...WEAK_OFFSET_NAMES, ...CURSOR_NAMES]);
const SIZES = new Set(SIZE_NAMES);

/** Whether a parameter of this name most likely takes a number. */
export function isNumberName(name: string): boolean {
  return NUMBERS.has(normalName(name));
}

/** Whether a parameter of this name says which page is wanted. */
export function isPositionName(name: string): boolean {
  return POSITIONS.has(normalName(name));
}

/** Whether a parameter of this name says how large a page is, which does not lead to another one. */
export function isSizeName(name: string): boolean {
  return SIZES.has(normalName(name));
}
