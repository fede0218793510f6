import { describe, expect, it } from 'vitest';
import { ToolRegistry } from '../../../../src/index.ts';
import { DEV_QUESTIONS, FRESH_QUESTIONS } from '../../../fixtures/catalog/dev-questions.ts';
import { QUESTIONS } from '../../../fixtures/catalog/questions.ts';
import { toBuilders } from '../../../fixtures/catalog/to-builders.ts';

const registry = new ToolRegistry({ exposure: 'search', rateLimit: false }).registerAll(toBuilders());

/** The questions whose action is not among the first five. */
async function listMisses(questions: typeof QUESTIONS): Promise<string[]> {
  const misses: string[] = [];
  for (const { question, expects } of questions) {
    const call = { name: 'search_tools', arguments: { query: question } };
    const [first] = (await registry.executeTool(call)).content;
    const { tools } = JSON.parse(first?.type === 'text' ? first.text : '') as { tools: { name: string }[] };
    const found = tools.map(({ name }) => name);
    if (!found.some((name) => expects.includes(name)))
      misses.push(`${question} -> ${expects.join(' or ')}, found ${found.join(', ')}`);
  }
  return misses;
}

describe('search over a catalog of 300 actions', () => {
  it('every expected action exists', () => {
    const expected = [...QUESTIONS, ...DEV_QUESTIONS, ...FRESH_QUESTIONS].flatMap(({ expects }) => expects);
    expect(expected.filter((name) => !registry.has(name))).toEqual([]);
    expect([QUESTIONS.length, DEV_QUESTIONS.length, FRESH_QUESTIONS.length]).toEqual([60, 150, 60]);
  });

  it('finds the action of a question that was written before the index among the first five', async () => {
    const misses = await listMisses(QUESTIONS);
    expect(misses.length, misses.join('\n')).toBeLessThanOrEqual(9);
  });

  it('finds the action of a development question among the first five', async () => {
    const misses = await listMisses(DEV_QUESTIONS);
    expect(misses.length, misses.join('\n')).toBeLessThanOrEqual(4);
  });

  // Far below the other minimums: the author of the synonyms knew the other questions.
  it('finds the action of a question that no synonym was written for among the first five', async () => {
    const misses = await listMisses(FRESH_QUESTIONS);
    expect(misses.length, misses.join('\n')).toBeLessThanOrEqual(25);
  });
});
