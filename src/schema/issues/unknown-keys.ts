import type { Issue } from '../../errors/issue.ts';
import { findNearestNames } from '../../errors/nearest-names.ts';
import { isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import { mapArray, mapObject, REMOVED } from '../../base/json/map-members.ts';
import type { SchemaView } from '../view/schema-view.ts';

/** What to do with arguments that the schema does not mention. */
export type UnknownArguments = 'strip' | 'reject' | 'keep';

/** A key that must not be there. */
export interface UnknownKey {
  readonly path: readonly (string | number)[];
  readonly key: string;
  /** The keys that may be there. */
  readonly known: () => readonly string[];
}

/** The value without unknown keys, and what is wrong with it so far. */
export interface KeyCheck {
  readonly value: unknown;
  /** The value with its unknown keys: what they hold may be a secret. */
  readonly given: unknown;
  /** Keys that are not allowed. */
  readonly unknown: readonly UnknownKey[];
  /** Lists where the schema asks for an object. Some libraries take them, because a list is an object in JavaScript. */
  readonly lists: readonly (readonly (string | number)[])[];
}

/** A value that nobody has looked at. */
export function unchecked(value: unknown): KeyCheck {
  return { value, given: value, unknown: NONE, lists: NONE };
}

const NONE: readonly never[] = [];

/**
 * Removes keys that the schema does not know, at every depth, and reports those that it forbids. Forbidden keys are removed
 * as well, so that the validator behind this reports everything else that is wrong. `reject` needs no branch of its own: the
 * advertised schema is closed then (see `closeObjects`), and what it leaves open on purpose stays open.
 */
export function checkKeys(view: SchemaView, value: unknown, mode: UnknownArguments): KeyCheck {
  view.begin();
  let unknown: UnknownKey[] | undefined;
  let lists: (string | number)[][] | undefined;
  const visit = (node: SchemaNode, current: unknown, path: Path | undefined): unknown => {
    if (Array.isArray(current)) {
      const accepted = view.acceptedTypes(node);
      if (accepted?.has('array') === false && accepted.has('object')) (lists ??= []).push(toList(path));
      const place = view.at(node, current);
      return mapArray(current as readonly unknown[], (element, index) => {
        const child = place.item(index);
        return child === undefined ? element : visit(child, element, { above: path, key: index });
      });
    }
    if (!isNode(current)) return current;
    const place = view.at(node, current);
    return mapObject(current, (key, member) => {
      const verdict = place.judge(key);
      // defence: strip-unknown
      if (verdict === 'unsaid' && mode === 'strip' && !view.isAskedFor(node, key)) return REMOVED;
      const here = { above: path, key };
      // defence: refusal-of-unknown-arguments
      if (verdict === 'forbidden') {
        (unknown ??= []).push({ path: toList(here), key, known: () => place.knownKeys() });
        return REMOVED;
      }
      const child = place.child(key);
      return child === undefined ? member : visit(child, member, here);
    });
  };
  const kept = visit(view.root, value, undefined);
  return { value: kept, given: value, unknown: unknown ?? NONE, lists: lists ?? NONE };
}

/** A path as it grows during the walk; written out only for a complaint. */
interface Path {
  readonly above: Path | undefined;
  readonly key: string | number;
}

function toList(path: Path | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let step: Path | undefined = path; step !== undefined; step = step.above) keys.unshift(step.key);
  return keys;
}

const MAX_NAMED = 50;

/** The complaint about a key, with the names that would be right. `shown` is what may be seen of its path. */
export function explainUnknownKey(
  { path, key, known }: UnknownKey,
  shown: readonly (string | number)[],
): Issue {
  if (shown.length < path.length) return { path: shown, message: 'has a key that is not allowed' };
  const names = known();
  // Names like a key that is hidden would tell what it is like.
  const [nearest] = shown.at(-1) === key ? findNearestNames(key, names) : [];
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return { path: shown, message: `is not a known argument.${hint} ${listNames(names)}` };
}

function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'No arguments are allowed here.';
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `Allowed: ${names.slice(0, MAX_NAMED).join(', ')}${more}.`;
}
