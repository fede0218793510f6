import { hash } from '../base/hash.ts';
import { canonicalJson } from '../base/json/canonical-json.ts';
import type { Services } from '../wire/services/services.ts';

type Parts = Pick<Services, 'prompts' | 'resources' | 'tools'>;

/** Definitions in a catalog; the same array until one of them changes. */
type Definitions = readonly object[];

const NONE: Definitions = [];

/** SHA-256 of all tools, prompts and resources that a server can list. Computed on first use, and again after a change. */
export class CatalogHash {
  readonly #parts: Parts;
  /** The definitions that the hash belongs to. */
  #hashed: readonly Definitions[] = [];
  #hash: Promise<string> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get(): Promise<string> {
    const { tools, prompts, resources } = this.#parts;
    const now = [
      tools?.entries ?? NONE,
      prompts?.entries ?? NONE,
      resources?.entries ?? NONE,
      resources?.templateEntries ?? NONE,
    ];
    const isSame = now.every((definitions, index) => definitions === this.#hashed[index]);
    if (this.#hash === undefined || !isSame) {
      this.#hashed = now;
      this.#hash = hash(this.#text());
    }
    return this.#hash;
  }

  /** The same text in every process with the same definitions, in whatever order they were registered. */
  #text(): string {
    const { tools, prompts, resources } = this.#parts;
    const lists = [
      tools?.listAll(() => true),
      prompts?.entries.map(({ listed }) => listed),
      resources?.entries.map(({ listed }) => listed),
      resources?.templateEntries.map(({ listed }) => listed),
    ];
    return JSON.stringify(
      lists.map((list: Definitions = NONE) => list.map((each) => canonicalJson(each)).toSorted()),
    );
  }
}
