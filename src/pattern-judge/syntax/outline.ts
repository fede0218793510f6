import { LINE_END, WORD } from './letters.ts';
import type { PatternNode, Repeat } from './parse-pattern.ts';

/** Properties of a pattern that are derived from its syntax. */
export interface Outline {
  /** The character sets that it reads. */
  readonly sets: ReadonlySet<string>;
  /** Number of paths; infinite with an unbounded repetition of more than one character. */
  readonly ways: number;
  /** Maximum number of unbounded repetitions on a path. */
  readonly loops: number;
  /** Maximum number of characters read from one position; infinite with an unbounded repetition. */
  readonly reach: number;
  /** Same, with unbounded repetitions as one character. */
  readonly span: number;
  /** The largest count of its repetitions; 0 without any. */
  readonly largestCount: number;
  /** Whether some path begins at the beginning of a string or line. */
  readonly hasStart: boolean;
}

/** Derives the outline of a pattern. */
export function outline(pattern: PatternNode, flags: string): Outline {
  const reader = new Reader(flags);
  const size = reader.read(pattern);
  const { sets, largestCount, hasStart } = reader;
  return { ...size, sets, largestCount, hasStart };
}

type Size = Pick<Outline, 'ways' | 'loops' | 'reach' | 'span'>;

class Reader {
  readonly sets = new Set<string>();
  largestCount = 0;
  hasStart = false;
  /** The reach of each group. */
  readonly #groups = new Map<number, number>();

  constructor(flags: string) {
    if (flags.includes('m')) this.sets.add(LINE_END);
  }

  read(node: PatternNode): Size {
    switch (node.kind) {
      case 'character':
        this.sets.add(node.source);
        return { ways: 1, loops: 0, reach: 1, span: 1 };
      case 'sequence':
      case 'choice': {
        const parts = node.parts.map((part) => this.read(part));
        const isChoice = node.kind === 'choice';
        return {
          ways: parts.reduce((sum, { ways }) => (isChoice ? sum + ways : sum * ways), isChoice ? 0 : 1),
          loops: parts.reduce((sum, { loops }) => sum + loops, 0),
          reach: parts.reduce((sum, { reach }) => (isChoice ? Math.max(sum, reach) : sum + reach), 0),
          span: parts.reduce((sum, { span }) => (isChoice ? Math.max(sum, span) : sum + span), 0),
        };
      }
      case 'group': {
        const size = this.read(node.body);
        this.#groups.set(node.index, size.reach);
        return size;
      }
      case 'look':
        return this.read(node.body);
      case 'edge':
        if (node.source === '^') this.hasStart = true;
        if (node.source.startsWith('\\')) this.sets.add(WORD);
        return NOTHING;
      case 'reference':
        return this.#reference(node.index);
      case 'repeat':
        return this.#repeat(node);
    }
  }

  /** A later group may have matched in an earlier round. */
  #reference(index: number): Size {
    const reach = this.#groups.get(index) ?? Number.POSITIVE_INFINITY;
    return { ways: Number.isFinite(reach) ? 1 : reach, loops: 0, reach, span: reach };
  }

  #repeat({ body, min, max }: Repeat): Size {
    const { ways, loops, reach, span } = this.read(body);
    const isEndless = max === Number.POSITIVE_INFINITY;
    this.largestCount = Math.max(this.largestCount, isEndless ? min : max);
    if (max === 0) return NOTHING;
    if (!isEndless)
      return { ways: waysOfRounds(ways, min, max), loops: loops * max, reach: reach * max, span: span * max };
    return {
      ways: body.kind === 'character' ? 1 : Number.POSITIVE_INFINITY,
      loops: loops + 1,
      reach: Number.POSITIVE_INFINITY,
      span: span * (min + 1),
    };
  }
}

const NOTHING: Size = { ways: 1, loops: 0, reach: 0, span: 0 };

function waysOfRounds(ways: number, min: number, max: number): number {
  if (ways === 1) return max - min + 1;
  let sum = 0;
  for (let rounds = min; rounds <= max && Number.isFinite(sum); rounds += 1) sum += ways ** rounds;
  return sum;
}
