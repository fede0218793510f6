import { withoutMark } from '../body/exact-json.ts';
import { isObject } from '../../../base/is-object.ts';
import type { PageMember } from './page-members.ts';
import { isLink, readNextLink } from './next-link.ts';
import { MAX_CURSOR, toNextPage, UNREACHABLE } from './next-page.ts';
import type { NextPage } from './next-page.ts';
import { findParameter } from './pagination-input.ts';
import type { PaginationInput } from './pagination-input.ts';
import { CURSOR_NAMES, OFFSET_NAMES, PAGE_NAMES } from './paging-names.ts';

/** Paging information in one member of a response. */
export type MemberNews = NextPage | 'last' | undefined;

interface CursorKind {
  /** Parameters that take such a value, the most likely first. */
  readonly names: readonly string[];
  /** Whether the name alone implies paging. */
  readonly isSure: boolean;
  /** Parents in which the name has this meaning. Default: all. */
  readonly parents?: readonly string[];
}

const NUMBERS = [...PAGE_NAMES, ...OFFSET_NAMES];
const CURSORS: CursorKind = { names: CURSOR_NAMES, isSure: true };
const LINKS: CursorKind = { names: [], isSure: true };
const ECHO: CursorKind = { names: CURSOR_NAMES, isSure: false };

const KINDS: ReadonlyMap<string, CursorKind> = new Map<string, CursorKind>([
  ['next', { names: [...CURSOR_NAMES, ...NUMBERS], isSure: false }],
  ['nextcursor', CURSORS],
  ['nextpagecursor', CURSORS],
  ['nextpagetoken', CURSORS],
  ['nexttoken', CURSORS],
  ['nextcontinuationtoken', CURSORS],
  ['nextmarker', CURSORS],
  ['nextpage', { names: [...PAGE_NAMES, ...CURSOR_NAMES], isSure: false }],
  ['nextpagenumber', { names: PAGE_NAMES, isSure: true }],
  ['nextoffset', { names: OFFSET_NAMES, isSure: true }],
  ['nextskip', { names: OFFSET_NAMES, isSure: true }],
  ['nextstart', { names: OFFSET_NAMES, isSure: true }],
  ['odatanextlink', LINKS],
  ['nextlink', LINKS],
  ['nexturl', LINKS],
  ['nexturi', LINKS],
  ['nexthref', LINKS],
  ['nextpageurl', LINKS],
  ['nextpagelink', LINKS],
  ['nextrecordsurl', LINKS],
  // Ambiguous names: the next position, or the current one.
  ['cursor', ECHO],
  ['endcursor', ECHO],
  ['continuationtoken', ECHO],
  ['paginationtoken', ECHO],
  ['scrollid', ECHO],
  ['after', { ...ECHO, parents: ['cursors', 'data'] }],
  ['continue', { ...ECHO, parents: ['metadata'] }],
]);

/** In these objects, `next` is always the next page. */
const DESCRIPTIONS = new Set(['links', '_links', 'paging', 'pagination']);

/** Reads one member. `hasList`: the response has elements, so that a link to something next is a link to more of them. */
export function readCursor(member: PageMember, input: PaginationInput, hasList: boolean): MemberNews {
  const kind = KINDS.get(member.name);
  if (kind === undefined || kind.parents?.includes(member.parent) === false) return undefined;
  const value = toText(member.value);
  if (value === undefined) return undefined;
  if (value === '') return kind === ECHO ? undefined : 'last';
  const isSure = kind.isSure || DESCRIPTIONS.has(member.parent);
  if (isLink(value)) {
    const next = readNextLink(value, input);
    return next.kind === 'arguments' || isSure || (hasList && member.name.startsWith('next'))
      ? next
      : undefined;
  }
  const parameter = value.length > MAX_CURSOR ? undefined : findCursorParameter(member, kind, input);
  if (parameter === undefined) return isSure ? UNREACHABLE : undefined;
  return toNextPage(input, parameter, value);
}

/** `next_marker` is for `marker`, if that parameter exists. A number is more likely a page than a cursor. */
function findCursorParameter(
  { name, value }: PageMember,
  { names }: CursorKind,
  input: PaginationInput,
): ReturnType<typeof findParameter> {
  const own = name.startsWith('next') ? [name.slice(4)] : [name];
  const likely = typeof value === 'number' && name === 'next' ? [...NUMBERS, ...names] : names;
  return findParameter(input, [...own, ...likely]);
}

/** The value as a string, empty for every form of "none"; undefined if it has no meaning. */
function toText(value: unknown): string | undefined {
  if (value === null || value === false || value === '0') return '';
  if (typeof value === 'string') return withoutMark(value).trim();
  if (typeof value === 'number') return value <= 0 ? '' : String(value);
  if (!isObject(value)) return undefined;
  const href = ['href', 'url', 'uri'].find((key) => Object.hasOwn(value, key));
  return href === undefined || isObject(value[href]) ? undefined : toText(value[href]);
}
