import { LINE_END, WORD } from './letters.ts';
import type { PatternNode, Repeat } from './parse-pattern.ts';

/** What is worth knowing of a pattern before it is looked at closely. */
export interface Outline {
  /** The sets of characters that it reads. */
  readonly sets: ReadonlySet<string>;
  /** In how many ways it can be gone through; infinite with an endless repetition of more than one character. */
  readonly ways: number;
  /** How many endless repetitions it goes through at the most. */
  readonly loops: number;
  /** How many characters it can read from one position; infinite with an endless repetition. */
  readonly reach: number;
  /** The largest number in its repetitions, 0 without any. */
  readonly largestCount: number;
  /** Whether some way through it begins at the beginning of a text or line. */
  readonly hasStart: boolean;
}

/** Reads off a pattern what can be read off. */
export function outline(pattern: PatternNode, flags: string): Outline {
  const reader = new Reader(flags);
  const size = reader.read(pattern);
  const { sets, largestCount, hasStart } = reader;
  return { ...size, sets, largestCount, hasStart };
}

type Size = Pick<Outline, 'ways' | 'loops' | 'reach'>;

class Reader {
  readonly sets = new Set<string>();
  largestCount = 0;
  hasStart = false;

  constructor(flags: string) {
    if (flags.includes('m')) this.sets.add(LINE_END);
  }

  read(node: PatternNode): Size {
    switch (node.kind) {
      case 'character':
        this.sets.add(node.source);
        return { ways: 1, loops: 0, reach: 1 };
      case 'sequence':
      case 'choice': {
        const parts = node.parts.map((part) => this.read(part));
        const isChoice = node.kind === 'choice';
        return {
          ways: parts.reduce((sum, { ways }) => (isChoice ? sum + ways : sum * ways), isChoice ? 0 : 1),
          loops: parts.reduce((sum, { loops }) => sum + loops, 0),
          reach: parts.reduce((sum, { reach }) => (isChoice ? Math.max(sum, reach) : sum + reach), 0),
        };
      }
      case 'group':
        return this.read(node.body);
      case 'look':
        return this.read(node.body);
      case 'edge':
        if (node.source === '^') this.hasStart = true;
        if (node.source.startsWith('\\')) this.sets.add(WORD);
        return NOTHING;
      case 'reference':
        return { ways: Number.POSITIVE_INFINITY, loops: 0, reach: Number.POSITIVE_INFINITY };
      case 'repeat':
        return this.#repeat(node);
    }
  }

  #repeat({ body, min, max }: Repeat): Size {
    const { ways, loops, reach } = this.read(body);
    const isEndless = max === Number.POSITIVE_INFINITY;
    this.largestCount = Math.max(this.largestCount, isEndless ? min : max);
    if (max === 0) return NOTHING;
    if (!isEndless) return { ways: waysOfRounds(ways, min, max), loops: loops * max, reach: reach * max };
    return {
      ways: body.kind === 'character' ? 1 : Number.POSITIVE_INFINITY,
      loops: loops + 1,
      reach: Number.POSITIVE_INFINITY,
    };
  }
}

const NOTHING: Size = { ways: 1, loops: 0, reach: 0 };

function waysOfRounds(ways: number, min: number, max: number): number {
  if (ways === 1) return max - min + 1;
  let sum = 0;
  for (let rounds = min; rounds <= max && Number.isFinite(sum); rounds += 1) sum += ways ** rounds;
  return sum;
}
