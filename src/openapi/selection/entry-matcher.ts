import type { Finding } from '../../errors/finding.ts';
import { findNearestNames, suggest } from '../../errors/nearest-names.ts';
import { compileGlob } from './glob.ts';
import type { TextTest } from './glob.ts';

/** Identifiers of an operation, for one filter. */
export interface Called {
  readonly names: readonly string[];
  /**
   * `GET /pets` and `GET::pets`: only matched by patterns with a space or `::`; otherwise `get*` would match every
   * GET.
   */
  readonly keys?: readonly string[];
  /** The method, which is never matched by a pattern. */
  readonly others?: readonly string[];
}

/** Maximum number of hints: a list for another document gets none, because each hint searches all operations. */
const MAX_HINTS = 20;

interface Glob {
  readonly entry: string;
  readonly test: TextTest;
  readonly isForKeys: boolean;
}

/**
 * The entries of one filter. Records which entries matched an operation, so that misspelt ones are reported.
 * Entries without a star are looked up; only the others are tried one by one.
 */
export class EntryMatcher {
  readonly #filter: string;
  readonly #entries: ReadonlySet<string>;
  /** Entries by lower case. */
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

  /** Whether the filter has no entries; then it filters nothing. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Returns the first entry that matches the operation. All matching entries are recorded. */
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

  /** A finding for each entry that matched nothing, with suggestions. */
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
