import { normalize } from 'node:path';
import { HiddenTexts } from '../../openapi/auth/secrets/hidden-texts.ts';
import type { HiddenText } from '../../openapi/auth/secrets/hidden-texts.ts';
import type { EnvPiece, EnvText, EnvUse } from './env-text.ts';

type Path = readonly (number | string)[];

/** The strings of a configuration that contain environment variables, whose values must not be shown. */
export class EnvUses {
  readonly #uses: readonly EnvUse[];
  #values: HiddenTexts | undefined;

  constructor(uses: readonly EnvUse[] = []) {
    this.#uses = uses;
  }

  /** The string at a path, if it contains environment variables. */
  find(path: Path): EnvText | undefined {
    return this.#uses.find((use) => use.path.length === path.length && isBelow(path, use.path))?.text;
  }

  /** Whether a string at a path or below it contains environment variables. */
  has(path: Path): boolean {
    return this.#uses.some((use) => isBelow(path, use.path));
  }

  /** The uses below a path, with relative paths. */
  under(path: Path): EnvUses {
    const inside = this.#uses.filter((use) => isBelow(path, use.path));
    return new EnvUses(inside.map((use) => ({ ...use, path: use.path.slice(path.length) })));
  }

  /** The uses at some paths or below them. */
  within(paths: readonly Path[]): EnvUses {
    return new EnvUses(this.#uses.filter((use) => paths.some((path) => isBelow(path, use.path))));
  }

  get isEmpty(): boolean {
    return this.#uses.length === 0;
  }

  /** Replaces the values of variables in a text with their references. */
  hide(text: string): string {
    return this.#hidden.hide(text);
  }

  /** Whether bytes contain the value of a variable. */
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

/** A path as it appears in messages with the resolved path: `docs` for `.//docs/`. */
function asResolved(text: string): string {
  return normalize(text)
    .replace(/^(?:\.{1,2}[/\\])+/, '')
    .replace(/[/\\]$/, '');
}

/** The forms in which a value may appear: as it is, as part of a resolved path, and as the host of a URL. */
function hiddenTextsOf({ text, reference }: EnvPiece): HiddenText[] {
  if (reference === undefined) return [];
  const trimmed = text.trim();
  // Hosts are normalized to lower case.
  const texts = [text, trimmed, trimmed.toLowerCase(), asResolved(text)];
  if (/^https?:/i.test(trimmed) && URL.canParse(trimmed)) {
    const { origin, host, hostname } = new URL(trimmed);
    texts.push(origin, host, hostname, hostname.replace(/^\[/, '').replace(/\]$/, ''));
  }
  return [...new Set(texts)].map((each) => [each, reference]);
}
