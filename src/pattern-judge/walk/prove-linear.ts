import type { LinearCost } from '../run/steps.ts';
import type { Front, Walk } from './walk.ts';

/** Maximum number of fronts. */
const MAX_FRONTS = 3000;
const MAX_STEPS = 3000;
/** A thread that is tried this often at one position is usually tried without bound. */
const MAX_REPEATED = 30;

/**
 * Proves that a search is linear in the length of the string, for every string: the number of alternatives left at a position is bounded.
 * Undefined if it cannot be proven.
 */
export function proveLinear(walk: Walk, letters: number): LinearCost | undefined {
  const fronts: Front[] = [walk.start];
  const nodes: Node[] = [];
  for (const front of fronts) {
    const node: Node = { steps: 0, next: new Set(), before: 0 };
    nodes.push(node);
    for (let letter = 0; letter <= letters; letter += 1) {
      const { front: next, steps } = walk.follow(front, letter);
      node.steps = Math.max(node.steps, steps);
      if (letter === letters) continue;
      node.next.add(next.id);
      if (next.id < fronts.length) continue;
      if (isRepeated(next)) return undefined;
      fronts.push(next);
    }
    if (node.steps > MAX_STEPS || fronts.length > MAX_FRONTS) return undefined;
  }
  return costOf(nodes);
}

function isRepeated({ threads }: Front): boolean {
  if (threads.length <= MAX_REPEATED) return false;
  const counts = new Map<number, number>();
  for (const thread of threads) counts.set(thread, (counts.get(thread) ?? 0) + 1);
  return Math.max(...counts.values()) > MAX_REPEATED;
}

interface Node {
  steps: number;
  readonly next: Set<number>;
  before: number;
}

/** Fronts outside loops are visited once. */
function costOf(nodes: readonly Node[]): LinearCost {
  for (const { next } of nodes) {
    for (const id of next) {
      const node = nodes[id];
      if (node !== undefined) node.before += 1;
    }
  }
  const isOnce = new Set<Node>(nodes.filter(({ before }) => before === 0));
  for (const { next } of isOnce) {
    for (const id of next) {
      const node = nodes[id];
      if (node === undefined) continue;
      node.before -= 1;
      if (node.before === 0) isOnce.add(node);
    }
  }
  let fixed = 0;
  let each = 0;
  let most = 0;
  for (const node of nodes) {
    most = Math.max(most, node.steps);
    if (isOnce.has(node)) fixed += node.steps;
    else each = Math.max(each, node.steps);
  }
  return { fixed: fixed + each, each, most };
}
