import MiniSearch from 'minisearch';
import { listQueryTerms, splitWords, toTerm } from './search-terms.ts';

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

/** How much a match counts in each part of a document; the scores of the parts are added up. */
const PART_WEIGHTS = {
  synonyms: 1,
  description: 0.7,
  action: 0.5,
  title: 0.5,
  group: 0.5,
  tags: 0.3,
  fields: 0.3,
};

/**
 * `all` holds all parts. There a word is as rare as in the whole index, while by itself each part takes a word for rare that happens
 * to stand elsewhere: this counts most.
 */
const WEIGHTS = { all: 2, ...PART_WEIGHTS };

type Part = keyof typeof PART_WEIGHTS;

const PARTS = Object.keys(PART_WEIGHTS) as Part[];

/** How much of the best score in its group each hit gets on top: many questions name the thing clearly and the deed vaguely. */
const GROUP_SHARE = 0.5;

export function createSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const index = new MiniSearch<SearchDocument>({
    idField: 'name',
    fields: Object.keys(WEIGHTS),
    extractField: (document, field) =>
      field === 'name' ? document.name : textOf(document, field as Part | 'all'),
    tokenize: splitWords,
    processTerm: toTerm,
  });
  index.addAll(documents);
  return {
    search(query, { limit, isVisible }) {
      const terms = listQueryTerms(query);
      const found = index.search(query, {
        tokenize: () => [...terms.keys()],
        processTerm: (term) => term,
        boostTerm: (term) => terms.get(term) ?? 1,
        boost: WEIGHTS,
        // Beginnings and slips of the pen; short words have too many neighbours.
        prefix: (term) => term.length > 3,
        fuzzy: (term) => (term.length > 5 ? 1 : false),
        weights: { prefix: 0.3, fuzzy: 0.2 },
        filter: ({ id }) => isVisible(id as string),
      });
      return rank(found.map(({ id, score }) => ({ name: id as string, score }))).slice(0, Math.max(0, limit));
    },
  };
}

function textOf(document: SearchDocument, part: Part | 'all'): string {
  switch (part) {
    case 'all':
      return PARTS.map((each) => textOf(document, each)).join(' ');
    case 'action':
      return document.name.slice(document.name.lastIndexOf('.') + 1);
    case 'group':
      return `${groupOf(document.name)} ${document.groupDescription ?? ''}`;
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

/** `tool.group` of an action; empty for a single tool. */
function groupOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/** Adds what the group gives; equals stand by name, so that one question always has one answer. */
function rank(hits: readonly SearchHit[]): SearchHit[] {
  const best = new Map<string, number>();
  for (const { name, score } of hits) {
    // A single tool is a group of its own.
    const group = groupOf(name) || name;
    best.set(group, Math.max(score, best.get(group) ?? 0));
  }
  return hits
    .map(({ name, score }) => ({ name, score: score + GROUP_SHARE * (best.get(groupOf(name) || name) ?? 0) }))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}
