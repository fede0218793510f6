import { describeThrown } from '../../errors/describe-thrown.ts';
import {
  CallRefusedError,
  DefaultArgumentResolutionError,
  MissingCapabilityError,
  ToolError,
  ToolwrightError,
} from '../../errors/errors.ts';
import type { Issue } from '../../errors/issue.ts';
import { REDACTED } from '../../errors/sanitize.ts';
import type { Outcome } from './outcome.ts';

type Hide = (text: string) => string;

/** The outcome of a failed call without the values of secret arguments: handlers and validators quote what they were given. */
// defence: messages-without-secrets
export function hideSecrets(outcome: Outcome, hide: Hide): Outcome {
  switch (outcome.kind) {
    case 'failed':
    case 'defaults-failed':
      return { kind: outcome.kind, error: hideInError(outcome.error, hide) };
    case 'invalid-input':
      return { kind: 'invalid-input', issues: outcome.issues.map((issue) => hideInIssue(issue, hide)) };
    case 'invalid-output':
      return { ...outcome, issues: (outcome.issues ?? []).map((issue) => hideInIssue(issue, hide)) };
    case 'value':
    case 'rate-limited':
    case 'timed-out':
    case 'cancelled':
    case 'input-required':
    case 'too-large':
      return outcome;
    default:
      // A security wrapper in JavaScript may answer anything; it is refused where replies are made.
      return outcome satisfies never;
  }
}

/** Outcomes with words of handlers and security wrappers that go to the caller or the log. */
const MAY_QUOTE: ReadonlySet<Outcome['kind']> = new Set(['failed', 'defaults-failed', 'invalid-input']);

/** Shorter tokens are words of other texts, and nobody's secret. */
const MIN_TOKEN_LENGTH = 8;

/** The outcome of a failed call without the caller's access token. An error that does not quote it stays the one that was thrown. */
export function hideToken(outcome: Outcome, token: string): Outcome {
  if (!MAY_QUOTE.has(outcome.kind) || token.length < MIN_TOKEN_LENGTH) return outcome;
  const forms = new Set([token, JSON.stringify(token).slice(1, -1)]);
  let isQuoted = false;
  const hide: Hide = (text) => {
    let hidden = text;
    for (const form of forms) hidden = hidden.replaceAll(form, REDACTED);
    isQuoted ||= hidden !== text;
    return hidden;
  };
  if (outcome.kind !== 'failed' && outcome.kind !== 'defaults-failed') return hideSecrets(outcome, hide);
  // Also in causes: an error handler of yours may log those of any error.
  hide(describeThrown(outcome.error).stack ?? '');
  const error = hideInError(outcome.error, hide);
  return isQuoted ? { kind: outcome.kind, error } : outcome;
}

function hideInIssue(issue: Issue, hide: Hide): Issue {
  return {
    ...issue,
    message: hide(issue.message),
    ...(issue.received === undefined ? {} : { received: hide(issue.received) }),
  };
}

/** An error of the same kind for the caller; of any other only the description is left, which is all that is logged. */
function hideInError(error: unknown, hide: Hide): unknown {
  const { name, message, stack } = describeThrown(error);
  if (isInstance(error, ToolError))
    return new ToolError(hide(message), { suggestions: error.suggestions.map(hide) });
  if (isInstance(error, DefaultArgumentResolutionError)) {
    return new DefaultArgumentResolutionError(hide(message), { suggestions: error.suggestions.map(hide) });
  }
  if (isInstance(error, CallRefusedError)) {
    const { retryAfterMs } = error;
    const suggestions = error.suggestions.map(hide);
    return new CallRefusedError(error.code, hide(message), {
      suggestions,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  if (isInstance(error, MissingCapabilityError)) return error;
  const code = isInstance(error, ToolwrightError) ? error.code : undefined;
  const hidden = code === undefined ? new Error(hide(message)) : new ToolwrightError(code, hide(message));
  hidden.name = hide(name);
  if (stack !== undefined) hidden.stack = hide(stack);
  return hidden;
}

/** `instanceof` that a hostile value cannot break. */
function isInstance<TClass>(
  value: unknown,
  type: abstract new (...args: never[]) => TClass,
): value is TClass {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}
