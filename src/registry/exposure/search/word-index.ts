/** A term of a document: its weight, and the bits of the fields that contain it. */
export interface TermWeight {
  weight: number;
  fields: number;
}

/** A searched term, and the share of its weight that counts. */
export interface WantedTerm {
  readonly term: string;
  readonly share: number;
}

/** The visible documents with a term, by position. */
export interface TermHits {
  readonly found: readonly number[];
  readonly weights: Float64Array;
  readonly fields: Uint8Array;
}

/** Minimum length for similar terms: shorter ones have too many neighbours. */
const MIN_PREFIX_LENGTH = 4;
const MIN_FUZZY_LENGTH = 6;
/** Prefixes and misspellings count less than the word itself. */
const PREFIX_SHARE = 0.3;
const FUZZY_SHARE = 0.2;

/** An inverted index shared by callers that see different documents: a lookup returns visible documents only. */
export class WordIndex {
  /** Position, weight and fields of each document with the term, in sequence. */
  readonly #postings = new Map<string, number[]>();
  readonly #size: number;
  /** In alphabetical order. */
  readonly #terms: readonly string[];

  constructor(documents: readonly ReadonlyMap<string, TermWeight>[]) {
    this.#size = documents.length;
    for (const [at, terms] of documents.entries())
      for (const [term, { weight, fields }] of terms) {
        const postings = this.#postings.get(term);
        if (postings === undefined) this.#postings.set(term, [at, weight, fields]);
        else postings.push(at, weight, fields);
      }
    this.#terms = [...this.#postings.keys()].sort();
  }

  /** The visible documents with one of these terms; the best term counts. */
  find(wanted: Iterable<WantedTerm>, isVisible: Uint8Array): TermHits {
    const found: number[] = [];
    const weights = new Float64Array(this.#size);
    const fields = new Uint8Array(this.#size);
    for (const { term, share } of wanted) {
      const postings = this.#postings.get(term) ?? [];
      for (let at = 0; at < postings.length; at += 3) {
        const document = postings[at] ?? 0;
        if (isVisible[document] !== 1) continue;
        const before = weights[document] ?? 0;
        if (before === 0) found.push(document);
        weights[document] = Math.max(before, share * (postings[at + 1] ?? 0));
        fields[document] = (fields[document] ?? 0) | (postings[at + 2] ?? 0);
      }
    }
    return { found, weights, fields };
  }

  /** Terms with this prefix or with an edit distance of one. */
  *listNear(term: string): Iterable<WantedTerm> {
    if (term.length < MIN_PREFIX_LENGTH || /[\d#]/.test(term)) return;
    for (const near of this.#terms) {
      if (near.startsWith(term)) yield { term: near, share: PREFIX_SHARE };
      else if (term.length >= MIN_FUZZY_LENGTH && isOneEditAway(near, term))
        yield { term: near, share: FUZZY_SHARE };
    }
  }
}

/** Whether the edit distance is one: one character replaced, inserted or removed. */
function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short.charCodeAt(same) === long.charCodeAt(same)) same += 1;
  if (same === long.length) return false;
  return short.slice(short.length === long.length ? same + 1 : same) === long.slice(same + 1);
}
