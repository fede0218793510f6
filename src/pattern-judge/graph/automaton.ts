import { UnreadablePattern } from '../syntax/parse-pattern.ts';
import type { PatternNode } from '../syntax/parse-pattern.ts';

/** Which character of the pattern may follow which: every place in it where a character is read is one state. */
export interface Automaton {
  /** The set that each state reads. */
  readonly sets: readonly string[];
  /** The states that may be read first. */
  readonly first: ReadonlyMap<number, number>;
  /** The states that may follow each state, and in how many ways: 1, or 2 for more than one. */
  readonly follow: readonly ReadonlyMap<number, number>[];
}

/** More states than this are not looked at. */
const MAX_STATES = 2500;
const MAX_EDGES = 50_000;

/**
 * Draws a pattern as an automaton. Repetitions are written out up to so many rounds, those of more are drawn as if they had no end.
 * Edges, looks and references are drawn too generously: what is found is tried out later.
 */
export function toAutomaton(pattern: PatternNode, maxRounds: number): Automaton {
  const drawing = new Drawing(maxRounds);
  const { first } = drawing.draw(pattern);
  return { sets: drawing.sets, first, follow: drawing.follow };
}

type Ways = Map<number, number>;

/** What the parts around a part must know of it. */
interface Piece {
  /** In how many ways it can be nothing: 0, 1, or 2 for more. */
  readonly empty: number;
  readonly first: Ways;
  readonly last: Ways;
}

class Drawing {
  readonly sets: string[] = [];
  readonly follow: Ways[] = [];
  readonly #maxRounds: number;
  readonly #groups = new Map<number, PatternNode>();
  #edges = 0;
  #isInReference = false;

  constructor(maxRounds: number) {
    this.#maxRounds = maxRounds;
  }

  draw(node: PatternNode): Piece {
    switch (node.kind) {
      case 'character':
        return this.#state(node.source);
      case 'sequence':
        return this.#sequence(node.parts.map((part) => () => this.draw(part)));
      case 'choice':
        return this.#choice(node.parts);
      case 'repeat':
        return this.#repeat(node);
      case 'group':
        this.#groups.set(node.index, node.body);
        return this.draw(node.body);
      case 'edge':
        return nothing();
      case 'look':
        // A way that leads nowhere, beside the way on.
        return { ...nothing(), first: this.draw(node.body).first };
      case 'reference':
        return this.#reference(node.index);
    }
  }

  #state(source: string): Piece {
    const state = this.sets.push(source) - 1;
    if (state >= MAX_STATES) throw new UnreadablePattern('it is too large');
    this.follow.push(new Map());
    return { empty: 0, first: new Map([[state, 1]]), last: new Map([[state, 1]]) };
  }

  #sequence(parts: readonly (() => Piece)[]): Piece {
    let whole = nothing();
    for (const part of parts) {
      const next = part();
      this.#connect(whole.last, next.first);
      whole = {
        empty: whole.empty * next.empty,
        first: add(whole.first, next.first, whole.empty),
        last: add(next.last, whole.last, next.empty),
      };
    }
    return whole;
  }

  #choice(parts: readonly PatternNode[]): Piece {
    let whole: Piece = { empty: 0, first: new Map(), last: new Map() };
    for (const part of parts) {
      const next = this.draw(part);
      whole = {
        empty: Math.min(2, whole.empty + next.empty),
        first: add(whole.first, next.first, 1),
        last: add(whole.last, next.last, 1),
      };
    }
    return whole;
  }

  #repeat({ body, min, max }: PatternNode & { kind: 'repeat' }): Piece {
    if (max === 0) return nothing();
    const isEndless = max > Math.max(1, this.#maxRounds);
    const needed = min > Math.max(1, this.#maxRounds) ? 1 : min;
    const draw = (): Piece => this.draw(body);
    const loop = (): Piece => {
      const piece = this.draw(body);
      this.#connect(piece.last, piece.first);
      return piece;
    };
    if (!isEndless) return this.#sequence([...times(draw, needed), () => this.#optionals(body, max - min)]);
    if (needed === 0) return optional(loop());
    return this.#sequence([...times(draw, needed - 1), loop]);
  }

  /** `(x(x(x)?)?)?`. */
  #optionals(body: PatternNode, count: number): Piece {
    if (count > MAX_STATES) throw new UnreadablePattern('it is too large');
    const { empty, first, last } = nothing();
    let ends: Ways = new Map();
    for (let index = 0; index < count; index += 1) {
      const piece = this.draw(body);
      for (const [state, ways] of index === 0 ? piece.first : []) first.set(state, ways);
      for (const [state, ways] of piece.last) last.set(state, ways);
      this.#connect(ends, piece.first);
      ends = piece.last;
    }
    return { empty, first, last };
  }

  /** What was read before may come again: the group once more, and also nothing. */
  #reference(index: number): Piece {
    const body = this.#groups.get(index);
    if (body === undefined || this.#isInReference) return nothing();
    this.#isInReference = true;
    const piece = optional(this.draw(body));
    this.#isInReference = false;
    return piece;
  }

  #connect(from: Ways, to: Ways): void {
    this.#edges += from.size * to.size;
    if (this.#edges > MAX_EDGES) throw new UnreadablePattern('it is too large');
    for (const [state, ways] of from) {
      const follow = this.follow[state];
      if (follow === undefined) continue;
      for (const [next, more] of to) follow.set(next, Math.min(2, (follow.get(next) ?? 0) + ways * more));
    }
  }
}

function nothing(): Piece {
  return { empty: 1, first: new Map(), last: new Map() };
}

/** An empty round of a repetition does not count, so there is one way to be nothing. */
function optional(piece: Piece): Piece {
  return { ...piece, empty: 1 };
}

function add(to: Ways, from: Ways, factor: number): Ways {
  if (factor === 0) return to;
  const sum = new Map(to);
  for (const [state, ways] of from) sum.set(state, Math.min(2, (sum.get(state) ?? 0) + ways * factor));
  return sum;
}

function times<TItem>(item: TItem, count: number): TItem[] {
  return Array.from({ length: count }, () => item);
}
