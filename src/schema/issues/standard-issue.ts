import type { RawIssue } from './explain.ts';

/** A complaint as libraries hand it out. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  /** Zod, of a union: the complaints of each alternative, with paths from the union on. */
  readonly errors?: unknown;
  /** Valibot, of a union: the complaints of all alternatives in one list. */
  readonly issues?: unknown;
  /** ArkType: the message without its location, except for unions. */
  readonly problem?: unknown;
  /** ArkType: the path as its messages begin with it. */
  readonly propString?: unknown;
}

/**
 * One complaint as we know it. "Does not fit the union" helps nobody to mend a call, so the complaints of the alternative that
 * comes closest follow it, each with its own path.
 */
export function toRawIssues(issue: StandardIssue, above: RawIssue['path'] = []): RawIssue[] {
  const path = [...above, ...toPath(issue.path ?? [])];
  const nested = closestAlternative(issue).flatMap((child) => toRawIssues(child, path));
  return [{ path, message: messageOf(issue) }, ...nested];
}

/** ArkType begins the messages it words itself with the path, which we show already. A message of the author stays as it is. */
export function messageOf({ message, problem, propString }: StandardIssue): string {
  if (typeof propString !== 'string' || typeof problem !== 'string') return message;
  const prefix = `${propString} `;
  const isOwn = message === problem || message === `${prefix}${problem}`;
  return isOwn && message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

/** ArkType's paths are arrays of a class of its own, whose `map` makes an element out of an empty path. */
function toPath(path: NonNullable<StandardIssue['path']>): RawIssue['path'] {
  return Array.from(path, (part) => {
    const key = typeof part === 'object' ? part.key : part;
    return typeof key === 'number' ? key : String(key);
  });
}

/** The alternative with the fewest complaints, among those that the value belongs to at all: they complain about its members only. */
function closestAlternative({ errors, issues }: StandardIssue): readonly StandardIssue[] {
  const alternatives = Array.isArray(errors) ? errors.filter(isIssueList) : [issues].filter(isIssueList);
  const [closest] = alternatives
    .filter((list) => list.length > 0 && list.every(({ path }) => (path?.length ?? 0) > 0))
    .toSorted((a, b) => a.length - b.length);
  return closest ?? [];
}

function isIssueList(value: unknown): value is readonly StandardIssue[] {
  return (
    Array.isArray(value) &&
    value.every((issue) => typeof (issue as StandardIssue | null)?.message === 'string')
  );
}
