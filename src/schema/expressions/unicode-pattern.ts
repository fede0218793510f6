import { groupNames } from '../../pattern-judge/judge-pattern.ts';

/**
 * Rewrites a pattern to an equivalent one that is valid in Unicode mode, which JSON Schema requires and clients use. Without Unicode mode,
 * JavaScript also accepts needless escapes (`\-`, `\_`), lone braces and brackets, and ranges such as `[\w-.]`. Undefined if the pattern is
 * invalid in both modes.
 */
export function toUnicodePattern(pattern: string): string | undefined {
  if (compiles(pattern, 'u')) return pattern;
  if (!compiles(pattern, '')) return undefined;
  const rewritten = new Rewriter(pattern).rewrite();
  return compiles(rewritten, 'u') ? rewritten : undefined;
}

function compiles(pattern: string, flags: string): boolean {
  try {
    RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

const QUANTIFIER = /\{\d+(?:,\d*)?\}/y;
const IS_REPEATED = /[*+?]|\{\d+(?:,\d*)?\}/y;
const LOOK_AHEAD = /\(\?[=!]/y;
/**
 * Escapes that are valid in both modes. `\p{L}` and `\u{1F600}` only have their meaning in Unicode mode, which is what their authors meant.
 */
const ESCAPE =
  /\\(?:[\^$\\.*+?()[\]{}|/dDwWsSbfnrtv]|c[A-Za-z]|0(?!\d)|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]+\}|[pP]\{[\w=]+\})/y;
const EDGE = /\\B/y;
const HYPHEN = /\\-/y;
const REFERENCE = /\\([1-9]\d*)/y;
const NAME_REFERENCE = /\\k<[\w$]+>/y;
const OCTAL = /\\([0-3][0-7]{0,2}|[4-7][0-7]?)/y;
/** Control escapes in a character class, where digits and `_` are allowed as well. */
const CONTROL = /\\c([\d_])/y;
const SET_OF_CHARACTERS = /^\\[dDwWsSpP]/;

/** Rewrites a pattern that is valid without Unicode mode. */
class Rewriter {
  readonly #source: string;
  readonly #groups: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#groups = groupNames(source);
  }

  rewrite(): string {
    const written: string[] = [];
    const opened: { readonly start: number; readonly isLookAhead: boolean }[] = [];
    while (this.#at < this.#source.length) {
      const next = this.#source[this.#at];
      if (next === '(') {
        opened.push({ start: written.length, isLookAhead: this.#isNext(LOOK_AHEAD) });
        written.push(this.#character());
      } else if (next === ')') {
        written.push(this.#character());
        const { start, isLookAhead } = opened.pop() ?? { start: 0, isLookAhead: false };
        // In Unicode mode only a group can be repeated.
        if (isLookAhead && this.#isNext(IS_REPEATED)) {
          written[start] = `(?:${written[start]}`;
          written.push(')');
        }
      } else if (next === '[') written.push(this.#set());
      else if (next === '\\') written.push(this.#escape());
      else if (next === '{' || next === '}' || next === ']')
        written.push(this.#take(QUANTIFIER)?.[0] ?? `\\${this.#character()}`);
      else written.push(this.#character());
    }
    return written.join('');
  }

  #escape(): string {
    const kept = this.#take(ESCAPE) ?? this.#take(EDGE);
    if (kept !== undefined) return kept[0];
    const start = this.#at;
    const reference = this.#take(REFERENCE);
    if (reference !== undefined && Number(reference[1]) <= this.#groups.length) return reference[0];
    this.#at = start;
    const named = this.#groups.some((name) => name !== '') ? this.#take(NAME_REFERENCE) : undefined;
    return named?.[0] ?? this.#needlessEscape();
  }

  /** Octal escapes, and characters with a needless backslash. */
  #needlessEscape(): string {
    const octal = this.#take(OCTAL)?.[1];
    if (octal !== undefined) return toHex(Number.parseInt(octal, 8));
    this.#at += 1;
    // `\c` without a letter is a backslash followed by `c`.
    if (this.#source[this.#at] === 'c') return '\\\\';
    const character = this.#character();
    // Must not become part of the number before it.
    return /\d/.test(character) ? toHex(character.charCodeAt(0)) : character;
  }

  #set(): string {
    let written = this.#character();
    if (this.#source[this.#at] === '^') written += this.#character();
    while (this.#source[this.#at] !== ']') {
      const first = this.#member();
      written += first;
      const isRange = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']';
      if (!isRange) continue;
      this.#at += 1;
      const last = this.#member();
      const isUnion = SET_OF_CHARACTERS.test(first) || SET_OF_CHARACTERS.test(last);
      written += `${isUnion ? '\\-' : '-'}${last}`;
    }
    return written + this.#character();
  }

  #member(): string {
    const next = this.#source[this.#at];
    if (next === '-') {
      this.#at += 1;
      return '\\-';
    }
    if (next !== '\\') return this.#character();
    const kept = this.#take(ESCAPE) ?? this.#take(HYPHEN);
    if (kept !== undefined) return kept[0];
    const control = this.#take(CONTROL)?.[1];
    return control === undefined ? this.#needlessEscape() : toHex(control.charCodeAt(0) % 32);
  }

  #character(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #isNext(expression: RegExp): boolean {
    expression.lastIndex = this.#at;
    return expression.test(this.#source);
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

function toHex(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`;
}
