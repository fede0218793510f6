import type { Letters } from './letters.ts';
import type { PatternNode } from './parse-pattern.ts';

/** Makes one set of alternatives that read one character each, where no character fits two of them. So does the engine. */
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
