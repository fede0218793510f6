import MiniSearch from 'minisearch';
import type { SearchOptions as SearchSettings } from 'minisearch';
import { listPairs, listQueryTerms, listTerms } from './search-terms.ts';
import type { QueryTerm } from './search-terms.ts';

/** An action or a single tool as it can be found. */
export interface SearchDocument {
  /** Canonical: `tool.group.action`, or the name of a single tool. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly groupDescription?: string;
  readonly tags: readonly string[];
  /** Other words for what it does; each may be several words. */
  readonly synonyms: readonly string[];
  readonly fields: readonly { readonly name: string; readonly description?: string }[];
}

export interface SearchHit {
  readonly name: string;
  readonly score: number;
}

export interface SearchOptions {
  readonly limit: number;
  /** A name for which this is false is never returned, takes no place and lends its group no weight. */
  readonly isVisible: (name: string) => boolean;
}

export interface SearchIndex {
  /** Best first; nothing when nothing fits. */
  search(query: string, options: SearchOptions): SearchHit[];
}

/**
 * How often a word of each part counts. All parts are one text: a word is then as rare as in the whole index, while part by part each
 * takes a word for rare that merely stands elsewhere. Synonyms weigh most, because their author wrote them for being found.
 */
const PART_WEIGHTS = { synonyms: 2, action: 2, description: 1, title: 1, group: 1, tags: 1, fields: 1 };

type Part = keyof typeof PART_WEIGHTS;

const PARTS = Object.keys(PART_WEIGHTS) as Part[];

/** A word said twice counts little more than once, and a well-described action is hardly worse than a terse one. */
const BM25 = { k: 1.2, b: 0.3, d: 0.2 };

/** Beginnings and slips of the pen count less than the word itself. */
const NEAR_WEIGHTS = { prefix: 0.3, fuzzy: 0.2 };

/** How much of what its group matches each hit gets on top: many questions name the thing clearly and the deed vaguely. */
const GROUP_SHARE = 0.3;

export function createSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const known = new Map<string, string | undefined>();
  const index = new MiniSearch<SearchDocument>({
    idField: 'name',
    fields: ['text'],
    extractField: (document, field) =>
      field === 'name' ? document.name : toText(document, (text) => listTerms(text, known)),
    // The text consists of finished terms.
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
  });
  index.addAll(documents);
  return {
    search(query, { limit, isVisible }) {
      const scores = new Map<string, number>();
      const groupScores = new Map<string, number>();
      // One search per term. MiniSearch multiplies a score with the number of matched terms; what was only meant would count as much
      // in that as what was said, and a `list` that matches "show", "see" and "look" would beat the right action.
      for (const term of listQueryTerms(query)) {
        const hits = findTerm(index, term, isVisible);
        addAll(scores, hits);
        addAll(groupScores, bestOfGroups(hits));
      }
      return [...scores]
        .map(([name, score]) => ({
          name,
          score: score + GROUP_SHARE * (groupScores.get(groupOf(name)) ?? 0),
        }))
        .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
        .slice(0, Math.max(0, limit));
    },
  };
}

/** All terms of a document, each as often as its part weighs, and the pairs of words within its synonyms. */
function toText(document: SearchDocument, toTerms: (text: string) => string[]): string {
  const terms = PARTS.flatMap((part) => {
    const found = toTerms(textOf(document, part));
    return Array.from({ length: PART_WEIGHTS[part] }, () => found).flat();
  });
  return [...terms, ...document.synonyms.flatMap((synonym) => listPairs(toTerms(synonym)))].join(' ');
}

function textOf(document: SearchDocument, part: Part): string {
  switch (part) {
    case 'action':
      return document.name.slice(document.name.lastIndexOf('.') + 1);
    case 'group':
      return `${document.name.slice(0, Math.max(0, document.name.lastIndexOf('.')))} ${document.groupDescription ?? ''}`;
    case 'fields':
      return document.fields.map(({ name, description }) => `${name} ${description ?? ''}`).join(' ');
    case 'synonyms':
    case 'tags':
      return document[part].join(' ');
    case 'title':
    case 'description':
      return document[part] ?? '';
  }
}

/** The documents with this term; those with a similar one only if no document at all has it. */
function findTerm(
  index: MiniSearch<SearchDocument>,
  { term, weight, mayBeMisspelt }: QueryTerm,
  isVisible: (name: string) => boolean,
): Map<string, number> {
  const find = (options: SearchSettings): Map<string, number> =>
    new Map(
      index
        .search(term, { ...options, bm25: BM25, filter: ({ id }) => isVisible(id as string) })
        .map(({ id, score }) => [id as string, weight * score]),
    );
  const hits = find({});
  if (hits.size > 0 || !mayBeMisspelt) return hits;
  return find({ prefix: true, fuzzy: term.length > 5 ? 1 : false, weights: NEAR_WEIGHTS });
}

function bestOfGroups(hits: ReadonlyMap<string, number>): Map<string, number> {
  const best = new Map<string, number>();
  for (const [name, score] of hits) best.set(groupOf(name), Math.max(score, best.get(groupOf(name)) ?? 0));
  return best;
}

function addAll(sums: Map<string, number>, summands: ReadonlyMap<string, number>): void {
  for (const [key, value] of summands) sums.set(key, (sums.get(key) ?? 0) + value);
}

/** `tool.group` of an action; a single tool is a group of its own. */
function groupOf(name: string): string {
  const end = name.lastIndexOf('.');
  return end < 0 ? name : name.slice(0, end);
}
