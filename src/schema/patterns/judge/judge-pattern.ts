import { findPumps } from './ambiguity.ts';
import type { Pump } from './ambiguity.ts';
import { toAutomaton } from './automaton.ts';
import { startsAtEdge, toSearch } from './search.ts';
import type { Search } from './search.ts';
import { Graph } from './graph.ts';
import { findLetters, LINE_END, WORD } from './letters.ts';
import type { Letters } from './letters.ts';
import { findBarrier, findEnds } from './find-ends.ts';
import { measureGrowth, toText } from './measure-growth.ts';
import type { Attack, Growth } from './measure-growth.ts';
import { outline } from './outline.ts';
import { parsePattern, UnreadablePattern } from './parse-pattern.ts';
import type { PatternNode } from './parse-pattern.ts';
import { simplify } from './simplify.ts';
import { spell } from './spell.ts';

/** How long a search for a pattern can take. */
export type PatternVerdict =
  /** In proportion to the length of the text. */
  | { readonly kind: 'linear' }
  | SlowPattern
  /** Not found out; `reason` says why. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** A pattern that takes long on some texts. */
export interface SlowPattern extends Growth {
  readonly kind: 'slow';
  /** A text of that kind, about as long as asked for. */
  readonly example: (length: number) => string;
}

const LINEAR: PatternVerdict = { kind: 'linear' };
const known = new Map<string, PatternVerdict>();
const MAX_KNOWN = 2000;

/** Judges an expression; each only once, and in a bounded time. */
export function judgePattern(expression: RegExp): PatternVerdict {
  const flags = flagsOf(expression);
  const key = `${flags}/${expression.source}`;
  const remembered = known.get(key);
  if (remembered !== undefined) return remembered;
  const verdict = judge(expression.source, flags);
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(key, verdict);
  return verdict;
}

/** What was found when an expression was judged; undefined when it was not. */
export function findVerdict(expression: RegExp): PatternVerdict | undefined {
  return known.get(`${flagsOf(expression)}/${expression.source}`);
}

/** The flags that matter. Unicode mode wherever it is possible: it makes no other difference, and each pattern is judged once. */
function flagsOf({ source, flags }: RegExp): string {
  const kept = flags.replaceAll(/[^imsv]/g, '');
  if (kept.includes('v')) return kept;
  try {
    return new RegExp(source, `${kept}u`).flags;
  } catch {
    return kept;
  }
}

function judge(source: string, flags: string): PatternVerdict {
  let verdict = LINEAR;
  const reason = attempt(() => {
    verdict = judgeTree(parsePattern(source, flags), flags);
  });
  return reason === undefined ? verdict : { kind: 'unknown', reason };
}

/** From one position, so many ways do not matter. */
const FEW_WAYS = 200;
/** Nor does it matter if so many characters are read from every position. */
const SHORT = 1000;

/** Suspects are found by looking at the pattern. Whether they are slow is found by counting the steps of a search. */
function judgeTree(whole: PatternNode, flags: string): PatternVerdict {
  const { ways, loops, reach, sets, largestCount, hasStart } = outline(whole, flags);
  const isAnchored = !flags.includes('m') && startsAtEdge(whole);
  if (ways <= FEW_WAYS && (isAnchored ? loops <= 1 : reach <= SHORT)) return LINEAR;
  const letters = findLetters(sets, flags);
  const pattern = simplify(whole, letters);
  const trial = new Trial(toSearch(pattern, letters, flags), {
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
  const { worst } = trial;
  if (worst !== undefined) return toVerdict(worst, letters);
  const [reason = ''] = reasons;
  return reasons.includes(undefined) ? LINEAR : { kind: 'unknown', reason };
}

/** How many rounds of a repetition are written out. With more there are fewer false suspects, with fewer there is less to look at. */
const ROUNDS = [1, 16, 1000];

/** Why it could not be done, if it could not. */
function attempt(look: () => void): string | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    if (error instanceof UnreadablePattern) return error.message;
    throw error;
  }
}

interface Found {
  readonly attack: Attack;
  readonly growth: Growth;
}

/** What matters about a pattern while it is tried out. */
interface Traits {
  readonly largestCount: number;
  /** The letters of words and the ends of lines, where the pattern asks for the edges of those. */
  readonly beside: readonly (readonly boolean[])[];
  /** Whether something may match at the beginning of a text and nowhere else. */
  readonly mayMatchAtStart: boolean;
}

/** What all searches for one pattern may take together, and what they may still take when a slow text is known. */
const MAX_STEPS = 4_000_000;
const MAX_MORE_STEPS = 600_000;
/** How many pumps are tried in pairs: two slow places behind each other are slower than each. */
const MAX_PAIRED = 4;

class Trial {
  worst: Found | undefined;
  readonly #search: Search;
  readonly #traits: Traits;
  #steps = 0;
  #allowed = MAX_STEPS;

  constructor(search: Search, traits: Traits) {
    this.#traits = traits;
    const count = (steps: number): number => {
      this.#steps += steps;
      return steps;
    };
    this.#search = {
      isAnchored: search.isAnchored,
      everywhere: (text, allowed) => count(search.everywhere(text, allowed)),
      from: (start, text, allowed) => count(search.from(start, text, allowed)),
    };
  }

  /** Whether nothing more is to be learnt. */
  get #isOver(): boolean {
    const isSpent = this.#steps > this.#allowed;
    if (isSpent && this.worst === undefined)
      throw new UnreadablePattern('it would take too long to find out');
    return isSpent || this.worst?.growth.degree === Number.POSITIVE_INFINITY;
  }

  tryAll(pumps: readonly Pump[], graph: Graph): void {
    const { beside, mayMatchAtStart } = this.#traits;
    for (const pump of pumps) {
      const needsBarrier = mayMatchAtStart && pump.from === graph.start;
      for (const spelt of spell(graph, pump, beside))
        this.#try([needsBarrier ? { ...spelt, before: findBarrier(graph) } : spelt], graph);
    }
    if (this.worst !== undefined) this.#tryPairs(pumps.slice(0, MAX_PAIRED), graph);
  }

  #tryPairs(pumps: readonly Pump[], graph: Graph): void {
    for (const first of pumps) {
      for (const second of pumps) {
        const before = first === second ? undefined : graph.path(first.to, second.from);
        if (before === undefined) continue;
        const [one] = spell(graph, first, []);
        const [other] = spell(graph, { before: before.map((state) => [state]), round: second.round }, []);
        if (one !== undefined && other !== undefined) this.#try([one, other], graph);
      }
    }
  }

  #try(pumps: Attack['pumps'], graph: Graph): void {
    if (this.#isOver) return;
    for (const end of findEnds(this.#search, pumps, graph)) {
      const attack = { pumps, end };
      const growth = measureGrowth(this.#search, attack, this.#traits.largestCount);
      if (growth === undefined) continue;
      this.#allowed = Math.min(this.#allowed, this.#steps + MAX_MORE_STEPS);
      if (this.worst === undefined || growth.harmlessLength < this.worst.growth.harmlessLength)
        this.worst = { attack, growth };
      return;
    }
  }
}

function toVerdict({ attack, growth }: Found, { samples }: Letters): SlowPattern {
  const [none, one] = [toText(attack, 0).length, toText(attack, 1).length];
  const example = (length: number): string => {
    const rounds = Math.max(1, Math.floor((length - none) / (one - none)));
    return toText(attack, rounds)
      .map((letter) => samples[letter] ?? '')
      .join('');
  };
  return { kind: 'slow', ...growth, example };
}
