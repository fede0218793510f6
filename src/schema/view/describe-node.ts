import { isNode, namedTypes } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { SchemaView } from './schema-view.ts';

/** Maximum number of alternatives that are listed; the rest is counted. */
const MAX_LISTED = 30;

/** A schema in words: `integer ≥ 1`, `one of "json", "toon"`, `string of at least 3 characters`. */
export function describeNode(view: SchemaView, node: SchemaNode): string | undefined {
  const { nodes, choices } = view.facetsOf(node);
  const merged: SchemaNode = Object.assign({}, ...nodes.toReversed()) as SchemaNode;
  if ('const' in merged) return JSON.stringify(merged['const']);
  const listed = merged['enum'];
  if (Array.isArray(listed))
    return `one of ${joinSome(
      listed.slice(0, MAX_LISTED).map((entry) => JSON.stringify(entry)),
      listed.length,
      ', ',
    )}`;
  const [choice] = choices;
  if (choice !== undefined && merged['type'] === undefined) {
    const parts = new Set(choice.map((alternative) => describeNode(view, alternative) ?? 'anything'));
    return joinSome([...parts], parts.size, ' or ');
  }
  const types = namedTypes(merged);
  if (types === undefined) return undefined;
  return [types.join(' or '), ...limits(merged)].join(' ');
}

/** Joins the first entries and counts the rest. */
function joinSome(entries: readonly string[], total: number, separator: string): string {
  const rest = total - MAX_LISTED;
  const shown = entries.slice(0, MAX_LISTED).join(separator);
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function limits(node: SchemaNode): string[] {
  return [
    ...sayText(node, 'format', (format) => `(${format})`),
    ...numberLimits(node),
    ...sayText(node, 'multipleOf', (step) => `in steps of ${step}`),
    ...sizeLimit(node, ['minLength', 'maxLength'], 'character'),
    ...sizeLimit(node, ['minItems', 'maxItems'], 'element'),
    ...(isNode(node['properties']) ? [] : sayText(node, 'pattern', (pattern) => `matching ${pattern}`)),
  ];
}

function sayText(node: SchemaNode, keyword: string, words: (limit: string) => string): string[] {
  const limit = node[keyword];
  return typeof limit === 'number' || typeof limit === 'string' ? [words(String(limit))] : [];
}

/** Zod writes the safe-integer bounds for every integer; they are not the author's and are not described. */
function numberLimits(node: SchemaNode): string[] {
  const said = (keyword: string, sign: string): string[] => {
    const limit = node[keyword];
    return typeof limit === 'number' && Math.abs(limit) !== Number.MAX_SAFE_INTEGER
      ? [`${sign} ${limit}`]
      : [];
  };
  const limits = [
    ...said('minimum', '≥'),
    ...said('exclusiveMinimum', '>'),
    ...said('maximum', '≤'),
    ...said('exclusiveMaximum', '<'),
  ];
  return limits.length === 0 ? [] : [limits.join(' and ')];
}

function sizeLimit(node: SchemaNode, [lower, upper]: readonly [string, string], unit: string): string[] {
  const [min, max] = [node[lower], node[upper]];
  const units = (count: number): string => (count === 1 ? unit : `${unit}s`);
  if (typeof min === 'number' && typeof max === 'number') {
    return min === max ? [`of ${min} ${units(min)}`] : [`of ${min} to ${max} ${units(max)}`];
  }
  if (typeof min === 'number') return [`of at least ${min} ${units(min)}`];
  return typeof max === 'number' ? [`of at most ${max} ${units(max)}`] : [];
}
