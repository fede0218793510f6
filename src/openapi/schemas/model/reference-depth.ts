import { isNode, subschemas } from '../../../schema/nodes/json-node.ts';

/** The references of a definition. */
export interface Referring {
  readonly name: string;
  readonly node: unknown;
}

/**
 * Maximum depth of chained references, including the levels within each schema: validators follow references recursively, and the most
 * common one must not overflow its stack.
 */
const MAX_LEVELS = 200;

/** A reference and its depth in its schema. */
interface Step {
  readonly name: string;
  readonly level: number;
}

interface Steps {
  readonly found: readonly Step[];
  readonly deepest: number;
}

const known = new WeakMap<object, Steps>();

/** Number of definitions, nearest first, that a validator can follow in any order. */
export function countWithinDepth(definitions: readonly Referring[]): number {
  const total = definitions.reduce((sum, { node }) => sum + stepsOf(node).deepest + 1, 0);
  if (total <= MAX_LEVELS || depthOf(definitions) <= MAX_LEVELS) return definitions.length;
  let [fits, fails] = [0, definitions.length];
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    if (depthOf(definitions.slice(0, middle)) <= MAX_LEVELS) fits = middle;
    else fails = middle;
  }
  return fits;
}

/** The deepest path if each definition is entered where it is first met. */
function depthOf(definitions: readonly Referring[]): number {
  const nodes = new Map(definitions.map(({ name, node }) => [name, node]));
  const forward = walk(nodes, (steps) => steps);
  return Math.max(
    forward,
    walk(nodes, (steps) => steps.toReversed()),
  );
}

function walk(
  nodes: ReadonlyMap<string, unknown>,
  order: (steps: readonly Step[]) => readonly Step[],
): number {
  const entered = new Set<string>();
  let deepest = 0;
  for (const start of nodes.keys()) {
    const path: { readonly steps: readonly Step[]; readonly level: number; at: number }[] = [];
    const enter = (name: string, level: number): void => {
      entered.add(name);
      const { found, deepest: own } = stepsOf(nodes.get(name));
      deepest = Math.max(deepest, level + own);
      path.push({ steps: order(found), level, at: 0 });
    };
    if (!entered.has(start)) enter(start, 0);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const step = top.steps[top.at];
      top.at += 1;
      if (step === undefined) path.pop();
      else if (nodes.has(step.name) && !entered.has(step.name)) enter(step.name, top.level + step.level + 1);
    }
  }
  return deepest;
}

const NOWHERE: Steps = { found: [], deepest: 0 };

function stepsOf(node: unknown): Steps {
  if (!isNode(node)) return NOWHERE;
  let steps = known.get(node);
  if (steps === undefined) {
    const found: Step[] = [];
    steps = { found, deepest: collect(node, 0, found) };
    known.set(node, steps);
  }
  return steps;
}

/** A converted schema is not deeper than the converter's limit. */
function collect(node: unknown, level: number, found: Step[]): number {
  if (!isNode(node)) return level;
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === 'string') found.push({ name: $ref.slice('#/$defs/'.length), level });
  let deepest = level;
  for (const { schema } of subschemas(node)) deepest = Math.max(deepest, collect(schema, level + 1, found));
  return deepest;
}
