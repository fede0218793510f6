import type { OutboundAnswer } from '../../../outbound/outbound-client.ts';
import { findMainList, listPageMembers } from './page-members.ts';
import { parseLinks } from './link-header.ts';
import { goOnAfterId } from './next-by-id.ts';
import { countOn } from './next-count.ts';
import { readCursor } from './next-cursor.ts';
import type { MemberNews } from './next-cursor.ts';
import { readNextLink } from './next-link.ts';
import { toNextPage, UNREACHABLE } from './next-page.ts';
import type { NextPage } from './next-page.ts';
import { findHasMore, readCounts } from './page-counts.ts';
import { findParameter } from './pagination-input.ts';
import type { PaginationInput } from './pagination-input.ts';
import { PAGE_NAMES } from './paging-names.ts';

/** Finds the next page; undefined if there is none or it is unknown. `body` is undefined if it is not valid JSON. */
export function findNextPage(
  headers: OutboundAnswer['headers'],
  body: unknown,
  input: PaginationInput,
): NextPage | undefined {
  const list = findMainList(body);
  // Without parameters, it can only report that a list is incomplete.
  if (input.parameters.isEmpty && list === undefined && !headers.has('link')) return undefined;
  const members = listPageMembers(body);
  const hasMore = findHasMore(members);
  const news = [readLinkHeader(headers, input), readPageHeader(headers, input)];
  if (hasMore !== false)
    for (const member of members) news.push(readCursor(member, input, list !== undefined));
  let page: NextPage | undefined;
  for (const each of news) {
    if (each === 'last' || each === undefined) continue;
    if (each.kind === 'arguments') return each;
    page ??= each;
  }
  const more = list !== undefined && hasMore === true ? UNREACHABLE : page;
  // An explicit last page wins over counting.
  if (list === undefined || (more === undefined && news.includes('last'))) return more;
  const byId = hasMore === true ? goOnAfterId(input, members, list) : undefined;
  return byId ?? countOn(input, () => readCounts(members, headers), list.length) ?? more;
}

/** Link relations that only paged responses have. */
const PAGED = new Set(['prev', 'previous', 'first', 'last']);

function readLinkHeader(headers: OutboundAnswer['headers'], input: PaginationInput): MemberNews {
  const header = headers.get('link');
  if (header === undefined) return undefined;
  const links = parseLinks(header);
  const next = links.find(({ relations }) => relations.includes('next'));
  if (next !== undefined) return readNextLink(next.target, input);
  return links.some(({ relations }) => relations.some((each) => PAGED.has(each))) ? 'last' : undefined;
}

function readPageHeader(headers: OutboundAnswer['headers'], input: PaginationInput): MemberNews {
  const said = headers.get('x-next-page')?.trim();
  const parameter = said === undefined ? undefined : findParameter(input, PAGE_NAMES);
  if (said === undefined || parameter === undefined) return undefined;
  return /^\d{1,15}$/.test(said) ? toNextPage(input, parameter, said) : 'last';
}
