import { McpServer } from '@modelcontextprotocol/server';
import { listTools } from '../../tools.mjs';
import { SERVER_INFO, STEPS } from '../constants.mjs';
import { specification } from './specification.mjs';

const { size, catalogue, reports } = specification;
const tools = listTools(size, catalogue);

/** A factory, as in the documentation: a new server for every request over HTTP, and for every other connection. */
export function createSdkServer() {
  const server = new McpServer(SERVER_INFO);
  for (const { name, description, schema, run } of tools) {
    server.registerTool(
      name,
      { description, inputSchema: schema },
      reports === true ? reporting(run) : async (input) => toResult(run(input)),
    );
  }
  return server;
}

function reporting(run) {
  return async (input, { mcpReq }) => {
    const { progressToken } = mcpReq._meta;
    for (let progress = 1; progress <= STEPS; progress += 1) {
      const params = { progressToken, progress, total: STEPS, message: `step ${progress}` };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return toResult(run(input));
  };
}

function toResult(text) {
  return { content: [{ type: 'text', text }] };
}
