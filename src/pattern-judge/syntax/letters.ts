/**
 * Characters that every set of the pattern treats alike are one letter. A pattern has a few dozen letters, where Unicode has a million
 * characters.
 */
export interface Letters {
  /** One character of each letter, readable ones first. */
  readonly samples: readonly string[];
  /** The letters that a set contains. */
  of(set: string): readonly boolean[];
  /** The union of these sets, if they are disjoint. */
  unite(sets: readonly string[]): string | undefined;
}

/** Sets for word boundaries and line ends. */
export const WORD: string = String.raw`\w`;
export const LINE_END: string = String.raw`[\n\r\u2028\u2029]`;

/** Finds the letters of some sets. The engine itself decides set membership, with the flags of the pattern. */
export function findLetters(sets: ReadonlySet<string>, flags: string): Letters {
  const engineFlags = flags.replaceAll(/[^iusv]/g, '');
  const tests = [...sets].map((set) => new RegExp(`^(?:${set})$`, engineFlags));
  const samples: string[] = [];
  const rows: boolean[][] = tests.map(() => []);
  const known = new Set<string>();
  for (const character of candidates(sets, /[uv]/.test(flags))) {
    let signature = '';
    for (const test of tests) signature += test.test(character) ? '1' : '0';
    if (known.has(signature)) continue;
    known.add(signature);
    samples.push(character);
    for (const [index, row] of rows.entries()) row.push(signature[index] === '1');
  }
  const bySet = new Map([...sets].map((set, index) => [set, rows[index] ?? []]));
  const of = (set: string): readonly boolean[] => bySet.get(set) ?? [];
  const unite = (parts: readonly string[]): string | undefined => {
    const counts = samples.map((_, letter) => parts.filter((part) => of(part)[letter] === true).length);
    if (counts.some((count) => count > 1)) return undefined;
    const name = parts.join('|');
    bySet.set(
      name,
      counts.map((count) => count === 1),
    );
    return name;
  };
  return { samples, of, unite };
}

/** Tried first, so that examples in messages are readable. */
const PLAIN = `aA0_-. !,;:@/b1xZ#"'\n\t`;
/** One of each kind beyond ASCII that character classes or case folding distinguish. */
const OTHERS = [
  0x85, 0xa0, 0xaa, 0xb5, 0xc0, 0xdf, 0xe9, 0xff, 0x130, 0x131, 0x17f, 0x2bc, 0x300, 0x3a9, 0x5d0, 0x660,
  0x1680, 0x1e9e, 0x2000, 0x200c, 0x200d, 0x2028, 0x2029, 0x20ac, 0x20e3, 0x212a, 0x2160, 0x3000, 0x3042,
  0x4e00, 0xac00, 0xd800, 0xdc00, 0xfe0f, 0xfeff, 0xffff,
];
const ASTRAL = [0x10400, 0x1d7ce, 0x1f1e6, 0x1f3fb, 0x1f600, 0x1f9b0, 0x20000, 0xe0061, 0x10ffff];

const CODE = /\\u\{([\da-f]+)\}|\\[ux]([\da-f]{2,4})|([^\0-\x7f])/giu;

function* candidates(sets: ReadonlySet<string>, isUnicode: boolean): Generator<string> {
  yield* PLAIN;
  const codes = new Set(Array.from({ length: 128 }, (_, code) => code));
  for (const code of isUnicode ? [...OTHERS, ...ASTRAL] : OTHERS) codes.add(code);
  for (const set of sets) {
    for (const [, braced, hex, plain] of set.matchAll(CODE)) {
      const code = plain?.codePointAt(0) ?? Number.parseInt(braced ?? hex ?? '0', 16);
      // The boundary of a range.
      for (const near of [code - 1, code, code + 1]) if (near >= 0) codes.add(near);
    }
  }
  const max = isUnicode ? 0x10_ffff : 0xffff;
  for (const code of codes) if (code <= max) yield String.fromCodePoint(code);
  if (isUnicode && [...sets].some((set) => /\\p/i.test(set))) yield* properties();
}

/** Unicode properties overlap anywhere: the first scripts and the emoji are sampled closely, the rest sparsely. */
function* properties(): Generator<string> {
  for (let code = 0x80; code <= 0x2_ffff;) {
    yield String.fromCodePoint(code);
    if (code < 0x600 || (code >= 0x1_f300 && code < 0x1_fb00)) code += 1;
    else code += code < 0x3100 ? 8 : 61;
  }
}
