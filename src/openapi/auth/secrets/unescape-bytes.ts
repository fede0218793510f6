const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const SEMICOLON = 0x3b;
const BRACE = 0x7b;
const END_OF_BRACE = 0x7d;
const MAX_CODE_POINT = 0x10_ff_ff;

/**
 * A code point and the number of bytes it was read from, in one number, to avoid allocations: a response may
 * contain millions of escapes. 0 means none.
 */
type Read = number;
const NONE: Read = 0;
const toRead = (value: number, length: number): Read => value * 16 + length;
const valueOf = (read: Read): number => Math.floor(read / 16);
const lengthOf = (read: Read): number => read % 16;

/**
 * Decodes the escapes of URLs (`%2b`), HTML (`&#43;`) and string literals (`\u002b`); undefined if there are none.
 * For each byte, and for the end, `starts` receives its offset in the original. A decoded escape is never longer
 * than the escape.
 */
export function unescapeBytes(given: Uint8Array, starts?: Uint32Array): Buffer | undefined {
  let read: Buffer | undefined;
  let size = 0;
  for (let at = 0; at < given.length;) {
    const byte = given[at] ?? 0;
    const isSpecial = byte === PERCENT || byte === AMPERSAND || byte === BACKSLASH;
    const escape = isSpecial ? readEscape(given, at) : NONE;
    const before = size;
    if (escape === NONE) {
      if (read !== undefined) read[size] = byte;
      size += 1;
    } else {
      read ??= copyOf(given, at);
      const value = valueOf(escape);
      const isByte = byte === PERCENT || value < 0x80;
      if (isByte) read[size] = value;
      size += isByte ? 1 : read.write(String.fromCodePoint(value), size);
    }
    if (starts !== undefined) for (let each = before; each < size; each += 1) starts[each] = at;
    at += escape === NONE ? 1 : lengthOf(escape);
  }
  if (starts !== undefined) starts[size] = given.length;
  return read?.subarray(0, size);
}

function copyOf(given: Uint8Array, until: number): Buffer {
  const copy = Buffer.allocUnsafe(given.length);
  copy.set(given.subarray(0, until));
  return copy;
}

function readEscape(given: Uint8Array, at: number): Read {
  if (given[at] === AMPERSAND) return readEntity(given, at);
  if (given[at] === BACKSLASH) return readLiteral(given, at);
  const code = readDigits(given, at + 1, BYTE);
  return lengthOf(code) === 2 ? toRead(valueOf(code), 3) : NONE;
}

/** `&#43;`, `&#x2b;`, `&plus;`. The semicolon after a number is optional. */
function readEntity(given: Uint8Array, at: number): Read {
  if (given[at + 1] !== 0x23) return readName(given, at);
  const isHex = isLetter(given[at + 2], 'x');
  const from = at + (isHex ? 3 : 2);
  const code = readDigits(given, from, isHex ? HEX_ENTITY : ENTITY);
  if (code === NONE || valueOf(code) > MAX_CODE_POINT) return NONE;
  const end = from + lengthOf(code);
  return toRead(valueOf(code), end - at + (given[end] === SEMICOLON ? 1 : 0));
}

function readName(given: Uint8Array, at: number): Read {
  let end = at + 1;
  let name = 0;
  for (; end <= at + MAX_NAME && isWord(given[end]); end += 1) name = name * 256 + (given[end] ?? 0);
  const character = given[end] === SEMICOLON ? NAMES.get(name) : undefined;
  return character === undefined ? NONE : toRead(character, end + 1 - at);
}

/**
 * `\u002b`, `\u{2b}`, `\x2b`, `\n`; before any character that is neither a letter nor a digit, a backslash is
 * dropped.
 */
function readLiteral(given: Uint8Array, at: number): Read {
  const next = given[at + 1];
  if (next === undefined) return NONE;
  if (isLetter(next, 'u')) return readUnit(given, at);
  if (isLetter(next, 'x')) {
    const code = readDigits(given, at + 2, BYTE);
    return lengthOf(code) === 2 ? toRead(valueOf(code), 4) : NONE;
  }
  const control = CONTROLS.get(next);
  if (control !== undefined) return toRead(control, 2);
  return isWord(next) || next >= 0x80 ? NONE : toRead(next, 2);
}

function readUnit(given: Uint8Array, at: number): Read {
  if (given[at + 2] === BRACE) {
    const code = readDigits(given, at + 3, HEX_ENTITY);
    const end = at + 3 + lengthOf(code);
    const isWhole = code !== NONE && given[end] === END_OF_BRACE && valueOf(code) <= MAX_CODE_POINT;
    return isWhole ? toRead(valueOf(code), end + 1 - at) : NONE;
  }
  const high = readDigits(given, at + 2, UNIT);
  if (lengthOf(high) !== 4) return NONE;
  // A code point above U+FFFF is a surrogate pair.
  const isPair = isWithin(high, 0xd8_00) && given[at + 6] === BACKSLASH && isLetter(given[at + 7], 'u');
  const low = isPair ? readDigits(given, at + 8, UNIT) : NONE;
  if (lengthOf(low) !== 4 || !isWithin(low, 0xdc_00)) return toRead(valueOf(high), 6);
  return toRead(0x1_00_00 + (valueOf(high) - 0xd8_00) * 0x4_00 + (valueOf(low) - 0xdc_00), 12);
}

function isWithin(read: Read, first: number): boolean {
  return valueOf(read) >= first && valueOf(read) < first + 0x4_00;
}

interface Digits {
  readonly base: 10 | 16;
  readonly most: number;
}

const BYTE: Digits = { base: 16, most: 2 };
const ENTITY: Digits = { base: 10, most: 8 };
const HEX_ENTITY: Digits = { base: 16, most: 8 };
const UNIT: Digits = { base: 16, most: 4 };

function readDigits(given: Uint8Array, at: number, { base, most }: Digits): Read {
  let value = 0;
  let length = 0;
  for (; length < most; length += 1) {
    const digit = digitOf(given[at + length] ?? 0);
    if (digit >= base) break;
    value = value * base + digit;
  }
  return length === 0 ? NONE : toRead(value, length);
}

/** 16 if it is not a digit. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : 16;
}

function isLetter(byte: number | undefined, letter: 'u' | 'x'): boolean {
  return byte !== undefined && (byte | 0x20) === (letter === 'u' ? 0x75 : 0x78);
}

function isWord(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const small = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (small >= 0x61 && small <= 0x7a);
}

const CONTROLS: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, t: 9, n: 10, f: 12, r: 13 }).map(([letter, code]) => [letter.charCodeAt(0), code]),
);

const MAX_NAME = 6;

/** HTML entity names of characters that occur in credentials; each as the number formed by its bytes. */
const NAMES: ReadonlyMap<number, number> = new Map(
  Object.entries({
    amp: '&',
    apos: "'",
    ast: '*',
    bsol: '\\',
    colon: ':',
    comma: ',',
    commat: '@',
    dollar: '$',
    equals: '=',
    excl: '!',
    grave: '`',
    gt: '>',
    Hat: '^',
    lbrace: '{',
    lbrack: '[',
    lcub: '{',
    lowbar: '_',
    lpar: '(',
    lsqb: '[',
    lt: '<',
    num: '#',
    percnt: '%',
    period: '.',
    plus: '+',
    quest: '?',
    quot: '"',
    rbrace: '}',
    rbrack: ']',
    rcub: '}',
    rpar: ')',
    rsqb: ']',
    semi: ';',
    sol: '/',
    verbar: '|',
    vert: '|',
  }).map(([name, character]) => [
    [...Buffer.from(name)].reduce((number, byte) => number * 256 + byte, 0),
    character.charCodeAt(0),
  ]),
);
