/** A server of the official SDK, version 2, with the tools. */
import { McpServer } from '@modelcontextprotocol/server';
import { TOOLS } from './tools.mjs';

export function createSdkServer() {
  const server = new McpServer({ name: 'weaknesses', version: '1.0.0' });
  for (const { name, schema, run } of TOOLS) {
    server.registerTool(name, { description: name, inputSchema: schema }, async (input, { mcpReq }) =>
      run(input, (progress, message) => {
        const params = { progressToken: mcpReq._meta.progressToken, progress, message };
        return mcpReq.notify({ method: 'notifications/progress', params });
      }),
    );
  }
  return server;
}
