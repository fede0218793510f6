import { isObject } from '../../base/is-object.ts';
import { ToolwrightError, ValidationError } from '../../errors/errors.ts';
import type { Issue } from '../../errors/issue.ts';
import { redactSecrets } from '../../errors/sanitize.ts';
import { messageOf } from '../../schema/issues/standard-issue.ts';
import type { StandardIssue } from '../../schema/issues/standard-issue.ts';
import type { Arguments } from './arguments.ts';
import type { CompiledTool } from './compiled-tool.ts';
import type { Outcome } from './outcome.ts';
import { withoutValue } from './quoted-value.ts';
import type { ThrownIssue } from './quoted-value.ts';

/**
 * The outcome when a security wrapper throws. A validation error of any library (an object with an `issues` array) counts as invalid
 * arguments; everything else is a failure.
 */
export function fromSecurityError(error: unknown): Outcome {
  try {
    if (error instanceof ValidationError)
      return { kind: 'invalid-input', issues: error.issues, isThrown: true };
    const issues = findIssues(error)?.map((issue) => toIssue(issue, messageIn(issue)));
    if (issues !== undefined) return { kind: 'invalid-input', issues, isThrown: true };
  } catch {
    // Inspecting a thrown value may throw.
  }
  return { kind: 'failed', error };
}

/**
 * The outcome when a handler throws. A validation error of any library counts as invalid arguments if all its issues can concern the
 * arguments. Otherwise the handler may have validated internal data, which must not be shown.
 */
export function fromHandlerError(error: unknown, tool: CompiledTool, given: Arguments): Outcome {
  try {
    const found = error instanceof ToolwrightError ? undefined : findIssues(error);
    const isRule = found === undefined ? undefined : rulesOf(error);
    if (found?.every((issue) => isAboutArguments(issue, isRule, { tool, given })) === true) {
      const issues = found.map((issue) => toIssue(issue, withoutValue(issue, messageIn(issue))));
      return { kind: 'invalid-input', issues, isThrown: true, error };
    }
  } catch {
    // Inspecting a thrown value may throw.
  }
  return { kind: 'failed', error };
}

/** ArkType throws an error with `arkErrors`; the object that it returns for invalid values has `issues`. */
function findIssues(error: unknown): readonly ThrownIssue[] | undefined {
  if (!isStructured(error)) return undefined;
  const issues: unknown = error['issues'] ?? error['arkErrors'];
  if (!Array.isArray(issues) || issues.length === 0) return undefined;
  return Array.from(issues, (issue: unknown) => (isStructured(issue) ? issue : {}));
}

/** Whether an issue without a path comes from a rule of the author instead of a type or format. */
type IsRule = (issue: ThrownIssue) => boolean;

const VALIBOT_RULES: ReadonlySet<unknown> = new Set(['check', 'partial_check', 'raw_check']);

/** ArkType has one code for rules and for some types; the latter contain the value. Arguments are an object. */
function isArkTypeRule({ code, data, input }: ThrownIssue): boolean {
  return code === 'predicate' && isObject(data) && !(isStructured(input) && 'actual' in input);
}

function isZodRule({ code }: ThrownIssue): boolean {
  return code === 'custom';
}

/** Keyed by the names of errors, which libraries set as strings; class names are changed by bundlers. */
const RULES: ReadonlyMap<unknown, IsRule> = new Map([
  ['ZodError', isZodRule],
  ['$ZodError', isZodRule],
  ['ValiError', ({ type, input }) => VALIBOT_RULES.has(type) && isObject(input)],
  ['TraversalError', isArkTypeRule],
]);

/** The rule check for the library of an error; undefined for other errors. */
function rulesOf(error: unknown): IsRule | undefined {
  if (error instanceof Error) return RULES.get(error.name);
  // ArkType's return value for invalid input is not an error, but may be thrown.
  return isStructured(error) && error[' arkKind'] === 'errors' ? isArkTypeRule : undefined;
}

/** Whether the path of an issue begins with an argument, or the issue is a rule for the whole value. */
function isAboutArguments(
  issue: ThrownIssue,
  isRule: IsRule | undefined,
  { tool, given }: { readonly tool: CompiledTool; readonly given: Arguments },
): boolean {
  if (typeof issue.message !== 'string') return false;
  const [first] = toPath(issue.path);
  if (first === undefined) return isRule?.(issue) === true || namesArguments(issue, given);
  const known = tool.input.jsonSchema['properties'];
  return Object.hasOwn(given, first) || (isObject(known) && Object.hasOwn(known, first));
}

/** Zod lists the unknown members of a strict object: they are arguments if the caller sent all of them. */
function namesArguments({ code, keys }: ThrownIssue, given: Arguments): boolean {
  const isUnknown = code === 'unrecognized_keys' && Array.isArray(keys) && keys.length > 0;
  return isUnknown && keys.every((key) => typeof key === 'string' && Object.hasOwn(given, key));
}

/** Only message and path, because libraries put the invalid value into further members. */
function toIssue({ path }: ThrownIssue, message: string): Issue {
  return { path: toPath(path), message: redactSecrets(message) };
}

function messageIn(thrown: ThrownIssue): string {
  return typeof thrown.message === 'string' ? messageOf(thrown as StandardIssue) : 'is not valid';
}

/** Valibot's paths are arrays of objects with a `key`; those of ArkType are arrays of its own class, with its own `map`. */
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
