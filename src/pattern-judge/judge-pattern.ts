import { findPumps } from './graph/ambiguity.ts';
import { toAutomaton } from './graph/automaton.ts';
import { startsAtEdge, toSearch } from './run/search.ts';
import type { Search } from './run/search.ts';
import { Graph } from './graph/graph.ts';
import { findLetters, LINE_END, WORD } from './syntax/letters.ts';
import type { Letters } from './syntax/letters.ts';
import { correctBound, HARMLESS_STEPS, roundsOf, toText } from './measure-growth.ts';
import type { Attack, Growth } from './measure-growth.ts';
import { outline } from './syntax/outline.ts';
import type { Outline } from './syntax/outline.ts';
import { findUnjudgeable } from './syntax/find-unjudgeable.ts';
import { parsePattern, UnreadablePattern } from './syntax/parse-pattern.ts';
import type { PatternNode } from './syntax/parse-pattern.ts';
import { PROVEN_PATTERNS } from './proven-patterns.ts';
import { writeProgram } from './run/program.ts';
import { simplify } from './syntax/simplify.ts';
import { linearSteps, MAX_CHARS, MAX_CHECK_STEPS, MAX_STRINGS, mostSteps } from './run/steps.ts';
import type { LinearCost, Steps } from './run/steps.ts';
import { Trial } from './trial.ts';
import type { Found } from './trial.ts';
import { Walks } from './walks.ts';

// Entry of this folder: callers that judge patterns also count their steps.
export { MAX_CHARS, MAX_CHECK_STEPS, MAX_STRINGS, mostSteps } from './run/steps.ts';
export type { Steps } from './run/steps.ts';
export { groupNames } from './syntax/parse-pattern.ts';

/** Time complexity of a search for a pattern. */
export type PatternVerdict =
  /** Proven linear in the length of the string, for every string. */
  | LinearPattern
  | BoundedPattern
  | ExponentialPattern
  /** Not determined; `reason` says why. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** A pattern that may be tried on strings of any length. */
export interface LinearPattern {
  readonly kind: 'linear';
  readonly cost: LinearCost;
  readonly steps: Steps;
}

/** A pattern that is fast on strings up to a length, and not known to be fast on longer ones. */
export interface BoundedPattern {
  readonly kind: 'bounded';
  /** Maximum string length, in UTF-16 code units. */
  readonly maxLength: number;
  readonly steps: Steps;
  /** Proven linear with this many steps per character. */
  readonly each?: number;
  /** Exponent of the measured growth; undefined if nothing was proven and nothing was measured. */
  readonly degree?: number;
  /** A slow string of about the given length. */
  readonly example?: Example;
}

/** A pattern with exponential time. */
export interface ExponentialPattern {
  readonly kind: 'exponential';
  /** Maximum length of a harmless string. */
  readonly maxLength: number;
  readonly steps: Steps;
  readonly example: Example;
}

/** Returns a slow string of about the given length. */
export type Example = (length: number) => string;

const known = new Map<string, PatternVerdict>();
const MAX_KNOWN = 2000;

/** Judges an expression in bounded time; results are cached. */
// defence: judge-of-patterns
export function judgePattern(expression: RegExp): PatternVerdict {
  const written = keyOf(expression, expression.flags);
  const remembered = known.get(written);
  if (remembered !== undefined) return remembered;
  const flags = flagsOf(expression);
  const key = keyOf(expression, flags);
  const verdict = known.get(key) ?? judge(expression.source, flags);
  remember(key, verdict);
  // Cached as written too: many schemas share it, and its flags need not be normalized again.
  remember(written, verdict);
  return verdict;
}

function keyOf({ source }: RegExp, flags: string): string {
  return `${flags}/${source}`;
}

function remember(key: string, verdict: PatternVerdict): void {
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(key, verdict);
}

/** The cached verdict of an expression; undefined if it was not judged. */
export function findVerdict(expression: RegExp): PatternVerdict | undefined {
  return known.get(keyOf(expression, flagsOf(expression)));
}

/** Syntax with another meaning in Unicode mode: escapes, and characters that are two code units without it. */
const DIFFERS = /\\u\{|\\[pPk]|\\u[dD][89a-fA-F]|[\uD800-\uDFFF]/;

/** The relevant flags. Unicode mode wherever it makes no difference, so that each pattern is judged once. */
function flagsOf({ source, flags }: RegExp): string {
  const kept = flags.replaceAll(/[^imsuv]/g, '');
  if (/[uv]/.test(kept) || DIFFERS.test(source)) return kept;
  try {
    return new RegExp(source, `${kept}u`).flags;
  } catch {
    return kept;
  }
}

function judge(source: string, flags: string): PatternVerdict {
  const proven = flags === 'u' ? PROVEN_PATTERNS.get(source) : undefined;
  if (proven !== undefined) return toLinear(proven);
  let verdict: PatternVerdict | undefined;
  const reason = attempt(() => {
    verdict = judgeTree(parsePattern(source, flags), flags);
  });
  return verdict ?? { kind: 'unknown', reason: reason ?? '' };
}

/** Proves that a pattern is linear. If that fails, finds the maximum length of strings that it may be tried on. */
// defence: proof-of-linear-time
function judgeTree(whole: PatternNode, flags: string): PatternVerdict {
  const unjudgeable = findUnjudgeable(whole);
  if (unjudgeable !== undefined) return { kind: 'unknown', reason: unjudgeable };
  const read = outline(whole, flags);
  const isAnchored = !flags.includes('m') && startsAtEdge(whole);
  const plain = plainCost(read, isAnchored);
  if (plain !== undefined && isSmall(plain)) return toLinear(plain);
  const letters = findLetters(read.sets, flags);
  const pattern = simplify(whole, letters);
  const walks = new Walks(writeProgram(pattern, letters), {
    size: letters.samples.length,
    words: letters.of(WORD),
    lineEnds: flags.includes('m') ? letters.of(LINE_END) : [],
    isAnchored,
  });
  const cost = walks.prove(read) ?? plain;
  if (cost !== undefined) return toLinear(cost);
  const search = toSearch(pattern, letters, flags);
  const { worst, reason } = tryOut(pattern, search, { ...read, isAnchored, letters });
  if (worst === undefined && reason !== undefined) return { kind: 'unknown', reason };
  const example = worst === undefined ? undefined : toExample(worst.attack, letters);
  const seen: Growth = worst?.growth ?? { degree: 0, harmlessLength: MAX_UNPROVEN, steps: UNPROVEN };
  const isSteep = seen.degree === Number.POSITIVE_INFINITY;
  const followed = isSteep ? undefined : walks.followGrowth();
  const bound = Math.min(seen.harmlessLength, MAX_UNPROVEN, followed?.length ?? MAX_UNPROVEN);
  const corrected = worst === undefined || isSteep ? undefined : correctBound(search, worst.attack, bound);
  const maxLength = Math.min(bound, corrected?.harmlessLength ?? bound);
  const steps = mostSteps([
    seen.steps,
    ...[corrected?.steps, followed?.steps].filter((each) => each !== undefined),
  ]);
  const degree = corrected?.degree ?? worst?.growth.degree;
  if (degree === Number.POSITIVE_INFINITY && example !== undefined)
    return { kind: 'exponential', maxLength, steps, example };
  return {
    kind: 'bounded',
    maxLength,
    steps: mostSteps([steps, UNPROVEN]),
    ...(degree === undefined ? {} : { degree }),
    ...(example === undefined ? {} : { example }),
  };
}

/** Maximum steps per character: both one long string and many short ones in the largest message must be fast. */
const MAX_EACH = MAX_CHECK_STEPS / MAX_CHARS;
const MAX_FIXED = MAX_CHECK_STEPS / MAX_STRINGS;

function isSmall({ fixed, each }: LinearCost): boolean {
  return each <= MAX_EACH && fixed <= MAX_FIXED;
}

function toLinear(cost: LinearCost): PatternVerdict {
  const steps = linearSteps(cost);
  if (cost.each <= MAX_EACH) return { kind: 'linear', cost, steps };
  const maxLength = Math.floor((MAX_CHECK_STEPS - cost.fixed) / cost.each);
  return { kind: 'bounded', maxLength, steps, each: cost.each };
}

/** Maximum steps per character of a cost that is derived from the syntax and not proven. */
const MAX_READ_OFF = 250;

/**
 * Cost derived from the syntax, for short searches: the paths through the pattern, times the characters on each, once to read and once to
 * fail.
 */
function plainCost({ ways, loops, reach, span }: Outline, isAnchored: boolean): LinearCost | undefined {
  if (isAnchored && loops === 0 && ways * reach <= HARMLESS_STEPS / 2)
    return { fixed: 2 * ways * (reach + 1), each: 0, most: 2 * ways };
  const each = ways * (isAnchored && loops === 1 ? span : reach);
  return each <= MAX_READ_OFF ? { fixed: 2 * each, each: 2 * each, most: 2 * each } : undefined;
}

/** Every character is read again from every position before it. */
const UNPROVEN: Steps = (length) => length ** 2 / 2;
/** Number of characters that take {@link HARMLESS_STEPS} then. */
const MAX_UNPROVEN = Math.floor(Math.sqrt(2 * HARMLESS_STEPS));

interface Tried extends Outline {
  readonly isAnchored: boolean;
  readonly letters: Letters;
}

/** Suspects are found by analyzing the pattern. Whether they are slow is measured by counting the steps of a search. */
function tryOut(
  pattern: PatternNode,
  search: Search,
  { largestCount, sets, hasStart, isAnchored, letters }: Tried,
): { worst: Found | undefined; reason: string | undefined } {
  const trial = new Trial(search, {
    largestCount,
    beside: [WORD, LINE_END].filter((set) => sets.has(set)).map((set) => letters.of(set)),
    mayMatchAtStart: hasStart && !isAnchored,
  });
  const reasons = ROUNDS.filter((_, index) => index === 0 || largestCount > (ROUNDS[index - 1] ?? 0)).map(
    (rounds) =>
      attempt(() => {
        const graph = new Graph(toAutomaton(pattern, rounds), letters, isAnchored);
        trial.tryAll(findPumps(graph), graph);
      }),
  );
  return { worst: trial.worst, reason: reasons.includes(undefined) ? undefined : reasons[0] };
}

/** Numbers of rounds to which repetitions are expanded. More rounds give fewer false suspects, fewer rounds are faster. */
const ROUNDS = [1, 16, 1000];

/** Runs a function; returns the reason if the pattern could not be judged. */
function attempt(look: () => void): string | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    if (error instanceof UnreadablePattern) return error.message;
    throw error;
  }
}

function toExample(attack: Attack, { samples }: Letters): Example {
  return (length) =>
    toText(attack, roundsOf(attack, length))
      .map((letter) => samples[letter] ?? '')
      .join('');
}
