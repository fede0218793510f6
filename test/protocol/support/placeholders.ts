/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const NAME = /\{\{(\w+)\}\}/g;

/**
 * Placeholders for values that differ in every run: `{{session}}`. The first occurrence takes the value, if it matches the pattern; later
 * ones must be equal.
 */
export class Placeholders {
  readonly #patterns: Readonly<Record<string, string>>;
  readonly #values = new Map<string, string>();

  /** Patterns of the values, as regular expressions by kind. */
  constructor(patterns: Readonly<Record<string, string>> = {}) {
    this.#patterns = patterns;
  }

  /** Declared kinds that never occurred. */
  get unused(): string[] {
    const used = new Set(Array.from(this.#values.keys(), kindOf));
    return Object.keys(this.#patterns).filter((kind) => !used.has(kind));
  }

  /** The expected value with known placeholders filled in. A placeholder whose value does not match its pattern stays, and differs. */
  expect(expected: Json, actual: unknown): Json {
    this.#learn(expected, actual);
    return this.resolve(expected);
  }

  /** A copy with known placeholders filled in. */
  resolve<TValue extends Json>(value: TValue): TValue {
    return this.#map(value, (text) =>
      text.replaceAll(NAME, (whole, name: string) => this.#values.get(name) ?? whole),
    ) as TValue;
  }

  #learn(expected: Json, actual: unknown): void {
    if (typeof expected === 'string') this.#learnText(expected, actual);
    else if (
      typeof expected === 'object' &&
      expected !== null &&
      typeof actual === 'object' &&
      actual !== null
    ) {
      for (const [key, member] of Object.entries(expected))
        this.#learn(member, (actual as Record<string, unknown>)[key]);
    }
  }

  #learnText(expected: string, actual: unknown): void {
    const names = Array.from(expected.matchAll(NAME), ([, name]) => String(name));
    if (names.length === 0 || typeof actual !== 'string') return;
    const parts = expected.split(/\{\{\w+\}\}/);
    const source = parts.map((part, index) => {
      const name = names[index];
      return escape(part) + (name === undefined ? '' : `(${this.#patternOf(name)})`);
    });
    const found = new RegExp(`^${source.join('')}$`).exec(actual);
    for (const [index, name] of names.entries()) {
      const value = found?.[index + 1];
      if (value !== undefined && !this.#values.has(name)) this.#values.set(name, value);
    }
  }

  #patternOf(name: string): string {
    const pattern = this.#patterns[kindOf(name)];
    if (pattern === undefined) throw new Error(`The placeholder ${name} is not declared.`);
    const known = this.#values.get(name);
    return known === undefined ? pattern : escape(known);
  }

  #map(value: Json, convert: (text: string) => string): Json {
    if (typeof value === 'string') return convert(value);
    if (Array.isArray(value)) return (value as readonly Json[]).map((entry) => this.#map(entry, convert));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.#map(member, convert)]),
    );
  }
}

/** Several placeholders of one kind: `event_1` and `event_2` are of the kind `event`. */
function kindOf(name: string): string {
  return name.replace(/_\d+$/, '');
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
