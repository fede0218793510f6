import { withoutMark } from '../body/exact-json.ts';
import { isObject } from '../../../base/is-object.ts';
import type { PageMember } from './page-members.ts';
import { toNextPage } from './next-page.ts';
import type { NextPage } from './next-page.ts';
import { findGiven, findParameter } from './pagination-input.ts';
import type { PaginationInput } from './pagination-input.ts';
import { AFTER_NAMES, BEFORE_NAMES } from './paging-names.ts';

/** The page after the id of the last element. Only for responses that say that there are more. */
export function goOnAfterId(
  input: PaginationInput,
  members: readonly PageMember[],
  list: readonly unknown[],
): NextPage | undefined {
  const before = findParameter(input, BEFORE_NAMES);
  const after = findParameter(input, AFTER_NAMES);
  if (after === undefined || (before !== undefined && findGiven(input, before) !== undefined))
    return undefined;
  const said = members.find(({ name }) => name === 'lastid')?.value;
  const id = toId(said) ?? toId(idOf(list.at(-1)));
  return id === undefined ? undefined : toNextPage(input, after, id);
}

function idOf(element: unknown): unknown {
  return isObject(element) && Object.hasOwn(element, 'id') ? element['id'] : undefined;
}

function toId(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? withoutMark(value) : undefined;
}
