import { compilePattern } from '../../../schema/expressions/pattern.ts';
import { judgePattern } from '../../../pattern-judge/judge-pattern.ts';
import { isForeignPattern } from './foreign-pattern.ts';

/** Maximum number of slow patterns per document that are judged; each takes milliseconds. */
const MAX_SLOW = 200;
/** Maximum size of all patterns per document, in characters with repetitions expanded: real documents have a tenth of it. */
const MAX_WORK = 500_000;

/** Maximum string length of a pattern, or the reason why it cannot be used. */
type Verdict = { readonly maxLength: number } | { readonly problem: string };

/** Decides which patterns of a document can be used. */
export class PatternJudge {
  readonly #verdicts = new Map<string, Verdict>();
  #slow = 0;
  #work = 0;

  /** Reason why a pattern cannot be used on strings of a length; undefined if it can. */
  // defence: judge-of-patterns-in-documents
  findProblem(pattern: string, longest: number): string | undefined {
    let verdict = this.#verdicts.get(pattern);
    if (verdict === undefined) {
      this.#work += workOf(pattern);
      const isTooMuch = this.#slow >= MAX_SLOW || this.#work > MAX_WORK;
      verdict = isTooMuch ? { problem: 'is one of too many patterns' } : judge(pattern);
      if (!('maxLength' in verdict) || Number.isFinite(verdict.maxLength)) this.#slow += 1;
      this.#verdicts.set(pattern, verdict);
    }
    if ('problem' in verdict) return verdict.problem;
    return longest <= verdict.maxLength ? undefined : 'can take very long';
  }
}

function judge(pattern: string): Verdict {
  try {
    // Some clients compile it without Unicode mode.
    RegExp(pattern);
    if (isForeignPattern(pattern)) return { problem: 'means something else in JavaScript' };
    const verdict = judgePattern(compilePattern(pattern));
    // A pattern that is proven linear is fast on strings below megabytes.
    if (verdict.kind === 'linear' || 'each' in verdict) return { maxLength: Number.POSITIVE_INFINITY };
    return 'maxLength' in verdict ? verdict : { problem: 'cannot be judged' };
  } catch {
    return { problem: 'is not a valid JavaScript regular expression' };
  }
}

const QUANTIFIER = /\{(\d{1,6})(?:,(\d{0,6}))?\}/y;

/** Size with repetitions expanded: `{1,255}` counts as 255 times the atom or group before it. */
function workOf(pattern: string): number {
  const groups = [0];
  let last = 0;
  for (let index = 0; index < pattern.length; index += 1) {
    const sign = pattern[index];
    QUANTIFIER.lastIndex = index;
    const counted = sign === '{' ? QUANTIFIER.exec(pattern) : null;
    if (counted !== null) {
      const [whole, least = '', most = ''] = counted;
      add(groups, last * (Math.max(Number(most === '' ? least : most), 1) - 1));
      index += whole.length - 1;
    } else if (sign === '(') groups.push(0);
    else {
      last = sign === ')' && groups.length > 1 ? (groups.pop() ?? 0) : 1;
      add(groups, last);
      if (sign === '\\') index += 1;
    }
  }
  return Math.min(
    groups.reduce((sum, work) => sum + work, 0),
    MAX_WORK,
  );
}

function add(groups: number[], work: number): void {
  groups[groups.length - 1] = Math.min((groups.at(-1) ?? 0) + work, MAX_WORK);
}
