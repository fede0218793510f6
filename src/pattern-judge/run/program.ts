import type { Letters } from '../syntax/letters.ts';
import type { Look, PatternNode, Repeat } from '../syntax/parse-pattern.ts';

/** A pattern compiled to instructions. */
export interface Program {
  /** Instructions of four numbers each: one of {@link OP}, and its operands. */
  readonly code: Int32Array;
  /** The character sets: 1 for each letter in the set, see `Letters`. */
  readonly sets: readonly Uint8Array[];
  readonly registers: number;
}

/** Number of numbers per instruction. */
export const WIDTH = 4;

export const OP = {
  /** Ends a match. */
  accept: 0,
  /** Reads one character of a set. */
  read: 1,
  /** Continues at the first address, and after a failure at the second. */
  split: 2,
  /** Continues at an address. */
  jump: 3,
  /** Stores a number in a register; the position if it is negative. */
  keep: 4,
  /** Increments a register. */
  count: 5,
  /** Jumps to an address if a register has at least a number. */
  leave: 6,
  /** Rejects an empty round, which would repeat without end: register of the position, of the count, minimum count. */
  progress: 7,
  /** Reads one character of a set, to the left. */
  readBack: 8,
  /** `^`, `$`, `\b`, `\B`, by number. */
  edge: 9,
  /** Lookaround with the following instructions: address after it, whether it is negative. */
  look: 10,
  /** Backreference between two registers; whether to the left. */
  reference: 11,
} as const;

const EDGES = ['^', '$', String.raw`\b`, String.raw`\B`];

/** Compiles a pattern. */
export function writeProgram(pattern: PatternNode, letters: Letters): Program {
  const writer = new Writer();
  writer.write(pattern, false);
  writer.add(OP.accept);
  return {
    code: Int32Array.from(writer.code),
    sets: [...writer.sets.keys()].map((set) => Uint8Array.from(letters.of(set), Number)),
    registers: writer.registers,
  };
}

class Writer {
  readonly code: number[] = [];
  readonly sets = new Map<string, number>();
  registers = 0;
  readonly #groups = new Map<number, number>();

  /** Returns the address of the instruction, so that it can be completed later. */
  add(op: number, ...given: number[]): number {
    const [first = 0, second = 0, third = 0] = given;
    return this.code.push(op, first, second, third) - WIDTH;
  }

  /** Inside a lookbehind, strings are read from right to left. */
  write(node: PatternNode, isBack: boolean): void {
    switch (node.kind) {
      case 'character': {
        const set = this.sets.get(node.source) ?? this.sets.size;
        this.sets.set(node.source, set);
        this.add(isBack ? OP.readBack : OP.read, set);
        break;
      }
      case 'sequence':
        for (const part of isBack ? node.parts.toReversed() : node.parts) this.write(part, isBack);
        break;
      case 'choice':
        this.#choice(node.parts, isBack);
        break;
      case 'repeat':
        this.#repeat(node, isBack);
        break;
      case 'group': {
        const start = this.#registersOf(node.index);
        this.add(OP.keep, isBack ? start + 1 : start, -1);
        this.write(node.body, isBack);
        this.add(OP.keep, isBack ? start : start + 1, -1);
        break;
      }
      case 'edge':
        this.add(OP.edge, EDGES.indexOf(node.source));
        break;
      case 'look':
        this.#look(node);
        break;
      case 'reference':
        this.add(OP.reference, this.#registersOf(node.index), isBack ? 1 : 0);
        break;
    }
  }

  #registersOf(group: number): number {
    const start = this.#groups.get(group) ?? this.#allocate();
    this.#groups.set(group, start);
    return start;
  }

  #allocate(): number {
    this.registers += 2;
    return this.registers - 2;
  }

  #choice(parts: readonly PatternNode[], isBack: boolean): void {
    const ends: number[] = [];
    for (const part of parts.slice(0, -1)) {
      const split = this.add(OP.split, this.code.length + WIDTH);
      this.write(part, isBack);
      ends.push(this.add(OP.jump));
      this.code[split + 2] = this.code.length;
    }
    const last = parts.at(-1);
    if (last !== undefined) this.write(last, isBack);
    for (const end of ends) this.code[end + 1] = this.code.length;
  }

  #repeat({ body, min, max, isLazy }: Repeat, isBack: boolean): void {
    // A single required short round is expanded; then nothing has to be counted.
    if (min === 1 && body.kind === 'character') {
      this.write(body, isBack);
      this.#repeat({ kind: 'repeat', body, min: 0, max: max - 1, isLazy }, isBack);
      return;
    }
    const register = this.#allocate();
    const isCounted = min > 0 || max !== Number.POSITIVE_INFINITY;
    if (isCounted) this.add(OP.keep, register, 0);
    const round = this.code.length;
    const exits: [at: number, operand: number][] = [];
    if (max !== Number.POSITIVE_INFINITY) exits.push([this.add(OP.leave, register, max), 3]);
    const choose = min > 0 ? this.add(OP.leave, register, min) : undefined;
    const past = choose === undefined ? undefined : this.add(OP.jump);
    if (choose !== undefined) this.code[choose + 3] = this.code.length;
    const bodyAt = this.code.length + WIDTH;
    exits.push([isLazy ? this.add(OP.split, 0, bodyAt) : this.add(OP.split, bodyAt), isLazy ? 1 : 2]);
    if (past !== undefined) this.code[past + 1] = bodyAt;
    const mayBeEmpty = canBeEmpty(body);
    if (mayBeEmpty) this.add(OP.keep, register + 1, -1);
    this.write(body, isBack);
    if (mayBeEmpty) this.add(OP.progress, register + 1, register, isCounted ? min : -1);
    if (isCounted) this.add(OP.count, register);
    this.add(OP.jump, round);
    for (const [at, operand] of exits) this.code[at + operand] = this.code.length;
  }

  #look({ body, isBehind, isNegative }: Look): void {
    const look = this.add(OP.look, 0, isNegative ? 1 : 0);
    this.write(body, isBehind);
    this.add(OP.accept);
    this.code[look + 1] = this.code.length;
  }
}

function canBeEmpty(node: PatternNode): boolean {
  switch (node.kind) {
    case 'character':
      return false;
    case 'sequence':
      return node.parts.every(canBeEmpty);
    case 'choice':
      return node.parts.some(canBeEmpty);
    case 'group':
      return canBeEmpty(node.body);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.body);
    case 'edge':
    case 'look':
    case 'reference':
      return true;
  }
}
