import type { Issue } from '../errors/issue.ts';
import { findNearestNames } from '../errors/nearest-names.ts';
import { isNode } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import type { SchemaView } from './schema-view.ts';

/** What to do with arguments that the schema does not mention. */
export type UnknownArguments = 'strip' | 'reject';

/** The value without unknown keys, and a complaint for each that is not allowed. */
export interface KeyCheck {
  readonly value: unknown;
  readonly issues: readonly Issue[];
}

/**
 * Removes keys that the schema does not know, at every depth, and complains about those that are forbidden. Keys are
 * removed in both modes, so that the validator behind this reports everything else that is wrong.
 */
export function checkKeys(view: SchemaView, value: unknown, mode: UnknownArguments): KeyCheck {
  const issues: Issue[] = [];
  const visit = (node: SchemaNode, current: unknown, path: readonly (string | number)[]): unknown => {
    if (Array.isArray(current)) {
      return mapArray(current as readonly unknown[], (element, index) => {
        const child = view.itemNode(node, index, current);
        return child === undefined ? element : visit(child, element, [...path, index]);
      });
    }
    if (!isNode(current)) return current;
    const rule = view.keyRule(node, current);
    return mapObject(current, (key, member) => {
      if (rule.others !== 'open' && !rule.isKnown(key)) {
        if (mode === 'reject' || rule.others === 'closed')
          issues.push(unknownKey([...path, key], key, rule.known));
        return REMOVED;
      }
      const child = view.childNode(node, key, current);
      return child === undefined ? member : visit(child, member, [...path, key]);
    });
  };
  return { value: visit(view.root, value, []), issues };
}

const REMOVED: unique symbol = Symbol('removed');

/** Copies only when something changed: most calls are clean. */
function mapArray(
  elements: readonly unknown[],
  convert: (element: unknown, index: number) => unknown,
): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, element] of elements.entries()) {
    const converted = convert(element, index);
    if (converted === element && copy === undefined) continue;
    copy ??= elements.slice(0, index);
    copy.push(converted);
  }
  return copy ?? elements;
}

function mapObject(
  members: Readonly<Record<string, unknown>>,
  convert: (key: string, member: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  let changed = false;
  const kept: [string, unknown][] = [];
  for (const [key, member] of Object.entries(members)) {
    const converted = convert(key, member);
    if (converted !== member) changed = true;
    if (converted !== REMOVED) kept.push([key, converted]);
  }
  // fromEntries defines members, so a key named __proto__ cannot reach the prototype.
  return changed ? Object.fromEntries(kept) : members;
}

function unknownKey(path: readonly (string | number)[], key: string, known: readonly string[]): Issue {
  const allowed = known.length > 0 ? `Allowed: ${known.join(', ')}.` : 'No arguments are allowed here.';
  const [nearest] = findNearestNames(key, known);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return { path, message: `is not a known argument.${hint} ${allowed}` };
}
