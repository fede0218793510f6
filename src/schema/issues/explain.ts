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

/** A complaint as a validator words it. Indexes of arrays may be written as text. */
export interface RawIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What replaces the value of a secret field. */
const HIDDEN = 'a value that is not shown';
const MAX_MESSAGE = 500;

/** What must not be shown. */
export interface Secrecy {
  readonly secrets: readonly SecretPath[];
  readonly hide: Hide;
}

/**
 * Completes validators' complaints with what the schema expects and what came, and keeps the values of secret fields out.
 * Libraries put values into their messages, so the message of a secret field is replaced, and elsewhere every secret value
 * is blanked out.
 */
export function explainIssues(
  view: SchemaView,
  value: unknown,
  found: Secrecy & { readonly issues: readonly RawIssue[] },
): Issue[] {
  const { issues, secrets, hide } = found;
  const findNode = createNodeFinder(view, value);
  // Elements of a list have one schema, which may name thousands of alternatives.
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

/** Issues that somebody else has explained already, as far as they may be shown. */
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

/** The place of an issue, and what may be said of it. The path ends at a secret field. */
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
 * A path as it may be shown: it ends at a secret field, a key that quotes a secret is blanked, and a long one is cut. Keys that the schema
 * names are the author's: they are shown as they are, even if somebody's password is the same word.
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

/** Validators write indexes as they like; the value says which steps lead into an array. */
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
  // Hidden before it is cut: half a secret is a secret.
  if (typeof received === 'string') return `${JSON.stringify(cutText(hide(received)))} (string)`;
  return `a ${typeof received}`;
}
