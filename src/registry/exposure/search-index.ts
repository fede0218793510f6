import { listPairs, listQueryTerms, listTerms } from './search-terms.ts';
import type { QueryTerm } from './search-terms.ts';
import { WordIndex } from './word-index.ts';
import type { Scores, VisibleDocuments } from './word-index.ts';

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
  /** A name for which this is false changes nothing: results are those of an index without it. Asked once about each name. */
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

/** How much of what its group matches each hit gets on top: many questions name the thing clearly and the deed vaguely. */
const GROUP_SHARE = 0.3;

export function createSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const known = new Map<string, string | undefined>();
  const names = documents.map(({ name }) => name);
  const groups = names.map(groupOf);
  const words = new WordIndex(
    documents.map((document) => termsOf(document, (text) => listTerms(text, known))),
  );
  return {
    search(query, { limit, isVisible }) {
      const visible = words.see((at) => isVisible(names[at] ?? ''));
      const scores: Scores = new Map();
      const groupScores = new Map<string, number>();
      for (const term of listQueryTerms(query)) {
        const hits = findTerm(words, term, visible);
        const best = new Map<string, number>();
        for (const [at, hit] of hits) {
          const score = term.weight * hit;
          const group = groups[at] ?? '';
          add(scores, at, score);
          best.set(group, Math.max(score, best.get(group) ?? 0));
        }
        for (const [group, score] of best) add(groupScores, group, score);
      }
      return [...scores]
        .map(([at, score]) => ({
          name: names[at] ?? '',
          score: score + GROUP_SHARE * (groupScores.get(groups[at] ?? '') ?? 0),
        }))
        .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
        .slice(0, Math.max(0, limit));
    },
  };
}

/** All terms of a document, each as often as its part weighs, and the pairs of words within its synonyms. */
function termsOf(document: SearchDocument, toTerms: (text: string) => string[]): string[] {
  const terms = PARTS.flatMap((part) => {
    const found = toTerms(textOf(document, part));
    return Array.from({ length: PART_WEIGHTS[part] }, () => found).flat();
  });
  return [...terms, ...document.synonyms.flatMap((synonym) => listPairs(toTerms(synonym)))];
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

/** The documents with this term; those with a similar one only if no visible document has it. */
function findTerm(words: WordIndex, { term, mayBeMisspelt }: QueryTerm, visible: VisibleDocuments): Scores {
  const hits = words.find(term, visible);
  return hits.size > 0 || !mayBeMisspelt ? hits : words.findNear(term, visible);
}

function add<TKey>(sums: Map<TKey, number>, key: TKey, summand: number): void {
  sums.set(key, (sums.get(key) ?? 0) + summand);
}

/** `tool.group` of an action; a single tool is a group of its own. */
function groupOf(name: string): string {
  const end = name.lastIndexOf('.');
  return end < 0 ? name : name.slice(0, end);
}
