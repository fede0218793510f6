import { normalize } from 'node:path';
import { HiddenTexts } from '../../openapi/auth/secrets/hidden-texts.ts';
import type { HiddenText } from '../../openapi/auth/secrets/hidden-texts.ts';
import type { EnvPiece, EnvText, EnvUse } from './env-text.ts';

type Path = readonly (number | string)[];

/** Where a configuration, or a part of it, has something from the environment; and what must therefore not be shown. */
export class EnvUses {
  readonly #uses: readonly EnvUse[];
  #values: HiddenTexts | undefined;

  constructor(uses: readonly EnvUse[] = []) {
    this.#uses = uses;
  }

  /** What stands in a place, if it is from the environment. */
  find(path: Path): EnvText | undefined {
    return this.#uses.find((use) => use.path.length === path.length && isBelow(path, use.path))?.text;
  }

  /** Whether something in a place, or below it, is from the environment. */
  has(path: Path): boolean {
    return this.#uses.some((use) => isBelow(path, use.path));
  }

  /** Those of a part, by their places in it. */
  under(path: Path): EnvUses {
    const inside = this.#uses.filter((use) => isBelow(path, use.path));
    return new EnvUses(inside.map((use) => ({ ...use, path: use.path.slice(path.length) })));
  }

  /** Those in some places, or below them. */
  within(paths: readonly Path[]): EnvUses {
    return new EnvUses(this.#uses.filter((use) => paths.some((path) => isBelow(path, use.path))));
  }

  /** Whether nothing is from the environment. */
  get isEmpty(): boolean {
    return this.#uses.length === 0;
  }

  /** The text with references in the place of values. */
  hide(text: string): string {
    return this.#hidden.hide(text);
  }

  /** Whether a value is in bytes. */
  isIn(bytes: Uint8Array): boolean {
    return this.#hidden.isIn(bytes);
  }

  get #hidden(): HiddenTexts {
    this.#values ??= new HiddenTexts(this.#uses.flatMap((use) => use.text.pieces).flatMap(hiddenTextsOf));
    return this.#values;
  }
}

function isBelow(path: Path, other: Path): boolean {
  return path.length <= other.length && path.every((key, index) => key === other[index]);
}

/** A path as messages have it that name the resolved one: `docs` for `.//docs/`. */
function asResolved(text: string): string {
  return normalize(text)
    .replace(/^(?:\.{1,2}[/\\])+/, '')
    .replace(/[/\\]$/, '');
}

/** A value as it is, as a part of a resolved path, and the server if it is an address. */
function hiddenTextsOf({ text, reference }: EnvPiece): HiddenText[] {
  if (reference === undefined) return [];
  const trimmed = text.trim();
  // Hosts are written small.
  const texts = [text, trimmed, trimmed.toLowerCase(), asResolved(text)];
  if (/^https?:/i.test(trimmed) && URL.canParse(trimmed)) {
    const { origin, host, hostname } = new URL(trimmed);
    texts.push(origin, host, hostname, hostname.replace(/^\[/, '').replace(/\]$/, ''));
  }
  return [...new Set(texts)].map((each) => [each, reference]);
}
