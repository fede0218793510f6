import { ValidationError } from '../../errors/errors.ts';
import type { Issue } from '../../errors/issue.ts';
import { redactSecrets } from '../../errors/sanitize.ts';
import type { Outcome } from './outcome.ts';

/**
 * What a security wrapper meant by throwing. A validation error of any library (anything with a list of `issues`) is bad input;
 * everything else is a failure.
 */
export function fromSecurityError(error: unknown): Outcome {
  try {
    const issues = error instanceof ValidationError ? error.issues : findIssues(error);
    return issues === undefined ? { kind: 'failed', error } : { kind: 'invalid-input', issues };
  } catch {
    // A thrown value may itself throw when it is looked at.
    return { kind: 'failed', error };
  }
}

function findIssues(error: unknown): readonly Issue[] | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { issues } = error as { issues?: unknown };
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  return issues.map(toIssue);
}

/** Only message and path: libraries put the offending value into further members. */
function toIssue(issue: unknown): Issue {
  const { message, path } = (issue ?? {}) as { message?: unknown; path?: unknown };
  const keys = Array.isArray(path) ? (path as readonly unknown[]) : [];
  return {
    message: typeof message === 'string' ? redactSecrets(message) : 'is not valid',
    path: keys.map(toKey),
  };
}

/** Valibot's paths are lists of objects with a `key`. */
function toKey(part: unknown): string | number {
  const key = typeof part === 'object' && part !== null ? (part as { key?: unknown }).key : part;
  return typeof key === 'number' ? key : String(key);
}
