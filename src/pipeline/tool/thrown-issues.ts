import { isObject } from '../../base/is-object.ts';
import { ToolwrightError, ValidationError } from '../../errors/errors.ts';
import { formatPath } from '../../errors/issue.ts';
import type { Issue } from '../../errors/issue.ts';
import { redactSecrets } from '../../errors/sanitize.ts';
import { messageOf } from '../../schema/issues/standard-issue.ts';
import type { StandardIssue } from '../../schema/issues/standard-issue.ts';
import type { Arguments } from './arguments.ts';
import type { CompiledTool } from './compiled-tool.ts';
import type { Outcome } from './outcome.ts';

/**
 * The outcome when a security wrapper throws. A validation error of any library (anything with a list of `issues`) is bad input;
 * everything else is a failure.
 */
export function fromSecurityError(error: unknown): Outcome {
  try {
    if (error instanceof ValidationError) return { kind: 'invalid-input', issues: error.issues };
    const found = findIssues(error);
    if (found !== undefined) return { kind: 'invalid-input', issues: found.map((issue) => toIssue(issue)) };
  } catch {
    // A thrown value may itself throw when it is looked at.
  }
  return { kind: 'failed', error };
}

/**
 * The outcome when a handler throws. A validation error of any library is bad input if all of it can be about the arguments; the handler
 * may as well have checked data of its own, which are nobody's business.
 */
export function fromHandlerError(error: unknown, tool: CompiledTool, given: Arguments): Outcome {
  try {
    const found = error instanceof ToolwrightError ? undefined : findIssues(error);
    if (found?.every((issue) => isAboutArguments(issue, tool, given)) === true) {
      const issues = found.map((issue) => toIssue(issue, issue.received ?? issue.actual));
      // Whoever calls could have known before: the advertised schema takes what the handler does not.
      tool.log.warning('the handler rejected arguments that fit the input schema', {
        paths: issues.map(({ path }) => formatPath(path)),
      });
      return { kind: 'invalid-input', issues };
    }
  } catch {
    // A thrown value may itself throw when it is looked at.
  }
  return { kind: 'failed', error };
}

/** An issue as libraries throw it. */
interface ThrownIssue {
  readonly message?: unknown;
  readonly path?: unknown;
  readonly expected?: unknown;
  /** The value as Valibot quotes it in the message. */
  readonly received?: unknown;
  /** The value as ArkType quotes it in the message. */
  readonly actual?: unknown;
}

/** ArkType throws an error with `arkErrors`; the object that is returned for invalid values has `issues`. */
function findIssues(error: unknown): readonly ThrownIssue[] | undefined {
  if (!isStructured(error)) return undefined;
  const issues: unknown = error['issues'] ?? error['arkErrors'];
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  return Array.from(issues, (issue: unknown) => (isStructured(issue) ? issue : {}));
}

/**
 * Whether an issue has a path that begins with an argument, or is a rule for the whole value. One about the type of the whole value is about
 * something else: arguments are an object. Zod and Valibot name that type in `expected`; Valibot has `null` there for a rule, and no path.
 */
function isAboutArguments(
  { message, path, expected }: ThrownIssue,
  tool: CompiledTool,
  given: Arguments,
): boolean {
  if (typeof message !== 'string') return false;
  const [first] = toPath(path);
  if (first === undefined) return Array.isArray(path) ? typeof expected !== 'string' : expected === null;
  const known = tool.input.jsonSchema['properties'];
  return Object.hasOwn(given, first) || (isObject(known) && Object.hasOwn(known, first));
}

/** Only message and path: libraries put the offending value into further members. `quoted`: the value, where the message must not show it. */
function toIssue(thrown: ThrownIssue, quoted?: unknown): Issue {
  const path = toPath(thrown.path);
  if (typeof thrown.message !== 'string') return { path, message: 'is not valid' };
  const message = messageOf(thrown as StandardIssue);
  const isShown = typeof quoted !== 'string' || quoted === '' || NAME_OF_TYPE.test(quoted);
  return {
    path,
    message: redactSecrets(isShown ? message : message.replaceAll(quoted, 'a value that is not shown')),
  };
}

/** `a number` of ArkType, `Object` and `undefined` of Valibot. Both quote strings. */
const NAME_OF_TYPE = /^(?:an? )?[a-z]+$/i;

/** Valibot's paths are lists of objects with a `key`; those of ArkType are arrays of a class of its own, with a `map` of its own. */
function toPath(path: unknown): (string | number)[] {
  if (!Array.isArray(path)) return [];
  return Array.from(path, (part: unknown) => {
    const key = isStructured(part) ? part['key'] : part;
    return typeof key === 'number' ? key : String(key);
  });
}

function isStructured(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
