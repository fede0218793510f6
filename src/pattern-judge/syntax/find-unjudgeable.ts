import type { PatternNode } from './parse-pattern.ts';

/** Maximum product of nested counted repetitions; an engine runs all of them, even if they read nothing. */
const MAX_ROUNDS = 1_000_000;

/** Context of a part. */
interface Around {
  readonly isBehind: boolean;
  /** Whether an enclosing part within the lookbehind is repeated. */
  readonly isRepeated: boolean;
  readonly rounds: number;
}

/**
 * The reason why no bound can be found for a pattern that is not proven linear; undefined if one can. Slow strings are searched forwards,
 * so nested repetitions in a lookbehind are not detected.
 */
export function findUnjudgeable(whole: PatternNode): string | undefined {
  return find(whole, { isBehind: false, isRepeated: false, rounds: 1 });
}

function find(node: PatternNode, around: Around): string | undefined {
  switch (node.kind) {
    case 'sequence':
    case 'choice':
      if (node.kind === 'choice' && around.isBehind && around.isRepeated) return BEHIND;
      return firstOf(node.parts.map((part) => find(part, around)));
    case 'repeat': {
      const isVariable = node.max > 1 && node.max > node.min;
      if (around.isBehind && around.isRepeated && isVariable) return BEHIND;
      const rounds = around.rounds * (Number.isFinite(node.max) ? Math.max(1, node.max) : 1);
      if (rounds > MAX_ROUNDS) return `its nested quantifiers have more than ${MAX_ROUNDS} repetitions`;
      return find(node.body, { ...around, isRepeated: around.isRepeated || node.max > 1, rounds });
    }
    case 'group':
      return find(node.body, around);
    case 'look':
      return find(node.body, node.isBehind ? { ...around, isBehind: true, isRepeated: false } : around);
    case 'character':
    case 'edge':
    case 'reference':
      return undefined;
    default:
      return node satisfies never;
  }
}

const BEHIND = 'it has nested repetitions in a lookbehind';

function firstOf(reasons: readonly (string | undefined)[]): string | undefined {
  return reasons.find((reason) => reason !== undefined);
}
