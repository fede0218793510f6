import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { McpServer } from 'tmcp';
import { listTools } from '../tools.mjs';

const SESSION = { sessionInfo: { clientCapabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } } };

/** tmcp in its session era: the client is known from the handshake, not from every request. */
export const tmcp = {
  name: 'tmcp',
  create: async (size, catalogue) => {
    const server = new McpServer(
      { name: 'bench', version: '1.0.0', description: 'benchmark' },
      { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
    );
    for (const { name, description, schema, run } of listTools(size, catalogue)) {
      server.tool({ name, description, schema }, async (input) => ({
        content: [{ type: 'text', text: run(input) }],
      }));
    }
    const request = async (text) => JSON.stringify(await server.receive(JSON.parse(text), SESSION));
    return { call: request, list: request, close: async () => {} };
  },
};
