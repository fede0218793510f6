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

/** Repairs a value and removes what the schema does not list. */
export type Cleaner = (value: unknown) => KeyCheck;
/** Makes a result of what was found. */
export type Judge = (cleaned: KeyCheck, checked: Checked, alsoHide: Hide | undefined) => Validated<unknown>;
/** Validates a value; see `CompiledSchema`. */
export type Validate = (value: unknown, alsoHide?: Hide) => MaybePromise<Validated<unknown>>;
/** Gives the view of a schema, which is made when it is first needed. */
export type ViewOf = () => SchemaView;

/** What a value goes through. */
export interface Stages {
  readonly guard: PatternGuard;
  readonly clean: Cleaner | undefined;
  readonly check: Check;
  readonly judge: Judge;
  readonly viewOf: ViewOf;
}

/** Validates where patterns must not be tried on everything. */
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
      // What was a string may be a list of them now.
      budget.begin();
      const repaired = findTooLong?.(cleaned.value) ?? [];
      if (repaired.length > 0) return refuse(cleaned.value, repaired);
    }
    const settle = (checked: Checked): Validated<unknown> =>
      isExceeded() && !limits.areLongValid
        ? refuse(value, [tooMuchFor(budget.exceededBy)])
        : judge(cleaned, checked, alsoHide);
    // Of a value that is refused anyway nothing else is checked.
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
