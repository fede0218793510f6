import { namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { toUnicodePattern } from './unicode-pattern.ts';

/**
 * Rewrites the patterns of these nodes for Unicode mode, in place: clients compile them in that mode and throw on others. Returns whether a
 * key of `patternProperties` changed.
 */
export function writePatterns(nodes: readonly SchemaNode[]): boolean {
  let hasNewKeys = false;
  for (const node of nodes) {
    const { pattern } = node as { pattern?: unknown };
    if (typeof pattern === 'string') Object.assign(node, { pattern: toUnicodePattern(pattern) });
    const keys = namedChildren(node, 'patternProperties');
    if (keys.every(([key]) => toUnicodePattern(key) === key)) continue;
    hasNewKeys = true;
    Object.assign(node, { patternProperties: withUnicodeKeys(keys) });
  }
  return hasNewKeys;
}

/** Rewrites keys that are patterns. If two become equal, both schemas apply. */
export function withUnicodeKeys(members: readonly (readonly [string, unknown])[]): SchemaNode {
  const written = new Map<string, unknown>();
  for (const [key, schema] of members) {
    const form = toUnicodePattern(key) ?? key;
    written.set(form, written.has(form) ? { allOf: [written.get(form), schema] } : schema);
  }
  return Object.fromEntries(written);
}
