import { LINE_END, WORD } from '../syntax/letters.ts';
import type { Letters } from '../syntax/letters.ts';
import type { PatternNode } from '../syntax/parse-pattern.ts';
import { writeProgram } from './program.ts';
import { Run } from './run.ts';

/** A string in letters, see `Letters`. */
export type Text = readonly number[];

/** Searches strings like the engine, with backtracking, and counts the steps. Stops above `allowed`. */
export interface Search {
  /** From every position, until a match is found. */
  everywhere(text: Text, allowed: number): number;
}

/** Prepares the search for a pattern. */
export function toSearch(pattern: PatternNode, letters: Letters, flags: string): Search {
  const program = writeProgram(pattern, letters);
  const isAnchored = !flags.includes('m') && startsAtEdge(pattern);
  const words = letters.of(WORD);
  const lineEnds = flags.includes('m') ? letters.of(LINE_END) : [];
  const prepare = (text: Text, allowed: number): Run =>
    new Run(program, { text: Uint16Array.from(text), allowed, words, lineEnds });
  return {
    everywhere: (text, allowed) => {
      const run = prepare(text, allowed);
      const last = isAnchored ? 0 : text.length;
      for (let start = 0; start <= last; start += 1) if (run.match(0, start) || run.isOver) break;
      return run.steps;
    },
  };
}

/** Whether a pattern can only match at the beginning of a string. */
export function startsAtEdge(node: PatternNode): boolean {
  switch (node.kind) {
    case 'edge':
      return node.source === '^';
    case 'sequence': {
      const at = node.parts.findIndex(({ kind }) => kind !== 'edge' && kind !== 'look');
      return node.parts.slice(0, at === -1 ? undefined : at + 1).some(startsAtEdge);
    }
    case 'choice':
      return node.parts.every(startsAtEdge);
    case 'group':
      return startsAtEdge(node.body);
    case 'repeat':
      return node.min > 0 && startsAtEdge(node.body);
    case 'character':
    case 'look':
    case 'reference':
      return false;
  }
}
