import { isObject } from '../../../base/is-object.ts';
import { normalName } from './paging-names.ts';

/** Paths of the objects that describe pages in responses. The first is the response itself. */
const PARENTS: readonly (readonly string[])[] = [
  [],
  ['links'],
  ['_links'],
  ['paging'],
  ['pagination'],
  ['meta'],
  ['metadata'],
  ['_metadata'],
  ['_meta'],
  ['page'],
  ['pageInfo'],
  ['page_info'],
  ['result_info'],
  ['response_metadata'],
  ['cursor'],
  ['cursors'],
  ['data'],
  ['d'],
  ['result'],
  ['response'],
  ['meta', 'pagination'],
  ['meta', 'page'],
  ['meta', 'links'],
  ['meta', 'pagination', 'links'],
  ['pagination', 'links'],
  ['paging', 'cursors'],
  ['result_info', 'cursors'],
  ['data', 'pagination'],
  ['data', 'paging'],
  ['data', 'pageInfo'],
  ['data', 'links'],
  ['result', 'pagination'],
];

/** A member of a response that may describe its pages. */
export interface PageMember {
  /** Name of the parent object; empty for the response itself. */
  readonly parent: string;
  /** Name in the form of {@link normalName}. */
  readonly name: string;
  readonly value: unknown;
}

/** Maximum number of members: an object with more is data with names as keys. */
const MAX_MEMBERS = 500;

/** The members of a response, and of those of its parts that describe pages, in order of priority. */
export function listPageMembers(body: unknown): PageMember[] {
  const found: PageMember[] = [];
  if (!isObject(body)) return found;
  for (const path of PARENTS) {
    const [first] = path;
    // Most responses have almost none of these.
    if (first === undefined || Object.hasOwn(body, first)) addMembers(body, path, found);
  }
  return found;
}

function addMembers(body: object, path: readonly string[], found: PageMember[]): void {
  const part = partAt(body, path);
  const parent = path.at(-1) ?? '';
  if (Array.isArray(part)) {
    if (parent === 'links' || parent === '_links') found.push(...listLinks(part, parent));
    return;
  }
  const entries = isObject(part) ? Object.entries(part) : [];
  if (entries.length > MAX_MEMBERS) return;
  for (const [name, value] of entries) found.push({ parent, name: normalName(name), value });
}

/** `[{ "rel": "next", "href": "..." }]` */
function listLinks(links: readonly unknown[], parent: string): PageMember[] {
  return links.slice(0, MAX_MEMBERS).flatMap((link) => {
    const { rel, href } = isObject(link) ? link : {};
    return typeof rel === 'string' ? [{ parent, name: normalName(rel), value: href }] : [];
  });
}

/** The main array of a response: itself, else the longest of its members and their members. */
export function findMainList(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return undefined;
  let own: readonly unknown[] | undefined;
  let deeper: readonly unknown[] | undefined;
  for (const member of Object.values(body).slice(0, MAX_MEMBERS)) {
    if (Array.isArray(member)) own = longer(own, member);
    else if (typeof member === 'object' && member !== null)
      for (const inner of Object.values(member).slice(0, MAX_MEMBERS))
        if (Array.isArray(inner)) deeper = longer(deeper, inner);
  }
  return own ?? deeper;
}

/** Of two with the same length, the first. */
function longer(one: readonly unknown[] | undefined, other: readonly unknown[]): readonly unknown[] {
  return one === undefined || other.length > one.length ? other : one;
}

function partAt(body: unknown, path: readonly string[]): unknown {
  let part = body;
  for (const key of path) {
    if (!isObject(part) || !Object.hasOwn(part, key)) return undefined;
    part = part[key];
  }
  return part;
}
