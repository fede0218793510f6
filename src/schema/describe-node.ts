import { isNode, namedTypes } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import type { SchemaView } from './schema-view.ts';

/** More alternatives than this are counted, not listed. */
const MAX_LISTED = 30;

/** A schema in words: `integer ≥ 1`, `one of "json", "toon"`, `string of at least 3 characters`. */
export function describeNode(view: SchemaView, node: SchemaNode): string | undefined {
  const { nodes, choices } = view.facetsOf(node);
  const merged: SchemaNode = Object.assign({}, ...nodes.toReversed()) as SchemaNode;
  if ('const' in merged) return JSON.stringify(merged['const']);
  const listed = merged['enum'];
  if (Array.isArray(listed))
    return `one of ${joinSome(
      listed.map((entry) => JSON.stringify(entry)),
      ', ',
    )}`;
  const [choice] = choices;
  if (choice !== undefined && merged['type'] === undefined) {
    const parts = new Set(choice.map((alternative) => describeNode(view, alternative) ?? 'anything'));
    return joinSome([...parts], ' or ');
  }
  const types = namedTypes(merged);
  if (types === undefined) return undefined;
  return [types.join(' or '), ...limits(merged)].join(' ');
}

function joinSome(entries: readonly string[], separator: string): string {
  const rest = entries.length - MAX_LISTED;
  const shown = entries.slice(0, MAX_LISTED).join(separator);
  return rest > 0 ? `${shown} and ${rest} more` : shown;
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
