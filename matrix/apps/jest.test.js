import { defineTool, ToolRegistry } from 'toolwright';
import { connectTestClient } from 'toolwright/testing';
import * as z from 'zod';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  handler: ({ input }) => ({ sum: input.a + input.b }),
});

test('a tool is called in a test', async () => {
  const client = connectTestClient(new ToolRegistry().register(add));
  expect((await client.call(add, { a: 2, b: 3 })).structured).toEqual({ sum: 5 });
  expect((await client.callTool('add', { a: 'two' })).isError).toBe(true);
  await client.close();
});
