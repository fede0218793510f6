import { findGiven } from './pagination-input.ts';
import type { PaginationInput, PagingParameter } from './pagination-input.ts';
import { isSame, MAX_CURSOR, toTyped, UNREACHABLE } from './next-page.ts';
import type { NextPage } from './next-page.ts';
import { isPositionName, isSizeName } from './paging-names.ts';

/** Whether a text is a URL or a part of one. */
export function isLink(text: string): boolean {
  return /^(?:https?:\/\/|\/|\?|\.\.?\/)/i.test(text);
}

interface Change {
  readonly parameter: PagingParameter;
  readonly value: unknown;
}

/** Converts the URL of the next page to arguments of the tool. The URL itself is never requested. */
export function readNextLink(link: string, input: PaginationInput): NextPage {
  if (link.length > MAX_CURSOR || !URL.canParse(link, ANYWHERE)) return UNREACHABLE;
  const changes: Change[] = [];
  let lacks = false;
  for (const [name, values] of valuesByName(new URL(link, ANYWHERE).searchParams)) {
    const parameter = input.parameters.named(name);
    if (parameter === undefined) lacks ||= isPositionName(name);
    else if (isChange(values, findGiven(input, parameter)))
      changes.push({ parameter, value: toValue(values, parameter, input) });
  }
  const names = changes.map(({ parameter }) => parameter.name);
  const leads = names.some((name) => isPositionName(name) || (!lacks && !isSizeName(name)));
  if (!leads) return UNREACHABLE;
  return {
    kind: 'arguments',
    arguments: Object.fromEntries(changes.map(({ parameter, value }) => [parameter.argument, value])),
  };
}

/** Base for relative links; only their queries are read. */
const ANYWHERE = 'http://localhost/';

function valuesByName(query: URLSearchParams): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of query) {
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  return byName;
}

/** An array may be serialized with several separators; another separator is not a change. */
function isChange(values: readonly string[], given: unknown): boolean {
  if (given === undefined) return true;
  if (!Array.isArray(given)) return values.length !== 1 || !isSame(given, values[0] ?? '');
  const texts = given.map(String);
  const said = values.join(',');
  return ![',', ' ', '|', '\t'].some((separator) => texts.join(separator) === said);
}

function toValue(values: readonly string[], parameter: PagingParameter, input: PaginationInput): unknown {
  const given = findGiven(input, parameter);
  const [first = ''] = values;
  const isList = values.length > 1 || Array.isArray(given) || parameter.type === 'array';
  return isList ? values : toTyped(first, parameter, given);
}
