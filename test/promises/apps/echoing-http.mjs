/** Tools and a prompt that accept only some keys, in all forms that a schema can have. Over HTTP. */
import { createServer, definePrompt, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

const handler = () => 'taken';
const tool = (name, inputSchema, more = {}) =>
  defineTool({ name, description: 'Takes some keys.', inputSchema, handler, ...more });
const jsonSchema = {
  type: 'object',
  additionalProperties: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
};
const tools = [
  tool('json_schema', jsonSchema),
  tool('record', z.record(z.string(), z.array(z.string()))),
  tool('strict', z.strictObject({ a: z.string() })),
  tool('rejecting', z.object({ a: z.string().optional() }), { unknownArguments: 'reject' }),
  tool('both', z.record(z.string(), z.array(z.string())), { metadata: { inputJsonSchema: jsonSchema } }),
];
const greet = definePrompt({ name: 'greet', arguments: [{ name: 'who' }], template: 'Greet {{who}}.' });
const server = createServer({ name: 'echoing', version: '1.0.0', tools, prompts: [greet], rateLimit: false });
process.on('message', (message) => {
  if (message !== 'spent') return;
  const { user, system } = process.cpuUsage();
  process.send({ spentMs: (user + system) / 1000 });
});
process.send({ port: (await serveHttp(server, { port: 0 })).port });
