import { describeThrown } from '../../errors/describe-thrown.ts';
import {
  CallRefusedError,
  DefaultArgumentResolutionError,
  MissingCapabilityError,
  ToolError,
  ToolwrightError,
  ValidationError,
} from '../../errors/errors.ts';
import type { Issue } from '../../errors/issue.ts';
import { REDACTED } from '../../errors/sanitize.ts';
import type { InvalidInput, Outcome } from './outcome.ts';

type Hide = (text: string) => string;

/** Hides values in texts and in thrown issues. */
interface Hider {
  readonly hide: Hide;
  showIssues(issues: readonly Issue[]): readonly Issue[];
}

/** The outcome of a failed call without the values of secret arguments, which handlers and validators may quote. */
// defence: messages-without-secrets
export function hideSecrets(outcome: Outcome, hider: Hider): Outcome {
  const { hide } = hider;
  switch (outcome.kind) {
    case 'failed':
    case 'defaults-failed':
      return { kind: outcome.kind, error: hideInError(outcome.error, hider) };
    case 'invalid-input': {
      // Issues of the schema already stop at secret arguments.
      if (outcome.isThrown === true) return hideInInput(outcome, hider);
      return { ...outcome, issues: outcome.issues.map((issue) => hideInIssue(issue, hide)) };
    }
    case 'invalid-output':
      return { ...outcome, issues: (outcome.issues ?? []).map((issue) => hideInIssue(issue, hide)) };
    case 'value':
    case 'rate-limited':
    case 'missing-scopes':
    case 'timed-out':
    case 'cancelled':
    case 'input-required':
    case 'too-large':
      return outcome;
    default:
      // A security wrapper in JavaScript may return anything; it is rejected where replies are created.
      return outcome satisfies never;
  }
}

/** Minimum length of tokens that are hidden: shorter ones are common words. */
const MIN_TOKEN_LENGTH = 8;

/** A function that hides an access token in a text; also in its JSON. */
export function tokenHider(token = ''): Hide {
  return hiderOf(token.length < MIN_TOKEN_LENGTH ? [] : [token]);
}

function hiderOf(secrets: readonly string[]): Hide {
  const forms = new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  return (text) => {
    let hidden = text;
    for (const form of forms) hidden = hidden.replaceAll(form, REDACTED);
    return hidden;
  };
}

/** The call whose credentials are hidden. */
interface Credentials {
  readonly accessToken?: string | undefined;
  readonly http?: { readonly credentials?: readonly string[] | undefined } | undefined;
}

/** The outcome of a failed call without the credentials of its request. An error that does not quote them is kept. */
// defence: credentials-of-the-request
export function hideCredentials(outcome: Outcome, { accessToken = '', http }: Credentials): Outcome {
  const { kind } = outcome;
  if (kind !== 'failed' && kind !== 'defaults-failed' && kind !== 'invalid-input') return outcome;
  const secrets = [accessToken, ...(http?.credentials ?? [])].filter(
    (secret) => secret.length >= MIN_TOKEN_LENGTH,
  );
  if (secrets.length === 0) return outcome;
  const hideIn = hiderOf(secrets);
  let isQuoted = false;
  const hide: Hide = (text) => {
    const hidden = hideIn(text);
    isQuoted ||= hidden !== text;
    return hidden;
  };
  const hider: Hider = {
    hide,
    showIssues: (issues) =>
      issues.map((issue) => ({
        ...hideInIssue(issue, hide),
        path: issue.path.map((key) => (typeof key === 'string' ? hide(key) : key)),
      })),
  };
  if (kind === 'invalid-input') return hideInInput(outcome, hider);
  // Also in causes, because an injected error handler may log them.
  hide(describeThrown(outcome.error).stack ?? '');
  const error = hideInError(outcome.error, hider);
  return isQuoted ? { kind: outcome.kind, error } : outcome;
}

function hideInInput(outcome: InvalidInput, hider: Hider): InvalidInput {
  const { issues, error } = outcome;
  return {
    ...outcome,
    issues: hider.showIssues(issues),
    ...(error === undefined ? {} : { error: hideInError(error, hider) }),
  };
}

function hideInIssue(issue: Issue, hide: Hide): Issue {
  return {
    ...issue,
    message: hide(issue.message),
    ...(issue.received === undefined ? {} : { received: hide(issue.received) }),
  };
}

/** An error for the caller keeps its class; of others only the description is kept, which is all that is logged. */
function hideInError(error: unknown, hider: Hider): unknown {
  const { hide } = hider;
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
  if (isInstance(error, ValidationError))
    return new ValidationError(hider.showIssues(error.issues), hide(message));
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
