import { Server } from '@modelcontextprotocol/server';
import { connect } from '../sdk-connection.mjs';
import { listTools, toListed } from '../tools.mjs';

/** The low-level server of version 2 with the baseline's lookup, validation and prepared list: the minimum cost of that SDK. */
export const sdkV2Server = {
  name: 'SDK v2 Server',
  create: (size, catalogue) => {
    const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } });
    const tools = new Map(listTools(size, catalogue).map((tool) => [tool.name, tool]));
    const listed = toListed(size, catalogue);
    server.setRequestHandler('tools/list', async () => ({ tools: listed }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const { schema, run } = tools.get(params.name);
      return { content: [{ type: 'text', text: run(schema.parse(params.arguments)) }] };
    });
    return connect(server);
  },
};
