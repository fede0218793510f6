/** Syntax tree of a regular expression. */
export type PatternNode =
  /** One character of a set, in source form: `a`, `\d`, `[^a-z]`, `.`. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | Repeat
  | { readonly kind: 'group'; readonly index: number; readonly body: PatternNode }
  /** `^`, `$`, `\b`, `\B`. */
  | { readonly kind: 'edge'; readonly source: string }
  | Look
  /** `\1`, `\k<name>`. */
  | { readonly kind: 'reference'; readonly index: number };

/** `*`, `+`, `?`, `{2,5}`. */
export interface Repeat {
  readonly kind: 'repeat';
  readonly body: PatternNode;
  readonly min: number;
  readonly max: number;
  readonly isLazy: boolean;
}

/** `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`. */
export interface Look {
  readonly kind: 'look';
  readonly body: PatternNode;
  readonly isBehind: boolean;
  readonly isNegative: boolean;
}

/** Unsupported syntax, or a pattern that is too large. */
export class UnreadablePattern extends Error {}

const MAX_LENGTH = 50_000;
/** Maximum nesting. */
const MAX_DEPTH = 200;

/** Parses a pattern that the engine has accepted, so syntax errors need no handling. */
export function parsePattern(source: string, flags: string): PatternNode {
  if (source.length > MAX_LENGTH) throw new UnreadablePattern('it is too long');
  return new Reader(source, flags).read();
}

const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|[\s\S])/uy;
const ESCAPE_OF_UNITS = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[0-3]?[0-7]{1,2}|[\s\S])/y;
const NUMBER_REFERENCE = /\\([1-9]\d*)/y;
const NAME_REFERENCE = /\\k<([^>]*)>/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y;
const OPENING = /\((?:\?(?:(:)|(<?[=!])|<([^>]*)>))?/y;

class Reader {
  readonly #source: string;
  readonly #isUnicode: boolean;
  readonly #hasSets: boolean;
  /** Names of the groups by number; the empty string for one without a name. */
  readonly #names: readonly string[];
  #at = 0;
  #groups = 0;
  #depth = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#hasSets = flags.includes('v');
    this.#isUnicode = this.#hasSets || flags.includes('u');
    this.#names = groupNames(source);
  }

  read(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new UnreadablePattern('it has an unmatched ")"');
    return node;
  }

  #choice(): PatternNode {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new UnreadablePattern('it is nested too deeply');
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      parts.push(this.#sequence());
    }
    this.#depth -= 1;
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (;;) {
      const next = this.#source[this.#at];
      if (next === undefined || next === '|' || next === ')') break;
      parts.push(this.#repeated(this.#term()));
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'sequence', parts };
  }

  #repeated(body: PatternNode): PatternNode {
    const found = this.#take(QUANTIFIER);
    if (found === undefined) return body;
    const [, sign, least, comma, most, lazy] = found;
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    let max = sign === '?' ? 1 : Number.POSITIVE_INFINITY;
    if (sign === undefined && comma === undefined) max = min;
    else if (most !== undefined && most !== '') max = Number(most);
    return { kind: 'repeat', body, min, max, isLazy: lazy === '?' };
  }

  #term(): PatternNode {
    const next = this.#source[this.#at];
    if (next === '(') return this.#group();
    if (next === '[') return this.#set();
    if (next === '\\') return this.#escape();
    if (next !== '^' && next !== '$') return this.#literal();
    this.#at += 1;
    return { kind: 'edge', source: next };
  }

  #literal(): PatternNode {
    const code = this.#source.codePointAt(this.#at) ?? 0;
    const source =
      this.#isUnicode && code > 0xffff ? String.fromCodePoint(code) : this.#source.charAt(this.#at);
    this.#at += source.length;
    return { kind: 'character', source };
  }

  #group(): PatternNode {
    const found = this.#take(OPENING);
    const [, plain, look, name] = found ?? [];
    if (found === undefined || this.#source[this.#at] === '?')
      throw new UnreadablePattern('an unknown group');
    let node: PatternNode;
    if (look !== undefined) {
      node = {
        kind: 'look',
        body: this.#choice(),
        isBehind: look.startsWith('<'),
        isNegative: look.endsWith('!'),
      };
    } else if (plain !== undefined) node = this.#choice();
    else if (found[0] === '(' || name !== undefined) {
      this.#groups += 1;
      const index = this.#groups;
      node = { kind: 'group', index, body: this.#choice() };
    } else throw new UnreadablePattern('an unknown group');
    if (this.#source[this.#at] !== ')') throw new UnreadablePattern('an unknown group');
    this.#at += 1;
    return node;
  }

  /** The engine decides the content of a character class; only its end matters here. */
  #set(): PatternNode {
    const start = this.#at;
    let depth = 0;
    do {
      const next = this.#source[this.#at];
      if (next === undefined) throw new UnreadablePattern('an unterminated character class');
      if (next === '\\') this.#at += 1;
      else if (next === '[' && (depth === 0 || this.#hasSets)) depth += 1;
      else if (next === ']') depth -= 1;
      this.#at += 1;
    } while (depth > 0);
    const source = this.#source.slice(start, this.#at);
    if (this.#hasSets && source.includes('\\q'))
      throw new UnreadablePattern('a character class with strings (\\q)');
    return { kind: 'character', source };
  }

  #escape(): PatternNode {
    const next = this.#source[this.#at + 1];
    if (next === 'b' || next === 'B') {
      this.#at += 2;
      return { kind: 'edge', source: `\\${next}` };
    }
    const reference = this.#reference();
    if (reference !== undefined) return reference;
    const [source] = this.#take(this.#isUnicode ? ESCAPE : ESCAPE_OF_UNITS) ?? [];
    if (source === undefined) throw new UnreadablePattern('an unknown escape');
    return { kind: 'character', source };
  }

  #reference(): PatternNode | undefined {
    const start = this.#at;
    const number = Number(this.#take(NUMBER_REFERENCE)?.[1] ?? 0);
    if (number > 0 && number <= this.#names.length) return { kind: 'reference', index: number };
    this.#at = start;
    const name = this.#take(NAME_REFERENCE)?.[1];
    const index = name === undefined ? -1 : this.#names.indexOf(name);
    if (index >= 0) return { kind: 'reference', index: index + 1 };
    this.#at = start;
    return undefined;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

/** Opening of a group; skips escapes and character classes. */
const GROUP = /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?!\?)|\(\?<([^=!>][^>]*)>/g;

/** The names of all capturing groups, in order; empty for one without a name. */
export function groupNames(source: string): string[] {
  const names: string[] = [];
  for (const [found, name] of source.matchAll(GROUP)) if (found.startsWith('(')) names.push(name ?? '');
  return names;
}
