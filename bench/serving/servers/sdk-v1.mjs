import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { listTools } from '../../tools.mjs';
import { SERVER_INFO } from '../constants.mjs';
import { specification } from './specification.mjs';

const tools = listTools(specification.size, specification.catalogue);

export function createSdkServer() {
  const server = new McpServer(SERVER_INFO);
  for (const { name, description, schema, run } of tools) {
    server.registerTool(name, { description, inputSchema: schema }, async (input) => ({
      content: [{ type: 'text', text: run(input) }],
    }));
  }
  return server;
}
