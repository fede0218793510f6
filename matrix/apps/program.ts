import { createServer, createTool, defineTool } from 'toolwright';
import { connectTestClient } from 'toolwright/testing';
import * as z from 'zod';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  handler: ({ input }) => ({ sum: input.a + input.b }),
});

const server = createServer({
  name: 'calculator',
  version: '1.0.0',
  tools: [
    add,
    {
      name: 'double',
      description: 'Doubles a number',
      inputSchema: z.object({ n: z.number() }),
      handler: ({ input }) => {
        // @ts-expect-error: the input of an inline tool is inferred from its schema
        const text: string = input.n;
        return input.n + Number(text);
      },
    },
    createTool('orders')
      .description('Orders of the shop')
      .action({
        name: 'cancel',
        schema: z.object({ id: z.string() }),
        handler: ({ input }) => input.id.toUpperCase(),
      }),
  ],
});

async function main(): Promise<void> {
  const client = connectTestClient(server);
  const { structured } = await client.call(add, { a: 2, b: 3 });
  // @ts-expect-error: the result is inferred from the output schema
  const text: string = structured.sum;
  const sum: number = structured.sum;
  const doubled = await client.callTool('double', { n: 2 });
  const refused = await client.callTool('double', { n: 'two' });
  console.log(sum, typeof text, doubled.text, refused.isError);
  await client.close();
  await server.close();
}
export const done: Promise<void> = main();
