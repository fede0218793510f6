/** The documents that one caller may see, with the statistics of just those. */
export interface VisibleDocuments {
  /** 1 for a document that is visible, by its position. */
  readonly isVisible: Uint8Array;
  readonly count: number;
  /** How many different terms a visible document has on average. */
  readonly averageLength: number;
}

/** Scores by the position of the document. */
export type Scores = Map<number, number>;

/** A word said twice counts little more than once, and a well-described action is hardly worse than a terse one. */
const BM25 = { k: 1.2, b: 0.3, d: 0.2 };

/** Beginnings and slips of the pen count less than the word itself. */
const NEAR_WEIGHTS = { prefix: 0.3, fuzzy: 0.2 };

/** Shorter terms have too many neighbours at a distance of one character. */
const MIN_FUZZY_LENGTH = 6;

/**
 * An inverted index that is shared by callers who see different documents. Every number in a score (BM25+) is counted over the visible
 * documents when a term is looked up, and similar terms are taken in the order of the alphabet: scores are those of an index of the visible
 * documents alone, to the last bit, and hidden documents have no say in them.
 */
export class WordIndex {
  /** Position and frequency of each document with the term, one after the other. */
  readonly #postings = new Map<string, number[]>();
  readonly #lengths: Uint32Array;
  /** In the order of the alphabet. */
  readonly #terms: readonly string[];
  readonly #byLength = new Map<number, string[]>();

  constructor(documents: readonly (readonly string[])[]) {
    this.#lengths = Uint32Array.from(documents, (terms, at) => this.#add(at, terms));
    this.#terms = [...this.#postings.keys()].sort();
    for (const term of this.#terms) {
      const alike = this.#byLength.get(term.length);
      if (alike === undefined) this.#byLength.set(term.length, [term]);
      else alike.push(term);
    }
  }

  /** Counts the documents that are visible; one such count serves all terms of a query. */
  see(isVisibleAt: (at: number) => boolean): VisibleDocuments {
    const isVisible = new Uint8Array(this.#lengths.length);
    let count = 0;
    let sum = 0;
    for (const [at, length] of this.#lengths.entries()) {
      if (!isVisibleAt(at)) continue;
      isVisible[at] = 1;
      count += 1;
      sum += length;
    }
    return { isVisible, count, averageLength: sum / count };
  }

  /** The visible documents with this term. */
  find(term: string, visible: VisibleDocuments): Scores {
    const scores: Scores = new Map();
    this.#score(scores, { term, weight: 1 }, visible);
    return scores;
  }

  /** The visible documents with a term that begins like this one or differs in one character. */
  findNear(term: string, visible: VisibleDocuments): Scores {
    const scores: Scores = new Map();
    for (const near of this.#withPrefix(term)) {
      const weight = (NEAR_WEIGHTS.prefix * near.length) / (near.length + 0.3 * (near.length - term.length));
      this.#score(scores, { term: near, weight }, visible);
    }
    if (term.length < MIN_FUZZY_LENGTH) return scores;
    for (const length of [term.length - 1, term.length, term.length + 1]) {
      for (const near of this.#byLength.get(length) ?? []) {
        if (near.startsWith(term) || !isOneEditAway(near, term)) continue;
        const weight = (NEAR_WEIGHTS.fuzzy * near.length) / (near.length + 1);
        this.#score(scores, { term: near, weight }, visible);
      }
    }
    return scores;
  }

  /** How many different terms the document has. */
  #add(at: number, terms: readonly string[]): number {
    const frequencies = new Map<string, number>();
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    for (const [term, frequency] of frequencies) {
      const postings = this.#postings.get(term);
      if (postings === undefined) this.#postings.set(term, [at, frequency]);
      else postings.push(at, frequency);
    }
    return frequencies.size;
  }

  /** Adds what a term gives each visible document that has it. */
  #score(
    scores: Scores,
    { term, weight }: { term: string; weight: number },
    { isVisible, count, averageLength }: VisibleDocuments,
  ): void {
    const postings = this.#postings.get(term) ?? [];
    let matching = 0;
    for (let at = 0; at < postings.length; at += 2) matching += isVisible[postings[at] ?? 0] ?? 0;
    if (matching === 0) return;
    const rarity = Math.log(1 + (count - matching + 0.5) / (matching + 0.5));
    const { k, b, d } = BM25;
    for (let at = 0; at < postings.length; at += 2) {
      const document = postings[at] ?? 0;
      if (isVisible[document] !== 1) continue;
      const frequency = postings[at + 1] ?? 0;
      const length = (this.#lengths[document] ?? 0) / averageLength;
      const score = rarity * (d + (frequency * (k + 1)) / (frequency + k * (1 - b + b * length)));
      scores.set(document, (scores.get(document) ?? 0) + weight * score);
    }
  }

  /** Longer terms that begin with this one. */
  *#withPrefix(prefix: string): Iterable<string> {
    let from = 0;
    for (let to = this.#terms.length; from < to;) {
      const middle = (from + to) >> 1;
      if ((this.#terms[middle] ?? '') <= prefix) from = middle + 1;
      else to = middle;
    }
    for (let term = this.#terms[from]; term?.startsWith(prefix) === true; term = this.#terms[from]) {
      yield term;
      from += 1;
    }
  }
}

/** Whether one character has to be replaced, inserted or left out to get from one to the other. */
function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let same = 0;
  while (same < short.length && short.charCodeAt(same) === long.charCodeAt(same)) same += 1;
  if (same === long.length) return false;
  return short.slice(short.length === long.length ? same + 1 : same) === long.slice(same + 1);
}
