import { UnreadablePattern } from '../syntax/parse-pattern.ts';
import type { PatternNode } from '../syntax/parse-pattern.ts';

/** Position automaton of a pattern: every place where a character is read is one state. */
export interface Automaton {
  /** The character set of each state. */
  readonly sets: readonly string[];
  /** The states that may be read first. */
  readonly first: ReadonlyMap<number, number>;
  /** The successors of each state, and their number of paths: 1, or 2 for more than one. */
  readonly follow: readonly ReadonlyMap<number, number>[];
}

/** Maximum number of states. */
const MAX_STATES = 2500;
const MAX_EDGES = 50_000;

/**
 * Converts a pattern to an automaton. Repetitions are expanded up to `maxRounds`; larger ones are treated as unbounded. Assertions,
 * lookarounds and references are over-approximated: suspects are tried later.
 */
export function toAutomaton(pattern: PatternNode, maxRounds: number): Automaton {
  const drawing = new Drawing(maxRounds);
  const { first } = drawing.draw(pattern);
  return { sets: drawing.sets, first, follow: drawing.follow };
}

type Ways = Map<number, number>;

/** Properties of a part for the parts around it. */
interface Piece {
  /** Number of ways it can match the empty string: 0, 1, or 2 for more. */
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
        // A dead end beside the continuation.
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

  /** Expands to `(x(x(x)?)?)?`. */
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

  /** A backreference may repeat the group, or be empty. */
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

/** An empty round of a repetition does not count, so there is one way to match the empty string. */
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
