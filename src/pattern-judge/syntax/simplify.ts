import type { Letters } from './letters.ts';
import type { PatternNode } from './parse-pattern.ts';

/** Merges disjoint alternatives of one character each into one set, as the engine does. */
export function simplify(node: PatternNode, letters: Letters): PatternNode {
  switch (node.kind) {
    case 'choice': {
      const parts = node.parts.map((part) => simplify(part, letters));
      const sets = parts.flatMap((part) => (part.kind === 'character' ? [part.source] : []));
      const source = sets.length === parts.length ? letters.unite(sets) : undefined;
      return source === undefined ? { kind: 'choice', parts } : { kind: 'character', source };
    }
    case 'sequence':
      return { kind: 'sequence', parts: node.parts.map((part) => simplify(part, letters)) };
    case 'repeat':
    case 'group':
    case 'look':
      return { ...node, body: simplify(node.body, letters) };
    case 'character':
    case 'edge':
    case 'reference':
      return node;
  }
}
