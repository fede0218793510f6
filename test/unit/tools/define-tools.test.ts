import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineTools, defineToolsFor, ToolRegistry } from '../../../src/index.ts';

class Counter {
  #count = 0;
  readonly tools = defineTools({
    count_up: {
      description: 'Counts up',
      inputSchema: { by: z.int().default(1) },
      outputSchema: z.object({ count: z.int() }),
      handler: ({ input }) => ({ count: (this.#count += input.by) }),
    },
    reset: {
      description: 'Starts again',
      inputSchema: {},
      annotations: { destructiveHint: true },
      handler: () => {
        this.#count = 0;
        return 'Back to 0.';
      },
    },
  });
}

test('tools are named by their keys, in this order, and share the object they are made in', async () => {
  const [one, two] = [new Counter(), new Counter()].map(({ tools }) => new ToolRegistry().registerAll(tools));
  expect(one?.listTools()).toMatchObject([
    { name: 'count_up', description: 'Counts up' },
    { name: 'reset', annotations: { destructiveHint: true } },
  ]);
  const countUp = { name: 'count_up', arguments: { by: 4 } };
  await one?.executeTool(countUp);
  expect((await one?.executeTool(countUp))?.structuredContent).toEqual({ count: 8 });
  expect((await two?.executeTool({ name: 'count_up' }))?.structuredContent).toEqual({ count: 1 });
  expect((await one?.executeTool({ name: 'reset' }))?.content).toEqual([
    { type: 'text', text: 'Back to 0.' },
  ]);
});

test('their handlers get the context of the registry', async () => {
  const registry = new ToolRegistry<{ user: string }>({ createContext: () => ({ user: 'ada' }) });
  registry.registerAll(
    defineToolsFor<{ user: string }>()({
      whoami: { description: 'W', inputSchema: {}, handler: ({ context }) => context.user },
    }),
  );
  expect((await registry.executeTool({ name: 'whoami' })).content).toEqual([{ type: 'text', text: 'ada' }]);
});

test('the key wins over a name in the definition', () => {
  const entry = { name: 'other', description: 'D', inputSchema: {}, handler: () => 1 };
  expect(defineTools({ key: entry }).map(({ name }) => name)).toEqual(['key']);
});
