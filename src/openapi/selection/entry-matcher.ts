import type { Finding } from '../../errors/finding.ts';
import { findNearestNames, suggest } from '../../errors/nearest-names.ts';
import { compileGlob } from './glob.ts';
import type { TextTest } from './glob.ts';

/** What an operation is called, for one filter. */
export interface Called {
  readonly names: readonly string[];
  /** `GET /pets` and `GET::pets`: only a pattern with a blank or `::` in it means these, or `get*` would mean every GET. */
  readonly keys?: readonly string[];
  /** Never meant by a pattern: the method. */
  readonly others?: readonly string[];
}

/** A whole list that fits another document gets no hints: each is looked for among all operations. */
const MAX_HINTS = 20;

interface Glob {
  readonly entry: string;
  readonly test: TextTest;
  readonly isForKeys: boolean;
}

/**
 * The entries of one filter. It is asked for every operation and remembers which entries had something to say, so that one that is
 * misspelt does not go unnoticed. Entries without a star are looked up; only the others are tried one by one.
 */
export class EntryMatcher {
  readonly #filter: string;
  readonly #entries: ReadonlySet<string>;
  /** By their small letters. */
  readonly #exact = new Map<string, string[]>();
  readonly #globs: Glob[] = [];
  readonly #used = new Set<string>();

  constructor(filter: string, entries: readonly string[] = []) {
    this.#filter = filter;
    this.#entries = new Set(entries);
    for (const entry of this.#entries) {
      const small = entry.toLowerCase();
      if (entry.includes('*')) {
        const isForKeys = entry.includes(' ') || entry.includes('::');
        this.#globs.push({ entry, test: compileGlob(entry), isForKeys });
      } else this.#exact.set(small, [...(this.#exact.get(small) ?? []), entry]);
    }
  }

  /** An empty filter filters nothing. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** The first entry that means the operation. All that do are remembered. */
  find({ names, keys = [], others = [] }: Called): string | undefined {
    const meant: string[] = [];
    for (const text of [...names, ...keys, ...others])
      meant.push(...(this.#exact.get(text.toLowerCase()) ?? []));
    for (const { entry, test, isForKeys } of this.#globs) {
      const texts = isForKeys && keys.length > 0 ? keys : names;
      if (texts.some(test)) meant.push(entry);
    }
    for (const entry of meant) this.#used.add(entry);
    return meant[0];
  }

  /** A finding for each entry that meant nothing, with what may have been meant. */
  findUnused(candidates: () => Iterable<string>): Finding[] {
    const unused = [...this.#entries].filter((entry) => !this.#used.has(entry));
    if (unused.length === 0) return [];
    const known = [...new Set(candidates())];
    return unused.map((entry, index) => {
      const expected = index < MAX_HINTS ? findNearestNames(entry, known) : [];
      const message = `${this.#filter}: "${entry}" matches no operation.${suggest(expected)}`;
      return { reason: 'unmatched-entry', option: this.#filter, expected, received: entry, message };
    });
  }
}
