import { OP, WIDTH } from './program.ts';
import type { Program } from './program.ts';

/** Input of a program. */
export interface Matter {
  /** String in letters, see `Letters`. */
  readonly text: Uint16Array;
  /** Maximum number of steps. */
  readonly allowed: number;
  /** Word characters, and line ends in multiline mode. */
  readonly words: readonly boolean[];
  readonly lineEnds: readonly boolean[];
}

/** Empty rounds take no step, and there may be a billion of them: the moves between steps are bounded as well. */
const MOVES_PER_STEP = 50;
const MAX_MOVES = 10_000;

/** Runs a program like the engine, with backtracking. Counts reads and backtracks. */
export class Run {
  steps = 0;
  #moves = 0;
  readonly #program: Program;
  readonly #matter: Matter;
  readonly #registers: Int32Array;
  /** Backtracking stack: an instruction and a position; or a register, negative, and its previous value. */
  readonly #stack: number[] = [];

  constructor(program: Program, matter: Matter) {
    this.#program = program;
    this.#matter = matter;
    this.#registers = new Int32Array(program.registers).fill(-1);
  }

  get isOver(): boolean {
    return this.steps > this.#matter.allowed;
  }

  /** Whether the program matches from this instruction and position. Optimized: judging spends its time here. */
  match(from: number, start: number): boolean {
    const { code, sets } = this.#program;
    const { text, allowed } = this.#matter;
    const stack = this.#stack;
    const registers = this.#registers;
    const base = stack.length;
    let at = from;
    let position = start;
    while (this.steps <= allowed) {
      const op = code[at];
      const first = code[at + 1] ?? 0;
      const second = code[at + 2] ?? 0;
      at += WIDTH;
      this.#moves += 1;
      if (this.#moves > MAX_MOVES + MOVES_PER_STEP * allowed) this.steps = allowed + 1;
      if (op === OP.read) {
        this.steps += 1;
        if (position < text.length && sets[first]?.[text[position] ?? 0] === 1) {
          position += 1;
          continue;
        }
      } else if (op === OP.split) {
        stack.push(second, position);
        at = first;
        continue;
      } else if (op === OP.jump) {
        at = first;
        continue;
      } else if (op === OP.keep || op === OP.count) {
        const held = registers[first] ?? 0;
        stack.push(-1 - first, held);
        registers[first] = op === OP.count ? held + 1 : second < 0 ? position : second;
        continue;
      } else if (op === OP.leave) {
        if ((registers[first] ?? 0) >= second) at = code[at - 1] ?? 0;
        continue;
      } else if (op === OP.accept) {
        stack.length = base;
        return true;
      } else {
        const next = this.#executeRare(at - WIDTH, position);
        if (op === OP.look) at = first;
        if (next >= 0) {
          position = next;
          continue;
        }
      }
      // Failure: backtrack to the last alternative.
      this.steps += 1;
      for (at = -1; at < 0;) {
        if (stack.length === base) return false;
        position = stack.pop() ?? 0;
        at = stack.pop() ?? 0;
        if (at < 0) registers[-1 - at] = position;
      }
    }
    stack.length = base;
    return false;
  }

  /** The position after the instruction; -1 if it fails. */
  #executeRare(at: number, position: number): number {
    const { code, sets } = this.#program;
    const op = code[at];
    const first = code[at + 1] ?? 0;
    const second = code[at + 2] ?? 0;
    if (op === OP.readBack) {
      this.steps += 1;
      return position > 0 && sets[first]?.[this.#matter.text[position - 1] ?? 0] === 1 ? position - 1 : -1;
    }
    if (op === OP.reference) return this.#readAgain(first, position, second === 1);
    let holds = true;
    if (op === OP.progress)
      holds = this.#registers[first] !== position || (this.#registers[second] ?? 0) < (code[at + 3] ?? 0);
    else if (op === OP.edge) holds = this.#isAtEdge(first, position);
    else if (op === OP.look) holds = this.match(at + WIDTH, position) === (second === 0);
    return holds ? position : -1;
  }

  /** Matches the text of a group again. */
  #readAgain(register: number, position: number, isBack: boolean): number {
    const { text } = this.#matter;
    const start = this.#registers[register] ?? -1;
    const end = this.#registers[register + 1] ?? -1;
    const length = start < 0 || end < start ? 0 : end - start;
    const from = isBack ? position - length : position;
    for (let offset = 0; offset < length; offset += 1) {
      this.steps += 1;
      if (text[from + offset] !== text[start + offset]) return -1;
    }
    return isBack ? from : from + length;
  }

  #isAtEdge(edge: number, position: number): boolean {
    const { text, words, lineEnds } = this.#matter;
    const [before, after] = [text[position - 1], text[position]];
    if (edge < 2) {
      const beyond = edge === 0 ? before : after;
      return beyond === undefined || lineEnds[beyond] === true;
    }
    const isWord = (letter: number | undefined): boolean => letter !== undefined && words[letter] === true;
    return (isWord(before) !== isWord(after)) === (edge === 2);
  }
}
