import { isBytes } from '../../base/json/find-json-refusal.ts';
import { MAX_RESULT_DEPTH } from '../../format/serialize.ts';
import { isSecretPlace } from '../../schema/issues/secret-paths.ts';
import type { SecretPath } from '../../schema/issues/secret-paths.ts';
import type { ValuePath } from '../../schema/view/walk-path.ts';

/** Maximum number of nodes; larger results cannot be sent anyway. */
const MAX_NODES = 1_000_000;

/** Matches only paths through or to an object: an object is hidden as a whole or not at all. */
const ANY_OBJECT = {};

/** Rules for a copy. */
interface CopyRules {
  readonly secrets: readonly SecretPath[];
  readonly censor: string;
  /** Receives every hidden scalar as text; empty for values that no text can contain. */
  readonly onHidden: (text: string) => void;
}

/** A copy of the value as JSON: every member is read once, and only dates are shared with the original. */
export function copyPlain(value: unknown): unknown {
  return copyRedacted(value, { secrets: [], censor: '', onHidden: () => {} });
}

/**
 * A copy without the values at the secret paths. A scalar on the way to one is hidden as well: a string `card` may contain the number that
 * `card.number` hides. Throws if the value cannot be traversed: a cycle, too deep, too large, a getter or `toJSON` that throws.
 */
export function copyRedacted(value: unknown, rules: CopyRules): unknown {
  const open = new Set<object>();
  let nodes = 0;
  const copy = (given: unknown, path: ValuePath, isHidden: boolean): unknown => {
    nodes += 1;
    if (nodes > MAX_NODES || path.length > MAX_RESULT_DEPTH) throw new RangeError('The value is too large.');
    const current = jsonForm(given, path);
    const hides = isHidden || isToHide(rules.secrets, path, current);
    if (typeof current !== 'object' || current === null || current instanceof Date) {
      if (!hides) return current;
      report(current, rules.onHidden);
      return current === undefined ? undefined : rules.censor;
    }
    if (open.has(current)) throw new TypeError('The value contains itself.');
    open.add(current);
    const copied = Array.isArray(current)
      ? Array.from(current as unknown[], (element, index) => copy(element, [...path, index], hides))
      : // fromEntries defines members, so a key named __proto__ cannot reach the prototype.
        Object.fromEntries(
          Object.keys(current).map((key) => [
            key,
            copy((current as Record<string, unknown>)[key], [...path, key], hides),
          ]),
        );
    open.delete(current);
    if (!hides || isHidden) return copied;
    rules.onHidden('');
    return rules.censor;
  };
  return copy(value, [], false);
}

function isToHide(secrets: readonly SecretPath[], path: ValuePath, value: unknown): boolean {
  // The root value does not count as a scalar on the way: a tool that returns one word has hidden no record in it.
  if (path.length === 0 || secrets.length === 0) return false;
  // `null` hides nothing on the way. At the secret path itself it may be meaningful.
  return isSecretPlace(secrets, path, value === null ? ANY_OBJECT : value);
}

/** The value after `toJSON`, before its members are read. */
function jsonForm(value: unknown, path: ValuePath): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) === Date.prototype && !Object.hasOwn(value, 'toJSON')) return value;
  // They have a member per byte.
  if (isBytes(value)) throw new TypeError('The value contains bytes.');
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return value;
  return (toJSON as (this: unknown, key: string) => unknown).call(value, String(path.at(-1) ?? ''));
}

/** Reports a hidden scalar; also one that no text can contain, because something was hidden. */
function report(value: unknown, onHidden: (text: string) => void): void {
  if (value === undefined) return;
  if (!(value instanceof Date))
    return onHidden(value === null ? '' : `${value as string | number | bigint | boolean}`);
  onHidden(JSON.stringify(value).replaceAll('"', ''));
  onHidden(String(value));
}
