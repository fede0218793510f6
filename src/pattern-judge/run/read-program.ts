import { OP, WIDTH } from './program.ts';
import type { Program } from './program.ts';

/** The letters of a pattern. */
export interface Alphabet {
  readonly size: number;
  readonly words: readonly boolean[];
  readonly lineEnds: readonly boolean[];
  /** Whether only the first position of a string counts. */
  readonly isAnchored: boolean;
}

/** The register of a counted repetition. */
export interface Counter {
  readonly register: number;
  /** The count, limited to the values that matter at an instruction. */
  hold(count: number, at: number): number;
}

/** The counted repetitions of a program, up to `maxCount`. */
export function findCounters(code: Int32Array, maxCount: number): Counter[] {
  const found = new Map<number, { from: number; to: number; most: number }>();
  const at = (register: number) => {
    const counter = found.get(register) ?? { from: Number.POSITIVE_INFINITY, to: -1, most: 0 };
    found.set(register, counter);
    return counter;
  };
  for (let index = 0; index < code.length; index += WIDTH) {
    const [op, first = 0, second = 0, third = 0] = code.subarray(index, index + WIDTH);
    if (op === OP.keep && second >= 0) at(first).from = Math.min(at(first).from, index);
    if (op === OP.count) at(first).to = Math.max(at(first).to, index);
    if (op === OP.leave && second <= maxCount) at(first).most = Math.max(at(first).most, second);
    if (op === OP.progress && third >= 0) at(second).most = Math.max(at(second).most, third);
  }
  return Array.from(found, ([register, { from, to, most }]) => ({
    register,
    hold: (count, place) => (place > from && place <= to ? Math.min(count, most) : -1),
  }));
}

/** The instruction after the leading assertions and lookarounds. */
export function findLeading(code: Int32Array): number {
  for (let at = 0; ;) {
    const op = code[at];
    if (op === OP.look) at = code[at + 1] ?? 0;
    else if (op === OP.edge || op === OP.keep) at += WIDTH;
    else return at;
  }
}

/** The maximum steps of a lookbehind with these instructions: 0 for a lookahead, infinite with a repetition. */
export function stepsBack(code: Int32Array, from: number, to: number): number {
  let steps = (to - from) / WIDTH;
  let goesBack = false;
  let isSimple = true;
  for (let at = from; at < to; at += WIDTH) {
    const [op, target = 0] = code.subarray(at, at + WIDTH);
    if (op === OP.readBack) goesBack = true;
    if (op === OP.split) steps *= 2;
    // A jump back is a repetition.
    if (op === OP.look || op === OP.reference || (op === OP.jump && target < at)) isSimple = false;
  }
  if (!goesBack) return 0;
  return isSimple ? steps : Number.POSITIVE_INFINITY;
}

/** Classes of letters that are equivalent before a position. */
export interface Before {
  /** The class of each letter. */
  readonly kinds: readonly number[];
  /** One letter of each class; -1 for the beginning of a string, which is the first. */
  readonly letters: readonly number[];
}

/** Classifies letters by the assertions that look back at them. */
export function findBefore({ code, sets }: Program, { size, words, lineEnds }: Alphabet): Before {
  const tests: ((letter: number) => unknown)[] = [];
  for (let at = 0; at < code.length; at += WIDTH) {
    const set = sets[code[at + WIDTH + 1] ?? 0];
    if (code[at] === OP.edge)
      tests.push(
        (letter) => words[letter],
        (letter) => lineEnds[letter],
      );
    else if (isLookAtOne(code, at) && code[at + WIDTH] === OP.readBack) tests.push((letter) => set?.[letter]);
  }
  // Without lookbehind, the beginning is like any other position.
  if (tests.length === 0) return { kinds: [], letters: [-1] };
  const known = new Map<string, number>();
  const letters = [-1];
  const kinds = Array.from({ length: size }, (_, letter) => {
    const signature = tests.map((test) => Number(test(letter) ?? 0)).join('');
    const kind = known.get(signature) ?? letters.push(letter) - 1;
    known.set(signature, kind);
    return kind;
  });
  return { kinds, letters };
}

/** Whether a lookaround tests only one character. */
export function isLookAtOne(code: Int32Array, at: number): boolean {
  const [op, , , , inside] = code.subarray(at, at + WIDTH + 1);
  if (op !== OP.look || code[at + 2 * WIDTH] !== OP.accept) return false;
  return (inside === OP.read || inside === OP.readBack) && code[at + 1] === at + 3 * WIDTH;
}
