import type { Issue } from '../errors/issue.ts';
import type { Outcome } from './outcome.ts';

/**
 * What a security wrapper meant by throwing. A validation error of any library (anything with a list of `issues`) is bad input;
 * everything else is a failure.
 */
export function fromSecurityError(error: unknown): Outcome {
  const issues = findIssues(error);
  return issues === undefined ? { kind: 'failed', error } : { kind: 'invalid-input', issues };
}

function findIssues(error: unknown): readonly Issue[] | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { issues } = error as { issues?: unknown };
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  return issues.map(toIssue);
}

function toIssue(issue: unknown): Issue {
  const { message, path } = (issue ?? {}) as { message?: unknown; path?: unknown };
  const keys = Array.isArray(path) ? (path as readonly unknown[]) : [];
  return {
    ...(issue as object),
    message: typeof message === 'string' ? message : 'is not valid',
    path: keys.map((key) => (typeof key === 'number' ? key : String(key))),
  };
}
