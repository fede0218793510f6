import type { Check, Checked } from '../issues/checked.ts';
import { IssueCounter } from '../view/count-issues.ts';
import { cutAfter, isLarge } from '../view/cut-value.ts';
import type { RawIssue } from '../issues/explain.ts';
import type { SchemaView } from '../view/schema-view.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { valueAt } from '../view/walk-path.ts';

/** The first limits are those of what is shown. Only a validator that accepts what its document does not comes to the others. */
const LIMITS = [100, 2000, 20_000] as const;

/** More issues than this are not collected of alternatives that do not fit. About 64 megabytes. */
const MAX_DROPPED = 200_000;

const TOO_MANY: RawIssue = {
  path: [],
  message:
    'takes too much memory to validate: too many of its values do not match the first alternatives of their schema. Send fewer elements',
};

/**
 * A check that does not collect more issues of a large value than anybody reads. Validators collect all of them: 75 kilobytes of empty
 * objects that lack 20 members each are 500,000 issues, and hundreds of megabytes. The issues are counted by the JSON Schema first, and of
 * a value that has many the validator sees the beginning only.
 */
export function boundIssues(check: Check, canStopEarly: boolean, viewOf: () => SchemaView): Check {
  /** Of alternatives, validators keep all issues until one fits. */
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
      // What is only wrong with the beginning is not wrong with the value.
      const issues = checked.issues?.filter(({ path }) => {
        const whole = valueAt(value, path);
        return whole === valueAt(beginning, path) || counter.unfit.has(whole);
      });
      // The validator accepts something that the JSON Schema does not, such as a string for a number.
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
