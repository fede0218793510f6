import { formatPath } from '../errors/issue.ts';
import type { Issue } from '../errors/issue.ts';
import { describeNode } from './describe-node.ts';
import type { SchemaNode } from './json-node.ts';
import type { SchemaView } from './schema-view.ts';
import { createHider, isSecretPlace } from './secret-paths.ts';
import type { SecretPath } from './secret-paths.ts';

/** A complaint as a validator words it. Indexes of arrays may be written as text. */
export interface RawIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What replaces the value of a secret field. */
const HIDDEN = 'a value that is not shown';
const MAX_SHOWN = 60;
const MAX_MESSAGE = 500;

/**
 * Completes validators' complaints with what the schema expects and what came, and keeps the values of secret fields out.
 * Libraries put values into their messages, so the message of a secret field is replaced, and elsewhere every secret value
 * is blanked out.
 */
export function explainIssues(
  view: SchemaView,
  value: unknown,
  found: { readonly issues: readonly RawIssue[]; readonly secrets: readonly SecretPath[] },
): Issue[] {
  const { issues, secrets } = found;
  if (issues.length === 0) return [];
  view.begin();
  const hide = createHider(value, secrets);
  return issues.map((issue) => {
    const path = toArgumentPath(value, issue.path);
    const received = valueAt(value, path);
    const expected = expectedAt(view, value, path);
    const isSecret = isSecretPlace(secrets, path, received === MISSING ? undefined : received);
    const message = isSecret ? 'is not valid' : cut(hide(withoutPrefix(issue.message, path)), MAX_MESSAGE);
    return {
      path,
      message,
      ...(expected === undefined ? {} : { expected }),
      received: isSecret && received !== MISSING ? HIDDEN : describeReceived(received, hide),
    };
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

/** ArkType begins its messages with the path, which we show already. */
function withoutPrefix(message: string, path: readonly (string | number)[]): string {
  const prefix = `${formatPath(path)} `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

const MISSING = Symbol('missing');

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let current: unknown = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return MISSING;
    current = (current as Record<string | number, unknown>)[key];
  }
  return current;
}

function describeReceived(received: unknown, hide: (text: string) => string): string {
  if (received === MISSING || received === undefined) return 'nothing';
  if (received === null) return 'null';
  if (Array.isArray(received)) return `an array of ${received.length}`;
  if (typeof received === 'object') return `an object with ${Object.keys(received).length} keys`;
  if (typeof received === 'number' || typeof received === 'boolean' || typeof received === 'bigint') {
    return `${hide(String(received))} (${typeof received})`;
  }
  // Hidden before it is cut: half a secret is a secret.
  if (typeof received === 'string') return `${JSON.stringify(cut(hide(received), MAX_SHOWN))} (string)`;
  return `a ${typeof received}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function expectedAt(
  view: SchemaView,
  value: unknown,
  path: readonly (string | number)[],
): string | undefined {
  let node: SchemaNode | undefined = view.root;
  let current = value;
  for (const key of path) {
    if (node === undefined) return undefined;
    const place = view.at(node, current);
    node = typeof key === 'number' ? place.item(key) : place.child(key);
    current = valueAt(current, [key]);
  }
  return node === undefined ? undefined : describeNode(view, node);
}
