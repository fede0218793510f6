import { cutText } from '../../base/cut-text.ts';
import { isBytes } from '../../base/json/find-json-refusal.ts';
import type { Issue } from '../../errors/issue.ts';
import { describeNode } from '../view/describe-node.ts';
import type { Hide } from './hider.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { SchemaView } from '../view/schema-view.ts';
import { isSecretPlace, upToSecret } from './secret-paths.ts';
import type { SecretPath } from './secret-paths.ts';
import { createNodeFinder, isNamedKey, MISSING, valueAt } from '../view/walk-path.ts';
import type { ValuePath } from '../view/walk-path.ts';

/** An issue as a validator reports it. Array indexes may be strings. */
export interface RawIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Replacement for the value of a secret field. */
const HIDDEN = 'a value that is not shown';
const MAX_MESSAGE = 500;

/** Secrets of a schema and a value. */
export interface Secrecy {
  readonly secrets: readonly SecretPath[];
  readonly hide: Hide;
}

/**
 * Adds the expected schema and the received value to the issues of a validator, and hides the values of secret fields. Libraries put values
 * into their messages, so the message of a secret field is replaced, and secret values are redacted in all others.
 */
export function explainIssues(
  view: SchemaView,
  value: unknown,
  found: Secrecy & { readonly issues: readonly RawIssue[] },
): Issue[] {
  const { issues, secrets, hide } = found;
  const findNode = createNodeFinder(view, value);
  // Elements of an array share one schema, which may have thousands of alternatives.
  const words = new Map<SchemaNode, string | undefined>();
  const wordsFor = (node: SchemaNode): string | undefined => {
    if (!words.has(node)) words.set(node, describeNode(view, node));
    return words.get(node);
  };
  return issues.map((issue) => {
    const { path, message, received, isSecret } = locate(value, issue, { secrets, hide });
    const node = findNode(path);
    const expected = node === undefined ? undefined : wordsFor(node);
    return {
      path: showPath(view, { value, path }, found),
      message,
      ...(expected === undefined ? {} : { expected }),
      received: isSecret && received !== MISSING ? HIDDEN : describeReceived(received, hide),
    };
  });
}

/** Hides secrets in issues that are already explained. */
export function hideInIssues(
  view: SchemaView,
  value: unknown,
  found: Secrecy & { readonly issues: readonly Issue[] },
): Issue[] {
  const { issues, hide } = found;
  return issues.map((issue) => {
    const { path, message, isSecret } = locate(value, issue, found);
    return {
      path: showPath(view, { value, path }, found),
      message,
      ...(issue.expected === undefined ? {} : { expected: hide(issue.expected) }),
      ...(issue.received === undefined ? {} : { received: isSecret ? HIDDEN : hide(issue.received) }),
    };
  });
}

/** Path of an issue and its message, both as they may be shown. The path ends at a secret field. */
function locate(
  value: unknown,
  issue: RawIssue,
  { secrets, hide }: Secrecy,
): RawIssue & { readonly received: unknown; readonly isSecret: boolean } {
  const fullPath = toArgumentPath(value, issue.path);
  const path = upToSecret(secrets, fullPath);
  const received = valueAt(value, path);
  const isSecret = isSecretPlace(secrets, path, received === MISSING ? undefined : received);
  // Libraries put the path into their messages.
  const message =
    isSecret || fullPath.some(isLong) ? 'is not valid' : cutText(hide(issue.message), MAX_MESSAGE);
  return { path, message, received, isSecret };
}

/**
 * A path as it may be shown: it ends at a secret field, a key that contains a secret is redacted, and a long key is cut. Keys that the
 * schema names are shown unchanged, even if they equal a secret value.
 */
export function showPath(
  view: SchemaView,
  { value, path }: { readonly value: unknown; readonly path: ValuePath },
  { secrets, hide }: Secrecy,
): ValuePath {
  const findNode = createNodeFinder(view, value);
  return upToSecret(secrets, path).map((key, index) => {
    if (typeof key === 'number') return key;
    const shown = cutText(hide(key));
    if (shown === key) return key;
    return isNamedKey(view, findNode(path.slice(0, index)), key) ? key : shown;
  });
}

/** Converts numeric strings in a path to indexes where the value has an array. */
function toArgumentPath(value: unknown, path: readonly (string | number)[]): (string | number)[] {
  let current = value;
  return path.map((key) => {
    const step = Array.isArray(current) ? Number(key) : String(key);
    current = valueAt(current, [key]);
    return Number.isNaN(step) ? key : step;
  });
}

function isLong(key: number | string): boolean {
  return typeof key === 'string' && key.length > MAX_MESSAGE;
}

function describeReceived(received: unknown, hide: (text: string) => string): string {
  if (received === MISSING || received === undefined) return 'nothing';
  if (received === null) return 'null';
  if (Array.isArray(received)) return `an array of ${received.length}`;
  if (isBytes(received)) return 'bytes';
  if (typeof received === 'object') return `an object with ${Object.keys(received).length} keys`;
  if (typeof received === 'number' || typeof received === 'boolean' || typeof received === 'bigint') {
    return `${hide(String(received))} (${typeof received})`;
  }
  // Hide before cutting: half a secret is a secret.
  if (typeof received === 'string') return `${JSON.stringify(cutText(hide(received)))} (string)`;
  return `a ${typeof received}`;
}
