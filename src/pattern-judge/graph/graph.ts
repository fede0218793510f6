import type { Automaton } from './automaton.ts';
import type { Letters } from '../syntax/letters.ts';
import { UnreadablePattern } from '../syntax/parse-pattern.ts';

/** A strongly connected component of states. */
export type Loop = ReadonlySet<number>;

/** Number of letters per bit mask. */
const BITS = 30;
/** Maximum number of visited edges. */
const MAX_WORK = 1_000_000;

/** The states of an automaton and a start state, with queries on them. */
export class Graph {
  /** The start state before all others. */
  readonly start: number;
  readonly size: number;
  readonly letterCount: number;
  readonly #next: readonly (readonly number[])[];
  readonly #follow: Automaton['follow'];
  /** The letters that each state reads, as bits. */
  readonly #reads: readonly (readonly number[])[];
  #work = 0;

  /** An unanchored search begins at every position: a loop before everything else. */
  constructor({ sets, follow, first }: Automaton, letters: Letters, isAnchored: boolean) {
    const bits = new Map([...new Set(sets)].map((set) => [set, toBits(letters.of(set))]));
    const all = toBits(letters.samples.map(() => true));
    this.start = sets.length;
    this.size = sets.length + 1;
    this.letterCount = letters.samples.length;
    this.#follow = follow;
    this.#reads = [...sets.map((set) => bits.get(set) ?? []), all];
    const fromStart = [...first.keys()];
    this.#next = [
      ...follow.map((ways) => [...ways.keys()]),
      isAnchored ? fromStart : [this.start, ...fromStart],
    ];
  }

  /** Successors of a state. */
  next(state: number): readonly number[] {
    const next = this.#next[state] ?? [];
    this.#work += 1 + next.length;
    if (this.#work > MAX_WORK) throw new UnreadablePattern('it can match in too many ways');
    return next;
  }

  /** Whether there is more than one edge from a state to the next. */
  isDouble(state: number, next: number): boolean {
    return (this.#follow[state]?.get(next) ?? 0) > 1;
  }

  /** The letters that all these states read. */
  shared(states: readonly number[]): number[] {
    const letters: number[] = [];
    for (let letter = 0; letter < this.letterCount; letter += 1) {
      if (states.every((state) => this.reads(state, letter))) letters.push(letter);
    }
    return letters;
  }

  reads(state: number, letter: number): boolean {
    return ((this.#reads[state]?.[Math.floor(letter / BITS)] ?? 0) & (1 << (letter % BITS))) !== 0;
  }

  /** The first letter that all these states read; -1 if there is none. */
  common(one: number, two: number, three: number = two): number {
    const [first = [], second = [], third = []] = [this.#reads[one], this.#reads[two], this.#reads[three]];
    for (const [index, bits] of first.entries()) {
      const shared = bits & (second[index] ?? 0) & (third[index] ?? 0);
      if (shared !== 0) return index * BITS + 31 - Math.clz32(shared & -shared);
    }
    return -1;
  }

  /** The shortest path from one state to another: the states after the first. */
  path(from: number, to: number): readonly number[] | undefined {
    const parents = new Map<number, number>();
    const open = [from];
    if (from === to) return [];
    for (const state of open) {
      for (const next of this.next(state)) {
        if (next === from || parents.has(next)) continue;
        parents.set(next, state);
        open.push(next);
      }
      if (parents.has(to)) break;
    }
    if (!parents.has(to)) return undefined;
    const path: number[] = [];
    for (let state = to; state !== from; state = parents.get(state) ?? from) path.push(state);
    return path.toReversed();
  }

  /** The states after a letter. */
  after(states: Iterable<number>, letter: number): ReadonlySet<number> {
    const found = new Set<number>();
    for (const state of states) {
      for (const next of this.next(state)) if (this.reads(next, letter)) found.add(next);
    }
    return found;
  }

  /** All states reachable from these. */
  reachable(states: Iterable<number>): ReadonlySet<number> {
    const found = new Set<number>();
    const open = [...states];
    for (const state of open) {
      for (const next of this.next(state)) {
        if (found.has(next)) continue;
        found.add(next);
        open.push(next);
      }
    }
    return found;
  }

  /** All loops in topological order. Tarjan's algorithm without recursion: patterns may have thousands of states. */
  loops(): Loop[] {
    const order = new Map<number, number>();
    const low = new Map<number, number>();
    const pending: number[] = [];
    const isPending = new Set<number>();
    const loops: Loop[] = [];
    const visits: { readonly state: number; index: number }[] = [];
    const enter = (state: number): void => {
      order.set(state, order.size);
      low.set(state, order.size - 1);
      pending.push(state);
      isPending.add(state);
      visits.push({ state, index: 0 });
    };
    const lower = (state: number, value: number | undefined): void => {
      low.set(state, Math.min(low.get(state) ?? 0, value ?? Number.POSITIVE_INFINITY));
    };
    enter(this.start);
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const { state } = visit;
      const next = this.next(state)[visit.index];
      visit.index += 1;
      if (next !== undefined) {
        if (!order.has(next)) enter(next);
        else if (isPending.has(next)) lower(state, order.get(next));
        continue;
      }
      visits.pop();
      const parent = visits.at(-1);
      if (parent !== undefined) lower(parent.state, low.get(state));
      if (low.get(state) !== order.get(state)) continue;
      const members = new Set(pending.splice(pending.indexOf(state)));
      for (const member of members) isPending.delete(member);
      if (members.size > 1 || this.next(state).includes(state)) loops.push(members);
    }
    return loops.toReversed();
  }
}

function toBits(row: readonly boolean[]): number[] {
  const bits: number[] = Array.from({ length: Math.ceil(row.length / BITS) }, () => 0);
  for (const [letter, isIn] of row.entries()) {
    const index = Math.floor(letter / BITS);
    if (isIn) bits[index] = (bits[index] ?? 0) | (1 << (letter % BITS));
  }
  return bits;
}
