/** Tools and prompts are registered while clients are connected. Clients of every revision get `list_changed`. */
import { Client } from '@modelcontextprotocol/client';
import { connectInMemory, createServer } from 'toolwright';
import * as z from 'zod';

const server = createServer({ name: 'growing', version: '1.0.0', tools: [], prompts: [] });
for (const mode of ['auto', 'legacy']) {
  const heard = {};
  const told = ['tools', 'prompts'].map((kind) => new Promise((resolve) => (heard[kind] = resolve)));
  const client = new Client(
    { name: 'example', version: '1.0.0' },
    {
      versionNegotiation: { mode },
      listChanged: {
        tools: { onChanged: (_error, tools) => heard.tools(tools.map(({ name }) => name)) },
        prompts: { onChanged: (_error, prompts) => heard.prompts(prompts.map(({ name }) => name)) },
      },
    },
  );
  await client.connect(connectInMemory(server));
  server.registerTool(`tool_${mode}`, { description: 'New', inputSchema: z.object({}) }, () => 'new');
  server.registerPrompt({ name: `prompt_${mode}`, template: 'New' });
  console.log(client.getNegotiatedProtocolVersion(), ...(await Promise.all(told)));
  await client.close();
}
await server.close();
