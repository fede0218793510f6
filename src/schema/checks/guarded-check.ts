import { cutText } from '../../base/cut-text.ts';
import type { Check, Checked } from '../issues/checked.ts';
import type { RawIssue } from '../issues/explain.ts';
import type { Hide } from '../issues/hider.ts';
import type { PatternGuard } from './guard-patterns.ts';
import type { SchemaView } from '../view/schema-view.ts';
import { checkKeys, unchecked } from '../issues/unknown-keys.ts';
import type { KeyCheck } from '../issues/unknown-keys.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { Validated } from '../issues/validated.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';

/** Repairs a value and removes unknown keys. */
export type Cleaner = (value: unknown) => KeyCheck;
/** Converts the findings to a validation result. */
export type Judge = (cleaned: KeyCheck, checked: Checked, alsoHide: Hide | undefined) => Validated<unknown>;
/** Validates a value; see `CompiledSchema`. */
export type Validate = (value: unknown, alsoHide?: Hide) => MaybePromise<Validated<unknown>>;
/** Returns the view of a schema, created on first use. */
export type ViewOf = () => SchemaView;

/** Stages of a validation. */
export interface Stages {
  readonly guard: PatternGuard;
  readonly clean: Cleaner | undefined;
  readonly check: Check;
  readonly judge: Judge;
  readonly viewOf: ViewOf;
}

/** Creates a validator that limits the strings patterns are tried on. */
export function createGuarded({ guard, clean, check, judge, viewOf }: Stages): Validate {
  const { budget, findTooLong, findUntried, limits } = guard;
  const isExceeded = (): boolean => budget.exceededBy !== undefined;
  return (value, alsoHide) => {
    const refuse = (refused: unknown, issues: readonly RawIssue[]): Validated<unknown> =>
      judge(unchecked(refused), { issues }, alsoHide);
    budget.begin();
    const tooLong = findTooLong?.(value) ?? [];
    if (tooLong.length > 0) return refuse(value, tooLong);
    if (findUntried !== undefined && (findUntried(value).length > 0 || isExceeded()))
      return { ok: true, value: checkKeys(viewOf(), value, 'strip').value };
    const cleaned = clean === undefined ? unchecked(value) : clean(value);
    if (cleaned.value !== value && !isExceeded()) {
      // Repair may have turned a string into an array of strings.
      budget.begin();
      const repaired = findTooLong?.(cleaned.value) ?? [];
      if (repaired.length > 0) return refuse(cleaned.value, repaired);
    }
    const settle = (checked: Checked): Validated<unknown> =>
      isExceeded() && !limits.areLongValid
        ? refuse(value, [tooMuchFor(budget.exceededBy)])
        : judge(cleaned, checked, alsoHide);
    // A value that is rejected anyway needs no further checks.
    if (isExceeded() && !limits.areLongValid) return settle({});
    const checked = check(cleaned.value);
    return isPromiseLike(checked) ? checked.then(settle) : settle(checked);
  };
}

function tooMuchFor(source = ''): RawIssue {
  const pattern = JSON.stringify(cutText(source));
  return {
    path: [],
    message: `has too many strings, or too long ones, for the pattern ${pattern}. Send fewer or shorter ones`,
  };
}
