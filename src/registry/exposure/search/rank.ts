import type { Deed } from './search-terms.ts';
import type { TermHits, WordIndex } from './word-index.ts';

/** The saturation of repeated words (k1 of BM25). */
const SATURATION = 1.2;
/** The share of a verb's rarity that counts; its class counts in addition. */
const VERB_SHARE = 0.6;
/** The rarity of a verb class, as a share of the rarest word's. Computed, it would be near zero, because there are few classes. */
const DEED_SHARE = 0.35;
/** The same for a guessed class. */
const DOING_SHARE = 0.15;
/** The bonus, as a share of its score, for a document with a deciding field that has all words of the query and no others. */
const COVERED_BONUS = 1;

/** An index, and the data of a search in it. */
export interface Ranked {
  readonly words: WordIndex;
  readonly visible: Uint8Array;
  /** The number of different words in each deciding field, by position. */
  readonly lengths: readonly Uint16Array[];
}

/** The words of a query that a deciding field has, by position. */
interface Coverage {
  readonly lengths: Uint16Array;
  readonly value: Float64Array;
  readonly count: Uint16Array;
}

/** The distinct terms of a query, and its verb class. */
export interface RankedQuery {
  readonly terms: readonly string[];
  readonly deed: Deed | undefined;
}

/** Scores by position: the share of the query that a document explains, from 0 to 1, and the bonus. */
export function rank({ terms, deed: said }: RankedQuery, { words, visible, lengths }: Ranked): Float64Array {
  const count = visible.reduce((sum, each) => sum + each, 0);
  const scores = new Float64Array(visible.length);
  const coverages = lengths.map((each) => createCoverage(each));
  const rarest = rarityOf(0, count);
  const deeds = words.find(said === undefined ? [] : [{ term: said.deed, share: 1 }], visible);
  let whole = 0;
  for (const term of terms) {
    const hits = findTerm(words, term, visible);
    const isVerb = term === said?.verb;
    const rarity = (isVerb ? VERB_SHARE : 1) * rarityOf(countOf(hits), count);
    const value = isVerb ? rarity + DEED_SHARE * rarest : rarity;
    whole += value;
    addScores(scores, hits, rarity);
    if (isVerb) addScores(scores, deeds, DEED_SHARE * rarest);
    for (const [field, coverage] of coverages.entries())
      addCovered(
        coverage,
        new Set(isVerb ? [...inField(hits, field), ...inField(deeds, field)] : inField(hits, field)),
        value,
      );
  }
  if (said?.verb === undefined)
    addScores(
      scores,
      { ...deeds, found: deeds.found.filter((at) => scores[at] !== 0) },
      DOING_SHARE * rarest,
    );
  return scores.map((score, at) => {
    if (score === 0) return 0;
    const covered = coverages.reduce((most, coverage) => Math.max(most, coveredOf(coverage, at)), 0);
    return (score / whole) * (1 + (COVERED_BONUS * covered) / whole);
  });
}

/** The visible documents with this term; with a similar term only if there are none. */
function findTerm(words: WordIndex, term: string, visible: Uint8Array): TermHits {
  const hits = words.find([{ term, share: 1 }], visible);
  return hits.found.length > 0 ? hits : words.find(words.listNear(term), visible);
}

function addScores(scores: Float64Array, { found, weights }: TermHits, rarity: number): void {
  for (const at of found) scores[at] = (scores[at] ?? 0) + rarity * saturate(weights[at] ?? 0);
}

function saturate(weight: number): number {
  return weight / (SATURATION + weight);
}

/**
 * Number of documents with a term. A document with the term in a minor field counts in part, so that a phrase in many argument descriptions
 * does not make its words common. Summed in integer thousandths, so that the order of documents has no effect.
 */
function countOf({ found, weights }: TermHits): number {
  return found.reduce((sum, at) => sum + Math.round(1000 * saturate(weights[at] ?? 0)), 0) / 1000;
}

function rarityOf(matching: number, count: number): number {
  return Math.log(1 + (count - matching + 0.5) / (matching + 0.5));
}

function createCoverage(lengths: Uint16Array): Coverage {
  return { lengths, value: new Float64Array(lengths.length), count: new Uint16Array(lengths.length) };
}

function inField({ found, fields }: TermHits, field: number): number[] {
  return found.filter((at) => (((fields[at] ?? 0) >> field) & 1) === 1);
}

function addCovered({ value, count }: Coverage, places: Iterable<number>, added: number): void {
  for (const at of places) {
    value[at] = (value[at] ?? 0) + added;
    count[at] = (count[at] ?? 0) + 1;
  }
}

/** The value of the covered words, reduced if the field has other words as well. */
function coveredOf({ lengths, value, count }: Coverage, at: number): number {
  return (value[at] ?? 0) * Math.min(1, (count[at] ?? 0) / (lengths[at] || 1));
}
