/** Character classes of GPT tokenizers. */
const SPACE = 0;
const PUNCTUATION = 1;
const DIGIT = 2;
const LOWER = 3;
const UPPER = 4;
/** Characters that cost tokens individually instead of per word. */
const FOREIGN = 5;

/** Tokens per UTF-16 unit, up to each code: between o200k_base and cl100k_base, closer to the former. */
const FOREIGN_COSTS: readonly (readonly [lastCode: number, cost: number])[] = [
  [0x05_2f, 0.32], // Greek, Cyrillic
  [0x06_ff, 0.48], // Hebrew, Arabic
  [0x0d_ff, 0.55], // the scripts of India
  [0x1f_ff, 0.7], // Thai, Georgian, Ethiopic and others
  [0x2f_ff, 0.9], // symbols
  [0x9f_ff, 0.8], // Japanese, Chinese
  [0xd7_ff, 0.72], // Korean
];

/**
 * Estimates the number of tokens of a text. Tuned for tool lists in JSON: within 15 % of o200k_base and cl100k_base, within 30 % for
 * descriptions in other languages than English. One pass, no vocabulary.
 *
 * The text is split as those tokenizers split it (a word with the preceding character, runs of punctuation, digits by three). Each piece
 * costs the average of pieces of its kind and length in the JSON of public API descriptions. `npm run bench -- --tokens` measures the
 * error.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let index = 0;
  /** Kind of the single preceding character that a word or run includes. */
  let taken = DIGIT;
  while (index < text.length) {
    const kind = kindOf(text.charCodeAt(index));
    const end = endOfPiece(text, index, kind);
    const next = end < text.length ? kindOf(text.charCodeAt(end)) : DIGIT;
    const length = end - index;
    // `a (b` is `a`, ` (`, `b`: punctuation that includes the space before it joins no word.
    const isTaken =
      kind === SPACE
        ? next === PUNCTUATION || next > DIGIT
        : length === 1 && taken !== SPACE && next > DIGIT && kind === PUNCTUATION;
    if (kind === SPACE) tokens += Math.min(length, 2) - (isTaken ? 1 : 0);
    else if (kind === PUNCTUATION) tokens += isTaken ? 0 : costOfRun(length);
    else if (kind === DIGIT) tokens += 1;
    else if (kind === FOREIGN) tokens += costOfForeign(text.charCodeAt(index));
    else tokens += costOfWord(length, { isUpper: isUpperPiece(text, index, kind), taken });
    taken = isTaken ? kind : DIGIT;
    index = end;
  }
  return Math.ceil(tokens);
}

function kindOf(code: number): number {
  if (code > 0x2_4f) return FOREIGN;
  if (code >= 0x61 && code <= 0x7a) return LOWER;
  if (code <= 0x20) return SPACE;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  // Accented Latin letters form words like others.
  return code >= 0xc0 ? LOWER : PUNCTUATION;
}

/**
 * A piece is a run of one kind; capitals include the following lowercase letters, digits are split by three, other characters stand alone.
 */
function endOfPiece(text: string, start: number, kind: number): number {
  let end = start + 1;
  if (kind === FOREIGN) return end;
  const limit = kind === DIGIT ? Math.min(start + 3, text.length) : text.length;
  while (end < limit && kindOf(text.charCodeAt(end)) === kind) end += 1;
  if (kind === UPPER) while (end < limit && kindOf(text.charCodeAt(end)) === LOWER) end += 1;
  return end;
}

/** `":{"` is one token; longer runs consist of several. */
function costOfRun(length: number): number {
  return length <= 3 ? 1 : length / 2.8;
}

function isUpperPiece(text: string, index: number, kind: number): boolean {
  return kind === UPPER && kindOf(text.charCodeAt(index + 1)) === UPPER;
}

function costOfWord(length: number, word: { readonly isUpper: boolean; readonly taken: number }): number {
  if (word.isUpper) return 1 + (length - 2) * (word.taken === SPACE ? 0.08 : 0.22);
  if (word.taken === SPACE) return length <= 10 ? 1 + length * 0.005 : 1 + (length - 10) / 4;
  if (word.taken === PUNCTUATION) return 1 + length * 0.08;
  return length <= 12 ? 1 + length * 0.01 : 1 + (length - 10) / 4;
}

function costOfForeign(code: number): number {
  for (const [lastCode, cost] of FOREIGN_COSTS) if (code <= lastCode) return cost;
  // Surrogates (emoji need two or three tokens) and the rest.
  return 1;
}
