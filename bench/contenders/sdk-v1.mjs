import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { connect } from '../sdk-connection.mjs';
import { listTools } from '../tools.mjs';

/** The official SDK, version 1, as its documentation shows it. */
export const sdkV1 = {
  name: 'SDK v1 McpServer',
  create: (size, catalogue) => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' });
    for (const { name, description, schema, run } of listTools(size, catalogue)) {
      server.registerTool(name, { description, inputSchema: schema }, async (input) => ({
        content: [{ type: 'text', text: run(input) }],
      }));
    }
    return connect(server);
  },
};
