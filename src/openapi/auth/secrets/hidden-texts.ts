import { unescapeBytes } from './unescape-bytes.ts';

/** Minimum length of a hidden string; shorter ones occur in any text by chance. */
const MIN_HIDDEN = 4;
/** Minimum length in bytes; shorter ones occur in binary data by chance, which is withheld as a whole. */
const MIN_IN_BYTES = 8;
/** Maximum number of nested escapes: JSON in JSON, a URL in a URL. */
const MAX_DEPTH = 3;

/** A string that must not be shown, and its replacement. */
export type HiddenText = readonly [text: string, shownAs: string];

interface Needle {
  readonly bytes: Buffer;
  readonly shownAs: Buffer;
}

interface Needles {
  /** The longest first: one may be a part of another. */
  readonly inTexts: readonly Needle[];
  readonly inBytes: readonly Needle[];
}

/** Strings that must not be shown: finds them in plain form and as URLs, HTML and string literals escape them. */
export class HiddenTexts {
  readonly #texts: readonly HiddenText[];
  /** In plain form, and as forms encode them. */
  readonly #plain: readonly string[];
  #needles: Needles | undefined;

  constructor(texts: Iterable<HiddenText>) {
    this.#texts = [...texts].filter(([text]) => text.length >= MIN_HIDDEN);
    this.#plain = [...new Set(this.#texts.flatMap(([text]) => [text, withPlus(text)]))];
  }

  /** Returns the text without them. */
  hide(text: string): string {
    if (this.#texts.length === 0 || !this.#mayHave(text)) return text;
    const { inTexts } = this.#compile();
    const bytes = Buffer.from(text);
    return hasAny(bytes, inTexts) ? replace(bytes, inTexts).toString() : text;
  }

  /** Whether one of them is in bytes of any kind. */
  isIn(bytes: Uint8Array): boolean {
    return this.#texts.length > 0 && hasAny(bytes, this.#compile().inBytes);
  }

  /** Fast check: most texts contain neither one of them nor an escape. */
  #mayHave(text: string): boolean {
    return /[%&\\]/.test(text) || this.#plain.some((hidden) => text.includes(hidden));
  }

  #compile(): Needles {
    this.#needles ??= {
      inTexts: sort(this.#texts.flatMap(needlesOf)),
      inBytes: sort(this.#texts.filter(([text]) => text.length >= MIN_IN_BYTES).flatMap(wideNeedlesOf)),
    };
    return this.#needles;
  }
}

/** Form encoding: a plus for each space. */
function withPlus(text: string): string {
  return text.replaceAll(' ', '+');
}

function sort(needles: readonly Needle[]): Needle[] {
  return needles.toSorted((one, other) => other.bytes.length - one.bytes.length);
}

/** In plain form, and unescaped, for comparison with unescaped texts. Headers are Latin-1. */
function needlesOf([text, shownAs]: HiddenText): Needle[] {
  const written = [text, withPlus(text)].flatMap((form) => [
    Buffer.from(form),
    // oxlint-disable-next-line no-control-regex -- the range of Latin-1
    ...(/^[\u0000-\u00FF]*$/.test(form) ? [Buffer.from(form, 'latin1')] : []),
  ]);
  const all = written.flatMap((form) => [...layersOf(form)].map(({ bytes }) => bytes));
  const unique = new Map(all.map((bytes) => [bytes.toString('latin1'), bytes]));
  return [...unique.values()]
    .filter(({ length }) => length >= MIN_HIDDEN)
    .map((bytes) => ({ bytes, shownAs: Buffer.from(shownAs) }));
}

/** Also in UTF-16. */
function wideNeedlesOf(hidden: HiddenText): Needle[] {
  const [first = { shownAs: Buffer.alloc(0) }] = needlesOf(hidden);
  const little = Buffer.from(hidden[0], 'utf16le');
  const wide = [little, Buffer.from(little).swap16()].map((bytes) => ({ ...first, bytes }));
  return [...needlesOf(hidden), ...wide];
}

/** Bytes, and the offset of each in the original; undefined if the offsets are the same. */
interface Layer {
  readonly bytes: Buffer;
  readonly starts: Uint32Array | undefined;
}

/** The bytes, then the bytes without their escapes, as often as there are some. */
function* layersOf(given: Uint8Array, hasStarts = false): Iterable<Layer> {
  let bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  let starts: Uint32Array | undefined;
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    yield { bytes, starts };
    const own = hasStarts ? new Uint32Array(bytes.length + 1) : undefined;
    const read = unescapeBytes(bytes, own);
    if (read === undefined) return;
    const outer = starts;
    starts = outer === undefined ? own : own?.map((at) => outer[at] ?? 0);
    bytes = read;
  }
}

function hasAny(given: Uint8Array, needles: readonly Needle[]): boolean {
  for (const { bytes } of layersOf(given))
    if (needles.some((needle) => bytes.includes(needle.bytes))) return true;
  return false;
}

/** All places are marked first, so that replacements are not searched again. */
function replace(given: Buffer, needles: readonly Needle[]): Buffer {
  const marks = new Uint16Array(given.length);
  const layers = [...layersOf(given, true)];
  for (const [index, needle] of needles.entries())
    for (const { bytes, starts } of layers)
      for (
        let at = bytes.indexOf(needle.bytes);
        at !== -1;
        at = bytes.indexOf(needle.bytes, at + needle.bytes.length)
      ) {
        const end = at + needle.bytes.length;
        mark(marks, index + 1, [starts?.[at] ?? at, starts?.[end] ?? end]);
      }
  return write(given, marks, needles);
}

/** Marked bytes are part of a longer string. */
function mark(marks: Uint16Array, value: number, [from, to]: readonly [number, number]): void {
  for (let at = from; at < to; at += 1) if (marks[at] === 0) marks[at] = value;
}

function write(given: Buffer, marks: Uint16Array, needles: readonly Needle[]): Buffer {
  let size = 0;
  for (const { from, to, value } of runsOf(marks)) size += needles[value - 1]?.shownAs.length ?? to - from;
  const written = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { from, to, value } of runsOf(marks))
    at += needles[value - 1]?.shownAs.copy(written, at) ?? given.copy(written, at, from, to);
  return written;
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** Adjacent places with the same mark. */
function* runsOf(marks: Uint16Array): Iterable<Run> {
  for (let from = 0; from < marks.length;) {
    const value = marks[from] ?? 0;
    let to = from + 1;
    while (to < marks.length && marks[to] === value) to += 1;
    yield { from, to, value };
    from = to;
  }
}
