import type { RawIssue } from './explain.ts';

/** An issue of a Standard Schema library. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  /** Zod, for a union: the issues of each alternative, with paths relative to the union. */
  readonly errors?: unknown;
  /** Valibot, for a union: the issues of all alternatives in one array. */
  readonly issues?: unknown;
  /** ArkType: the message without its location, except for unions. */
  readonly problem?: unknown;
  /** ArkType: the path that its messages begin with. */
  readonly propString?: unknown;
}

/**
 * Converts an issue. "Does not match the union" does not help to fix a call, so the issues of the closest alternative follow it, each with
 * its own path.
 */
export function toRawIssues(issue: StandardIssue, above: RawIssue['path'] = []): RawIssue[] {
  const path = [...above, ...toPath(issue.path ?? [])];
  const nested = closestAlternative(issue).flatMap((child) => toRawIssues(child, path));
  return [{ path, message: messageOf(issue) }, ...nested];
}

/** ArkType begins its own messages with the path, which is shown separately. A message of the author stays unchanged. */
export function messageOf({ message, problem, propString }: StandardIssue): string {
  if (typeof propString !== 'string' || typeof problem !== 'string') return message;
  const prefix = `${propString} `;
  const isOwn = message === problem || message === `${prefix}${problem}`;
  return isOwn && message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

/** ArkType's paths are instances of an array subclass whose `map` creates an element from an empty path. */
function toPath(path: NonNullable<StandardIssue['path']>): RawIssue['path'] {
  return Array.from(path, (part) => {
    const key = typeof part === 'object' ? part.key : part;
    return typeof key === 'number' ? key : String(key);
  });
}

/** The alternative with the fewest issues, among those whose issues concern only members of the value. */
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
