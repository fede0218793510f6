import type { EnvText, EnvUse } from './env-text.ts';

type Path = readonly (number | string)[];

/** Shorter values stand in every text, and are no secrets. */
const MIN_HIDDEN = 4;

/** Where a configuration, or a part of it, has something from the environment; and what must therefore not be shown. */
export class EnvUses {
  readonly #uses: readonly EnvUse[];
  #hidden: ((text: string) => string) | undefined;

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
    this.#hidden ??= createHide(this.#uses);
    return this.#hidden(text);
  }
}

function isBelow(path: Path, other: Path): boolean {
  return path.length <= other.length && path.every((key, index) => key === other[index]);
}

function createHide(uses: readonly EnvUse[]): (text: string) => string {
  const references = new Map<string, string>();
  for (const { text, reference } of uses.flatMap((use) => use.text.pieces)) {
    if (reference === undefined) continue;
    for (const form of formsOf(text)) if (form.length >= MIN_HIDDEN) references.set(form, reference);
  }
  if (references.size === 0) return (text) => text;
  // All in one go: a reference that was put in is not looked at again. The longest first: one value may be a part of another.
  const forms = [...references.keys()].toSorted((one, other) => other.length - one.length);
  const any = new RegExp(forms.map(escapeForm).join('|'), 'g');
  return (text) => text.replaceAll(any, (form) => references.get(form) ?? '');
}

/** How a value looks in texts: as it is, in JSON, in addresses, and who is asked if it is an address itself. */
function formsOf(value: string): string[] {
  const trimmed = value.trim();
  const forms = [
    value,
    trimmed,
    // Hosts are written small.
    trimmed.toLowerCase(),
    JSON.stringify(value).slice(1, -1),
    ...encodedForms(value),
  ];
  if (!/^https?:/i.test(trimmed) || !URL.canParse(trimmed)) return forms;
  const { origin, host, hostname } = new URL(trimmed);
  return [...forms, origin, host, hostname, hostname.replace(/^\[/, '').replace(/\]$/, '')];
}

function encodedForms(value: string): string[] {
  try {
    return [
      encodeURIComponent(value),
      encodeURI(value),
      new URLSearchParams([['', value]]).toString().slice(1),
    ];
  } catch {
    // Half a character cannot be part of an address.
    return [];
  }
}

function escapeForm(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
