import { SchemaError } from '../../errors/errors.ts';
import type { Check, Checked } from '../issues/checked.ts';
import { isNode } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { PatternLimits } from '../expressions/bounded-expression.ts';
import { shareKeys } from '../convert/share-keys.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';

/** One part of a joined schema. */
export interface CheckedPart {
  readonly check: Check;
  /** JSON Schema of the part; undefined if it cannot be converted. */
  readonly document: SchemaNode | undefined;
  /** Whether the check itself drops keys of other parts. */
  readonly strips: boolean;
}

/** Joins several checks: each gets its own share of the object, and their results are merged. */
export function joinChecks(parts: readonly CheckedPart[], owner: string, limits?: PatternLimits): Check {
  const shares = shareKeys(
    parts.map(({ document }) => document),
    limits,
  );
  const checks = parts.map(({ check, strips }, index): Check => {
    // No part rejects keys, and this part drops unknown ones.
    if (shares.isSilent && strips) return check;
    return (value, stopsEarly) =>
      check(
        shareOf(value as SchemaNode, (key) => shares.of(key)[index] === true),
        stopsEarly,
      );
  });
  return (value, stopsEarly) => {
    if (!isNode(value)) return { issues: [{ path: [], message: 'must be an object' }] };
    const found = runAll(checks, (check) => check(value, stopsEarly));
    if (!found.some(isPromiseLike)) return putTogether(found as readonly Checked[], owner);
    return Promise.all(found.map((checked) => Promise.resolve(checked))).then((settled) =>
      putTogether(settled, owner),
    );
  };
}

/** The members with these keys. */
function shareOf(value: SchemaNode, isOwn: (key: string) => boolean): SchemaNode {
  // fromEntries defines members, so a key named __proto__ cannot reach the prototype.
  return Object.fromEntries(Object.entries(value).filter(([key]) => isOwn(key)));
}

function runAll(
  checks: readonly Check[],
  run: (check: Check) => MaybePromise<Checked>,
): MaybePromise<Checked>[] {
  const found: MaybePromise<Checked>[] = [];
  try {
    for (const check of checks) found.push(run(check));
  } catch (error) {
    // A rejection of another promise that is never awaited would end the process.
    for (const other of found) if (isPromiseLike(other)) other.then(undefined, () => {});
    throw error;
  }
  return found;
}

function putTogether(found: readonly Checked[], owner: string): Checked {
  const issues = found.flatMap((checked) => checked.issues ?? []);
  if (issues.length > 0) return { issues };
  const members: [string, unknown][] = [];
  for (const checked of found) {
    if (!isNode(checked.value)) {
      throw new SchemaError(
        `${owner} is joined from parts, and the transform of one part did not return an object. Transform single fields instead.`,
      );
    }
    members.push(...Object.entries(checked.value));
  }
  return { value: Object.fromEntries(members) };
}
