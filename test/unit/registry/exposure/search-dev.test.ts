import { describe, expect, it } from 'vitest';
import { createSearchIndex } from '../../../../src/registry/exposure/search-index.ts';
import { DEV_QUESTIONS, FRESH_QUESTIONS } from '../../../fixtures/catalog/dev-questions.ts';
import { toDocuments } from '../../../fixtures/catalog/to-builders.ts';

const index = createSearchIndex(toDocuments());

/** The questions whose action is not among the first five. */
function listMisses(questions: typeof DEV_QUESTIONS): string[] {
  return questions.flatMap(({ question, expects }) => {
    const found = index.search(question, { limit: 5, isVisible: () => true }).map(({ name }) => name);
    return found.some((name) => expects.includes(name))
      ? []
      : [`${question} -> ${expects.join(' or ')}, found ${found.join(', ')}`];
  });
}

describe('search over a catalog of 300 actions', () => {
  it('every expected action exists', () => {
    const names = new Set(toDocuments().map(({ name }) => name));
    const expected = [...DEV_QUESTIONS, ...FRESH_QUESTIONS].flatMap(({ expects }) => expects);
    expect(expected.filter((name) => !names.has(name))).toEqual([]);
    expect([DEV_QUESTIONS.length, FRESH_QUESTIONS.length]).toEqual([150, 60]);
  });

  it('finds the action of a development question among the first five', () => {
    const misses = listMisses(DEV_QUESTIONS);
    expect(misses.length, misses.join('\n')).toBeLessThanOrEqual(4);
  });

  // Far below the other floor: whoever wrote synonyms and questions knew the questions while writing the synonyms.
  it('finds the action of a question that no synonym was written for', () => {
    const misses = listMisses(FRESH_QUESTIONS);
    expect(misses.length, misses.join('\n')).toBeLessThanOrEqual(22);
  });
});
