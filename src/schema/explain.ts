import { formatPath } from '../errors/issue.ts';
import type { Issue } from '../errors/issue.ts';
import { isNode, namedTypes } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import type { SchemaView } from './schema-view.ts';

/** A complaint as a validator words it. */
export interface RawIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What replaces the value of a secret field. */
const HIDDEN = 'a value that is not shown';
const MAX_SHOWN = 60;

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
  const hidden = secretTexts(value, found.secrets);
  return found.issues.map(({ path, message }) => {
    const expected = expectedAt(view, value, path);
    const isSecret = found.secrets.some((secret) => coversPath(secret, path));
    const received = isSecret ? hiddenReceived(value, path) : describeReceived(value, path);
    return {
      path,
      message: isSecret ? 'is not valid' : hideTexts(withoutPrefix(message, path), hidden),
      ...(expected === undefined ? {} : { expected }),
      ...(received === undefined ? {} : { received: isSecret ? received : hideTexts(received, hidden) }),
    };
  });
}

/** The keys that lead to a secret field; `*` stands for every key and every index. */
export type SecretPath = readonly string[];

/** `card.number` and `users.*.token` as key lists. Indexes of arrays are matched by `*`, or skipped when left out. */
export function parseSecretPaths(paths: readonly string[]): SecretPath[] {
  return paths.map((path) => path.split('.'));
}

/** Whether the path is at or below the secret field. Array indexes count only where the secret path names them. */
function coversPath(secret: SecretPath, path: readonly (string | number)[]): boolean {
  let matched = 0;
  for (const key of path) {
    if (matched === secret.length) return true;
    const wanted = secret[matched];
    if (wanted === '*' || wanted === String(key)) matched += 1;
    else if (typeof key !== 'number') return false;
  }
  return matched === secret.length;
}

/** Every scalar found under a secret field, as it could appear in a message. */
function secretTexts(value: unknown, secrets: readonly SecretPath[]): string[] {
  const texts = new Set<string>();
  const collect = (current: unknown, path: readonly (string | number)[], depth: number): void => {
    if (depth > 32) return;
    if (typeof current === 'object' && current !== null) {
      const members = Array.isArray(current)
        ? [...(current as unknown[]).entries()]
        : Object.entries(current);
      for (const [key, member] of members) collect(member, [...path, key], depth + 1);
      return;
    }
    const text = String(current);
    if (text !== '' && secrets.some((secret) => coversPath(secret, path))) {
      texts.add(text);
      texts.add(JSON.stringify(text).slice(1, -1));
    }
  };
  if (secrets.length > 0) collect(value, [], 0);
  return [...texts].toSorted((a, b) => b.length - a.length);
}

function hideTexts(message: string, hidden: readonly string[]): string {
  let text = message;
  for (const secret of hidden) text = text.replaceAll(secret, '[redacted]');
  return text;
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

function hiddenReceived(value: unknown, path: readonly (string | number)[]): string {
  return valueAt(value, path) === MISSING ? 'nothing' : HIDDEN;
}

function describeReceived(value: unknown, path: readonly (string | number)[]): string | undefined {
  const received = valueAt(value, path);
  if (received === MISSING || received === undefined) return 'nothing';
  if (received === null) return 'null';
  if (Array.isArray(received)) return `an array of ${received.length}`;
  if (typeof received === 'object') return `an object with ${Object.keys(received).length} keys`;
  if (typeof received === 'number' || typeof received === 'boolean' || typeof received === 'bigint') {
    return `${String(received)} (${typeof received})`;
  }
  if (typeof received !== 'string') return `a ${typeof received}`;
  const shown = received.length > MAX_SHOWN ? `${received.slice(0, MAX_SHOWN)}…` : received;
  return `${JSON.stringify(shown)} (string)`;
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
    node = typeof key === 'number' ? view.itemNode(node, key, current) : view.childNode(node, key, current);
    current = valueAt(current, [key]);
  }
  return node === undefined ? undefined : describeNode(view, node);
}

/** `integer ≥ 1`, `one of "json", "toon"`, `string of at least 3 characters`. */
function describeNode(view: SchemaView, node: SchemaNode): string | undefined {
  const { nodes, choices } = view.facetsOf(node);
  const merged: SchemaNode = Object.assign({}, ...nodes.toReversed()) as SchemaNode;
  if ('const' in merged) return JSON.stringify(merged['const']);
  if (Array.isArray(merged['enum']))
    return `one of ${merged['enum'].map((entry) => JSON.stringify(entry)).join(', ')}`;
  const [choice] = choices;
  if (choice !== undefined && merged['type'] === undefined) {
    const parts = new Set(choice.map((alternative) => describeNode(view, alternative) ?? 'anything'));
    return [...parts].join(' or ');
  }
  const types = namedTypes(merged);
  if (types === undefined) return undefined;
  return [types.join(' or '), ...limits(merged)].join(' ');
}

function limits(node: SchemaNode): string[] {
  const say = (keyword: string, words: (limit: string) => string): string[] => {
    const limit = node[keyword];
    return typeof limit === 'number' || typeof limit === 'string' ? [words(String(limit))] : [];
  };
  return [
    ...say('format', (format) => `(${format})`),
    ...say('minimum', (limit) => `≥ ${limit}`),
    ...say('exclusiveMinimum', (limit) => `> ${limit}`),
    ...say('maximum', (limit) => `≤ ${limit}`),
    ...say('exclusiveMaximum', (limit) => `< ${limit}`),
    ...say('multipleOf', (step) => `in steps of ${step}`),
    ...say('minLength', (limit) => `of at least ${limit} characters`),
    ...say('maxLength', (limit) => `of at most ${limit} characters`),
    ...say('minItems', (limit) => `of at least ${limit} elements`),
    ...say('maxItems', (limit) => `of at most ${limit} elements`),
    ...(isNode(node['properties']) ? [] : say('pattern', (pattern) => `matching ${pattern}`)),
  ];
}
