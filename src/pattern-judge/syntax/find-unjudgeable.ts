import type { PatternNode } from './parse-pattern.ts';

/** More rounds of counted parts within each other than any text needs; an engine goes through all of them, even if they read nothing. */
const MAX_ROUNDS = 1_000_000;

/** What stands around a part. */
interface Around {
  readonly isBehind: boolean;
  /** Whether a part around it is repeated, within the look-behind. */
  readonly isRepeated: boolean;
  readonly rounds: number;
}

/**
 * Why no length of texts can be known to be harmless for a pattern that is not proven to take linear time; undefined when it can. Slow texts
 * are looked for forwards, so that repetitions within each other that look back are not found out.
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
      if (rounds > MAX_ROUNDS)
        return `its nested quantifiers have more than ${MAX_ROUNDS} repetitions`;
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
