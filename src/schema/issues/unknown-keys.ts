import type { Issue } from '../../errors/issue.ts';
import { findNearestNames } from '../../errors/nearest-names.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { mapMembers, REMOVED } from '../../base/json/map-members.ts';
import { pathTo } from '../view/nested-value.ts';
import type { NestedValue } from '../view/nested-value.ts';
import type { SchemaView } from '../view/schema-view.ts';

/** Handling of arguments that the schema does not list: drop, reject or keep them. */
export type UnknownArguments = 'strip' | 'reject' | 'keep';

/** A key that is not allowed. */
export interface UnknownKey {
  readonly path: readonly (string | number)[];
  readonly key: string;
  /** Returns the allowed keys. */
  readonly known: () => readonly string[];
}

/** The value without unknown keys, and the issues found so far. */
export interface KeyCheck {
  readonly value: unknown;
  /** The original value with its unknown keys: they may hold secrets. */
  readonly given: unknown;
  /** Keys that are not allowed. */
  readonly unknown: readonly UnknownKey[];
  /** Paths of arrays where the schema requires an object. Some libraries accept them, because an array is an object in JavaScript. */
  readonly lists: readonly (readonly (string | number)[])[];
}

/** Result for a value whose keys need no check. */
export function unchecked(value: unknown): KeyCheck {
  return { value, given: value, unknown: NONE, lists: NONE };
}

const NONE: readonly never[] = [];

/**
 * Removes unknown keys at every depth, and reports forbidden ones. Forbidden keys are removed as well, so that the validator reports all
 * other issues. `reject` needs no branch here: the advertised schema is closed then (see `closeObjects`), and objects that the author left
 * open stay open.
 */
export function checkKeys(view: SchemaView, value: unknown, mode: UnknownArguments): KeyCheck {
  view.begin();
  let unknown: UnknownKey[] | undefined;
  let lists: (string | number)[][] | undefined;
  const visit = (node: SchemaNode, nested: NestedValue): unknown => {
    const { value: current } = nested;
    // Fast path: most members are scalars.
    if (typeof current !== 'object' || current === null) return current;
    const accepted = Array.isArray(current) ? view.acceptedTypes(node) : undefined;
    if (accepted?.has('array') === false && accepted.has('object')) (lists ??= []).push(pathTo(nested));
    const place = view.at(node, current);
    return mapMembers(current, (member, key) => {
      const inner = { value: member, above: nested, key };
      const verdict = typeof key === 'string' ? place.judge(key) : 'known';
      // defence: strip-unknown
      if (verdict === 'unsaid' && mode === 'strip' && !view.isAskedFor(node, String(key))) return REMOVED;
      // defence: refusal-of-unknown-arguments
      if (verdict === 'forbidden') {
        (unknown ??= []).push({ path: pathTo(inner), key: String(key), known: () => place.knownKeys() });
        return REMOVED;
      }
      const child = place.member(key);
      return child === undefined ? member : visit(child, inner);
    });
  };
  const kept = visit(view.root, { value });
  return { value: kept, given: value, unknown: unknown ?? NONE, lists: lists ?? NONE };
}

const MAX_NAMED = 50;

/** Issue of an unknown key, with the allowed names. `shown` is the part of its path that may be shown. */
export function explainUnknownKey(
  { path, key, known }: UnknownKey,
  shown: readonly (string | number)[],
): Issue {
  if (shown.length < path.length) return { path: shown, message: 'has a key that is not allowed' };
  const names = known();
  // Suggestions would reveal a hidden key.
  const [nearest] = shown.at(-1) === key ? findNearestNames(key, names) : [];
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return { path: shown, message: `is not a known argument.${hint} ${listNames(names)}` };
}

function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'No arguments are allowed here.';
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `Allowed: ${names.slice(0, MAX_NAMED).join(', ')}${more}.`;
}
