/** A path is invalid or takes too long. */
export class PathMistake extends Error {}

/**
 * Unquoted names: letters, digits and characters that overlays use although the standard requires quotes:
 * `.x-internal`, `.$ref`.
 */
const NAME = /[\w$\-/{}~\u0080-\uFFFF]*/y;
const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d{0,15})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?/y;
const INTEGER = /-?(?:0|[1-9]\d{0,14})(?![\d.eE])/y;
const WORD = /[a-z][a-z0-9_]{0,30}/y;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Scans a text from left to right. */
export class PathScanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  skipSpace(): void {
    this.position += this.#match(SPACE)?.length ?? 0;
  }

  /** Consumes the expected characters if they come next. */
  take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.position)) return false;
    this.position += expected.length;
    return true;
  }

  isNext(expected: string): boolean {
    return this.text.startsWith(expected, this.position);
  }

  expect(expected: string): void {
    if (!this.take(expected)) throw this.mistake(`expected "${expected}"`);
  }

  name(): string {
    return this.#takeMatch(NAME) ?? '';
  }

  integer(): number | undefined {
    const written = this.#takeMatch(INTEGER);
    return written === undefined ? undefined : Number(written);
  }

  number(): number | undefined {
    const written = this.#takeMatch(NUMBER);
    return written === undefined ? undefined : Number(written);
  }

  word(): string | undefined {
    return this.#takeMatch(WORD);
  }

  /** Consumes a string in single or double quotes; undefined if none begins here. */
  quoted(): string | undefined {
    const quote = this.text[this.position];
    if (quote !== '"' && quote !== "'") return undefined;
    this.position += 1;
    let value = '';
    for (;;) {
      const next = this.text[this.position];
      if (next === undefined) throw this.mistake('missing closing quote');
      this.position += 1;
      if (next === quote) return value;
      value += next === '\\' ? this.#escaped() : next;
    }
  }

  mistake(what: string): PathMistake {
    return new PathMistake(`${what}, at character ${this.position + 1}`);
  }

  #escaped(): string {
    const next = this.text[this.position];
    this.position += 1;
    if (next === 'u') {
      const digits = this.#takeMatch(/[0-9A-Fa-f]{4}/y);
      if (digits === undefined) throw this.mistake('\\u needs four hexadecimal digits');
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const meant =
      next === undefined ? undefined : (ESCAPES.get(next) ?? (/[\\/'"]/.test(next) ? next : undefined));
    if (meant !== undefined) return meant;
    this.position -= 1;
    throw this.mistake('unknown escape sequence');
  }

  #takeMatch(expression: RegExp): string | undefined {
    const found = this.#match(expression);
    this.position += found?.length ?? 0;
    return found;
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.position;
    return expression.exec(this.text)?.[0];
  }
}
