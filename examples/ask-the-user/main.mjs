/** Elicitation: a tool asks the user before it acts. The same code serves clients of every revision. */
import { Client } from '@modelcontextprotocol/client';
import { connectInMemory, createServer, defineTool } from 'toolwright';
import * as z from 'zod';

const book = defineTool({
  name: 'book',
  description: 'Books a table',
  inputSchema: z.object({ guests: z.int().min(1) }),
  handler: async ({ input, context }) => {
    const answer = await context.ask('hour', { message: 'When?', schema: z.object({ hour: z.int() }) });
    return answer.action === 'accept'
      ? `A table for ${input.guests} at ${answer.content.hour}.`
      : 'Nothing was booked.';
  },
});

const server = createServer({ name: 'inn', version: '1.0.0', tools: [book] });
for (const mode of ['auto', 'legacy']) {
  const client = new Client(
    { name: 'example', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    console.log('asked:', params.message);
    return { action: 'accept', content: { hour: 19 } };
  });
  await client.connect(connectInMemory(server));
  console.log((await client.callTool({ name: 'book', arguments: { guests: 2 } })).content[0].text);
  await client.close();
}
await server.close();
