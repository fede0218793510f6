/** A string that a regular expression matches; undefined if the expression is not supported. */
export function textOfPattern(pattern: string): string | undefined {
  try {
    const text = new PatternReader(pattern).read();
    return new RegExp(pattern).test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  d: '7',
  w: 'w',
  s: ' ',
  D: 'd',
  W: '-',
  S: 'x',
  t: '\t',
  n: '\n',
};

/** Generates the first match of each part of an expression. */
class PatternReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): string {
    const text = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new Error('too many brackets');
    return text;
  }

  /** The first non-empty alternative of `a|b`. */
  #alternatives(): string {
    let chosen = this.#sequence();
    while (this.#pattern[this.#at] === '|') {
      this.#at += 1;
      const other = this.#sequence();
      if (chosen === '') chosen = other;
    }
    return chosen;
  }

  #sequence(): string {
    let text = '';
    for (;;) {
      const next = this.#pattern[this.#at];
      if (next === undefined || next === '|' || next === ')') return text;
      text += this.#repeated(this.#atom());
    }
  }

  #atom(): string {
    const next = this.#pattern[this.#at];
    this.#at += 1;
    if (next === '^' || next === '$') return '';
    if (next === '.') return 'x';
    if (next === '\\') return this.#escape();
    if (next === '[') return this.#set();
    return next === '(' ? this.#group() : (next ?? '');
  }

  #escape(): string {
    const next = this.#pattern[this.#at] ?? '';
    this.#at += 1;
    if (next === 'b' || next === 'B') return '';
    if (next === 'p' || next === 'P' || next === 'u' || /\d/.test(next)) throw new Error('not read');
    return CLASSES[next] ?? next;
  }

  #set(): string {
    const end = this.#endOfSet();
    const body = this.#pattern.slice(this.#at, end);
    this.#at = end + 1;
    const set = new RegExp(`[${body}]`);
    const all = `aA0_-. /:@x7${body.replaceAll('\\', '')}`;
    const found = Array.from(all).find((character) => set.test(character));
    if (found === undefined) throw new Error('nothing fits');
    return found;
  }

  #endOfSet(): number {
    let end = this.#at;
    while (end < this.#pattern.length && (this.#pattern[end] !== ']' || end === this.#at))
      end += this.#pattern[end] === '\\' ? 2 : 1;
    return end;
  }

  #group(): string {
    const [start = ''] = /^\?(?::|<\w+>|<?[=!])/.exec(this.#pattern.slice(this.#at)) ?? [];
    this.#at += start.length;
    const text = this.#alternatives();
    if (this.#pattern[this.#at] !== ')') throw new Error('a bracket is missing');
    this.#at += 1;
    // Lookaround matches no characters.
    return /[=!]$/.test(start) ? '' : text;
  }

  #repeated(text: string): string {
    const [written, least] = /^(?:[*+?]|\{(\d*)(?:,\d*)?\})\??/.exec(this.#pattern.slice(this.#at)) ?? [''];
    this.#at += written.length;
    if (written === '') return text;
    return text.repeat(written.startsWith('{') ? Number(least ?? '0') : 1);
  }
}
