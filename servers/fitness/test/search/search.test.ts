import { afterAll, expect, test } from 'vitest';
import { CATALOG } from '../../src/gate/catalog.ts';
import { callJson } from '../support/clients.ts';
import { startStack } from '../support/stack.ts';
import { QUESTIONS } from './questions.ts';

const stack = await startStack({ environment: { FITNESS_EXPOSURE: 'search' } });
afterAll(() => stack.close());

interface Found {
  readonly tools: readonly { readonly name: string }[];
}

test('the questions are sixty, and every tool that is not for administrators answers at least one', () => {
  expect(QUESTIONS).toHaveLength(60);
  const tools = [...CATALOG.values()].filter(({ category }) => category !== 'admin').map(({ name }) => name);
  expect(new Set(QUESTIONS.map(([, tool]) => tool))).toEqual(new Set(tools));
});

test('the right tool is among the first five for at least 55 of 60 questions', async () => {
  const client = await stack.connect({ caller: 'enterprise' });
  const missed: string[] = [];
  for (const [query, tool] of QUESTIONS) {
    const { tools } = await callJson<Found>(client, 'search_tools', { query, limit: 5 });
    const names = tools.map(({ name }) => name);
    if (!names.includes(tool)) missed.push(`${query} → ${tool}, not ${names.join(', ')}`);
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(5);
});
