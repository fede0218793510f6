import type { OutboundAnswer } from '../../../outbound/outbound-client.ts';
import { findMainList, listPlacedMembers } from './body-places.ts';
import { parseLinks } from './link-header.ts';
import { goOnAfterId } from './next-by-id.ts';
import { countOn } from './next-count.ts';
import { readCursor } from './next-cursor.ts';
import type { MemberNews } from './next-cursor.ts';
import { readNextLink } from './next-link.ts';
import { toNextPage, UNREACHABLE } from './next-page.ts';
import type { NextPage } from './next-page.ts';
import { readCounts } from './page-counts.ts';
import { findParameter } from './pagination-input.ts';
import type { PaginationInput } from './pagination-input.ts';
import { PAGE_NAMES } from './paging-names.ts';

/** How to get what comes after an answer; undefined when nothing does, or nothing says so. `body` is undefined where it is no JSON. */
export function findNextPage(
  headers: OutboundAnswer['headers'],
  body: unknown,
  input: PaginationInput,
): NextPage | undefined {
  const members = listPlacedMembers(body);
  const counts = readCounts(members, headers);
  const list = findMainList(body);
  const news: MemberNews[] = [
    readLinkHeader(headers, input),
    readPageHeader(headers, input),
    ...(counts.hasMore === false
      ? []
      : members.map((member) => readCursor(member, input, list !== undefined))),
  ];
  const pages = news.filter((each) => typeof each === 'object');
  const direct = pages.find(({ kind }) => kind === 'arguments');
  if (direct !== undefined) return direct;
  const more = list !== undefined && counts.hasMore === true ? UNREACHABLE : pages[0];
  // Who says that this is the last page knows better than those who count.
  if (list === undefined || (more === undefined && news.includes('last'))) return more;
  const byId = counts.hasMore === true ? goOnAfterId(input, members, list) : undefined;
  return byId ?? countOn(input, counts, list.length) ?? more;
}

/** Relations that only answers in pages have. */
const PAGED = new Set(['prev', 'previous', 'first', 'last']);

function readLinkHeader(headers: OutboundAnswer['headers'], input: PaginationInput): MemberNews {
  const links = parseLinks(headers.get('link') ?? '');
  const next = links.find(({ relations }) => relations.includes('next'));
  if (next !== undefined) return readNextLink(next.target, input);
  return links.some(({ relations }) => relations.some((each) => PAGED.has(each))) ? 'last' : undefined;
}

function readPageHeader(headers: OutboundAnswer['headers'], input: PaginationInput): MemberNews {
  const said = headers.get('x-next-page')?.trim();
  const parameter = findParameter(input, PAGE_NAMES);
  if (said === undefined || parameter === undefined) return undefined;
  return /^\d{1,15}$/.test(said) ? toNextPage(input, parameter, said) : 'last';
}
