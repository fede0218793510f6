import { isNode } from '../../schema/nodes/json-node.ts';
import type { SchemaNode } from '../../schema/nodes/json-node.ts';
import { hasHidden } from '../naming/clean-text.ts';
import type { Conversion } from './model/conversion.ts';

/** Keywords whose values are words of a specification. */
const WORDS = ['format', 'contentEncoding', 'contentMediaType'] as const;
const WORD = /^[ -~]{1,100}$/;

/**
 * Removes values with invisible characters, which models read and people do not see, from a converted schema. Descriptions are already
 * clean. Without its hidden characters a value would be another value, so it is not advertised at all; callers can still send it.
 */
export function withoutHidden(node: SchemaNode, at: Conversion): SchemaNode {
  const found = Object.entries(node).filter(([keyword, value]) => isSuspicious(keyword, value));
  if (found.length === 0) return node;
  const changed: Record<string, unknown> = { ...node };
  for (const [keyword, value] of found) {
    const clean = cleanMember(keyword, value);
    at.problem(`${keyword} has values with invisible characters; they are left out`);
    if (clean === undefined) delete changed[keyword];
    else changed[keyword] = clean;
  }
  return changed;
}

function isSuspicious(keyword: string, value: unknown): boolean {
  if ((WORDS as readonly string[]).includes(keyword)) return typeof value === 'string' && !WORD.test(value);
  switch (keyword) {
    case 'enum':
    case 'const':
    case 'default':
    case 'examples':
    case 'pattern':
    case 'required':
    case 'dependentRequired':
      return holdsHidden(value);
    case 'properties':
    case 'patternProperties':
    case 'dependentSchemas':
      return isNode(value) && Object.keys(value).some(hasHidden);
    default:
      return false;
  }
}

function cleanMember(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'required':
      return (value as readonly string[]).filter((name) => !hasHidden(name));
    case 'properties':
    case 'patternProperties':
    case 'dependentSchemas':
    case 'dependentRequired':
      return Object.fromEntries(
        Object.entries(value as SchemaNode).filter(
          ([name, member]) => !hasHidden(name) && !isHiddenList(keyword, member),
        ),
      );
    default:
      return undefined;
  }
}

function isHiddenList(keyword: string, member: unknown): boolean {
  return keyword === 'dependentRequired' && holdsHidden(member);
}

/** Whether any string of a value, including keys, has invisible characters. */
function holdsHidden(value: unknown): boolean {
  if (typeof value === 'string') return hasHidden(value);
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value)
    ? value.some(holdsHidden)
    : Object.entries(value).some(([key, member]) => hasHidden(key) || holdsHidden(member));
}
