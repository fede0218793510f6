import { rank } from './rank.ts';
import { findDeed, findQueryDeed, listQueryTerms, listTerms } from './search-terms.ts';
import { WordIndex } from './word-index.ts';
import type { TermWeight } from './word-index.ts';

/** The searchable text of an action or single tool, by field. */
export interface SearchDocument {
  /** Canonical: `tool.group.action`, or the name of a single tool. */
  readonly name: string;
  /** The title and the first sentence of the description. */
  readonly sentence: string;
  /** Synonyms by the author. */
  readonly synonyms: string;
  /** HTTP method and path of the operation. */
  readonly endpoint: string;
  /** Tags, category, and the descriptions of its group. */
  readonly tags: string;
  /** The rest of the description. */
  readonly description: string;
  /** The names of the arguments. */
  readonly arguments: string;
  /** The beginnings of the argument descriptions. */
  readonly details: string;
}

export interface SearchHit {
  readonly name: string;
  readonly score: number;
}

export interface SearchOptions {
  readonly limit: number;
  /** Hidden names have no influence: results equal those of an index without them. Called once per name. */
  readonly isVisible: (name: string) => boolean;
}

export interface SearchIndex {
  /** The hits of all phrasings, best first; empty if nothing matches. */
  search(phrasings: readonly string[], options: SearchOptions): SearchHit[];
}

/** The weight of a word in each field, and the typical number of words: in a longer field each word counts less, in a shorter one more. */
const FIELDS: Readonly<Record<keyof SearchDocument, { readonly weight: number; readonly length: number }>> = {
  name: { weight: 3, length: 4 },
  sentence: { weight: 3, length: 6 },
  synonyms: { weight: 3, length: 30 },
  endpoint: { weight: 1.5, length: 5 },
  tags: { weight: 1, length: 4 },
  description: { weight: 0.7, length: 30 },
  arguments: { weight: 0.3, length: 10 },
  details: { weight: 0.3, length: 60 },
};

const KEYS = Object.keys(FIELDS) as (keyof SearchDocument)[];
/** The fields that contain the verb. */
const DEEDS: readonly (keyof SearchDocument)[] = ['name', 'sentence', 'endpoint'];
/** The deciding fields: a query whose words are all in one of them wins. */
const DECIDING: readonly (keyof SearchDocument)[] = ['name', 'sentence'];

/** The influence of a field's length, from 0 to 1 (b of BM25). */
const LENGTH_SHARE = 0.8;
/** Weighted fields, ranked by BM25F. One index serves all callers; statistics count visible documents only. */
export function createSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const names = documents.map(({ name }) => name);
  const known = new Map<string, string[]>();
  const lengths = DECIDING.map(() => new Uint16Array(documents.length));
  const words = new WordIndex(
    documents.map((document, at) => {
      const fields = new Map(KEYS.map((key) => [key, listTerms(document[key], known)]));
      for (const [field, key] of DECIDING.entries())
        lengths[field]?.fill(new Set(fields.get(key)).size, at, at + 1);
      for (const key of DEEDS) addDeed(fields.get(key) ?? []);
      return weigh(fields);
    }),
  );
  return {
    search(phrasings, { limit, isVisible }) {
      const visible = new Uint8Array(documents.length).map((_, at) => (isVisible(names[at] ?? '') ? 1 : 0));
      let best = new Float64Array(documents.length);
      for (const phrasing of phrasings) {
        const terms = listQueryTerms(phrasing);
        const scores = rank({ terms, deed: findQueryDeed(phrasing, terms) }, { words, lengths, visible });
        best = best.map((before, at) => Math.max(before, scores[at] ?? 0));
      }
      return listBest(best, limit)
        .map((at) => ({ name: names[at] ?? '', score: best[at] ?? 0 }))
        .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
        .slice(0, Math.max(0, limit));
    },
  };
}

/** The terms of a document with their weights. */
function weigh(fields: ReadonlyMap<keyof SearchDocument, readonly string[]>): Map<string, TermWeight> {
  const weights = new Map<string, TermWeight>();
  for (const [key, terms] of fields) {
    const { weight, length } = FIELDS[key];
    const each = weight / (1 - LENGTH_SHARE + LENGTH_SHARE * (terms.length / length));
    const bit = DECIDING.includes(key) ? 1 << DECIDING.indexOf(key) : 0;
    for (const term of terms) {
      const known = weights.get(term);
      if (known === undefined) weights.set(term, { weight: each, fields: bit });
      else {
        known.weight += each;
        known.fields |= bit;
      }
    }
  }
  return weights;
}

/** Adds the class of the first verb of a field. */
function addDeed(terms: string[]): void {
  const found = findDeed(terms);
  if (found !== undefined) terms.push(found.deed);
}

/** The positions of the best scores, unordered, including all that equal the last: sorting numbers is faster than sorting hits. */
function listBest(scores: Float64Array, limit: number): number[] {
  const least = limit > 0 ? (Float64Array.from(scores).sort().at(-limit) ?? 0) : Infinity;
  const found: number[] = [];
  for (const [at, score] of scores.entries()) if (score > 0 && score >= least) found.push(at);
  return found;
}
