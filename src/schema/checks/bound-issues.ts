import type { Check, Checked } from '../issues/checked.ts';
import { IssueCounter } from '../view/count-issues.ts';
import { cutAfter, isLarge } from '../view/cut-value.ts';
import type { RawIssue } from '../issues/explain.ts';
import type { SchemaView } from '../view/schema-view.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { valueAt } from '../view/walk-path.ts';

/** Limits of the number of issues per attempt. Only a validator that accepts more than its JSON Schema reaches the later ones. */
const LIMITS = [100, 2000, 20_000] as const;

/** Maximum number of issues of alternatives that do not match, about 64 megabytes. */
const MAX_DROPPED = 200_000;

const TOO_MANY: RawIssue = {
  path: [],
  message:
    'takes too much memory to validate: too many of its values do not match the first alternatives of their schema. Send fewer elements',
};

/**
 * Limits the number of issues that are collected for a large value. Validators collect all of them: 75 kilobytes of empty objects that lack
 * 20 members each are 500,000 issues, and hundreds of megabytes. The issues are counted with the JSON Schema first; if a value has many,
 * the validator gets only its beginning.
 */
export function boundIssues(check: Check, canStopEarly: boolean, viewOf: () => SchemaView): Check {
  /** Validators keep the issues of all alternatives until one matches. */
  const checkDropping = (value: unknown, dropped: number): MaybePromise<Checked> => {
    if (dropped < Number.POSITIVE_INFINITY) return check(value);
    if (canStopEarly) return check(value, true);
    const counter = new IssueCounter(viewOf(), { limit: MAX_DROPPED });
    counter.count(viewOf().root, { value });
    return counter.dropped < Number.POSITIVE_INFINITY ? check(value) : { issues: [TOO_MANY] };
  };
  const checkWithin = (value: unknown, step: number): MaybePromise<Checked> => {
    const limit = LIMITS[step];
    if (limit === undefined) return check(value);
    const view = viewOf();
    view.begin();
    const counter = new IssueCounter(view, { limit });
    if (counter.count(view.root, { value }) < limit) return checkDropping(value, counter.dropped);
    const beginning = cutAfter(counter.stop ?? { value });
    const judge = (checked: Checked): MaybePromise<Checked> => {
      // Ignore issues that exist only because the value was cut.
      const issues = checked.issues?.filter(({ path }) => {
        const whole = valueAt(value, path);
        return whole === valueAt(beginning, path) || counter.unfit.has(whole);
      });
      // The validator accepts a value that the JSON Schema does not, such as a string for a number.
      if (issues === undefined || issues.length === 0) return checkWithin(value, step + 1);
      return { issues, isIncomplete: true };
    };
    const checked = check(beginning);
    return isPromiseLike(checked) ? checked.then(judge) : judge(checked);
  };
  return (value) => {
    // defence: bound-of-issues
    if (isLarge(value)) return checkWithin(value, 0);
    return check(value);
  };
}
