import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { McpServer } from 'tmcp';
import { listTools } from '../../tools.mjs';
import { SERVER_INFO, STEPS } from '../constants.mjs';
import { specification } from './specification.mjs';

const { size, catalogue, reports } = specification;

export const server = new McpServer(
  { ...SERVER_INFO, description: 'benchmark' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
for (const { name, description, schema, run } of listTools(size, catalogue)) {
  server.tool({ name, description, schema }, async (input) => {
    if (reports === true)
      for (let step = 1; step <= STEPS; step += 1) server.progress(step, STEPS, `step ${step}`);
    return { content: [{ type: 'text', text: run(input) }] };
  });
}
