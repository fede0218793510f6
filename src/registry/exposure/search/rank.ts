import { DOING, findDeed } from './search-terms.ts';
import type { TermHits, WordIndex } from './word-index.ts';

/** How soon more of a word counts no more (BM25). */
const SATURATION = 1.2;
/** What counts of a verb itself; its class counts beside it. */
const VERB_SHARE = 0.4;
/** The rarity of a class of verbs. Counted, it would be next to nothing, because there are few classes. */
const DEED_RARITY = 2.4;
/** The same where the query has no verb that is known. */
const DOING_RARITY = 0.6;
/** The share of its score that a document gets on top if a deciding field has all words of the query, and no others. */
const COVERED_BONUS = 1;

/** An index, and what a search counts in it. */
export interface Ranked {
  readonly words: WordIndex;
  readonly visible: Uint8Array;
  /** The number of different words in each deciding field, by position. */
  readonly lengths: readonly Uint16Array[];
}

/** The words of a query that a deciding field has, by position. */
interface Coverage {
  readonly lengths: Uint16Array;
  readonly rarity: Float64Array;
  readonly count: Uint16Array;
}

/** Scores by position: the share of the query that a document explains, from 0 to 1, and the bonus. */
export function rank(query: readonly string[], { words, visible, lengths }: Ranked): Float64Array {
  const size = visible.length;
  const count = visible.reduce((sum, each) => sum + each, 0);
  const scores = new Float64Array(size);
  const coverages = lengths.map((each): Coverage => {
    return { lengths: each, rarity: new Float64Array(size), count: new Uint16Array(size) };
  });
  const found = findDeed(query);
  const deeds = words.find([{ term: found?.deed ?? DOING, share: 1 }], visible);
  let whole = 0;
  for (const term of query) {
    const hits = findTerm(words, term, visible);
    const isVerb = term === found?.verb;
    const counted = Math.log(1 + (count - hits.found.length + 0.5) / (hits.found.length + 0.5));
    const rarity = isVerb ? VERB_SHARE * counted : counted;
    const value = isVerb ? rarity + DEED_RARITY : rarity;
    addScores(scores, hits, rarity);
    if (isVerb) addScores(scores, deeds, DEED_RARITY);
    for (const [field, coverage] of coverages.entries()) {
      const has = (at: number): boolean => (((hits.fields[at] ?? 0) >> field) & 1) === 1;
      const does = (at: number): boolean => isVerb && (((deeds.fields[at] ?? 0) >> field) & 1) === 1;
      for (const at of hits.found) if (has(at)) addCovered(coverage, at, value);
      if (isVerb) for (const at of deeds.found) if (does(at) && !has(at)) addCovered(coverage, at, value);
    }
    whole += value;
  }
  if (found === undefined)
    addScores(scores, { ...deeds, found: deeds.found.filter((at) => scores[at] !== 0) }, DOING_RARITY);
  return scores.map((score, at) =>
    score === 0
      ? 0
      : (score / whole) * (1 + COVERED_BONUS * Math.max(...coverages.map((each) => shareOf(each, at) / whole))),
  );
}

/** The visible documents with this term; those with a similar term only if there are none. */
function findTerm(words: WordIndex, term: string, visible: Uint8Array): TermHits {
  const hits = words.find([{ term, share: 1 }], visible);
  return hits.found.length > 0 ? hits : words.find(words.listNear(term), visible);
}

function addScores(scores: Float64Array, { found, weights }: TermHits, rarity: number): void {
  for (const at of found) {
    const weight = weights[at] ?? 0;
    scores[at] = (scores[at] ?? 0) + (rarity * weight) / (SATURATION + weight);
  }
}

function addCovered({ rarity, count }: Coverage, at: number, value: number): void {
  rarity[at] = (rarity[at] ?? 0) + value;
  count[at] = (count[at] ?? 0) + 1;
}

/** What of the query a field has, less where it has other words as well. */
function shareOf({ lengths, rarity, count }: Coverage, at: number): number {
  return (rarity[at] ?? 0) * Math.min(1, (count[at] ?? 0) / (lengths[at] || 1));
}
