/** A server over HTTP with tools, prompts and resources of every kind. Reports on request the number of runs of the author's code. */
import { createServer, definePrompt, defineResource, defineResourceTemplate, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

let handled = 0;
const counted =
  (run) =>
  (...args) => {
    handled += 1;
    return run(...args);
  };
const OPEN = z.looseObject({});
const tool = (name, handler, more = {}) =>
  defineTool({ name, description: 'Under test.', inputSchema: OPEN, ...more, handler: counted(handler) });

const tools = [
  tool('open', ({ input }) => ({ got: input })),
  tool('raw', ({ input }) => JSON.stringify(input), {
    inputSchema: { type: 'object', additionalProperties: true },
  }),
  tool('typed', ({ input }) => input, {
    inputSchema: z.object({
      text: z.string().optional(),
      count: z.number().optional(),
      list: z
        .array(z.object({ kind: z.enum(['a', 'b']), value: z.union([z.string(), z.number()]) }))
        .optional(),
    }),
    outputSchema: OPEN,
  }),
  tool('stream', async ({ context }) => {
    await context.progress(1, 2, 'half');
    await context.sendLog('info', 'half');
    await context.progress(2, 2, 'all');
    return 'done';
  }),
  tool('ask', async ({ context }) => {
    const answer = await context.ask('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
    return answer.action;
  }),
  tool('task', () => 'done', { task: { support: 'optional' } }),
  tool('fail', () => {
    throw new Error('It fails.');
  }),
];
const prompts = [
  definePrompt({
    name: 'greet',
    arguments: [{ name: 'who' }],
    complete: { who: counted(() => ['ada', 'bob']) },
    handler: counted(({ input }) => `Greet ${input.who}.`),
  }),
];
const resources = [
  defineResource({ uri: 'docs://rules', name: 'rules', contentProvider: counted(() => 'Be kind.') }),
  defineResourceTemplate({
    uriTemplate: 'notes://{id}',
    name: 'note',
    complete: { id: counted(() => ['1', '2']) },
    contentProvider: counted(({ variables }) => `note ${variables.id}`),
  }),
];
const server = createServer({
  name: 'fuzzed',
  version: '1.0.0',
  tools,
  prompts,
  resources,
  rateLimit: false,
  // Its failures are not logged.
  logger: { debug() {}, info() {}, warning() {}, error() {} },
});
process.on('message', (message) => {
  if (message === 'handled') process.send({ handled });
});
process.send({ port: (await serveHttp(server, { port: 0, sse: true })).port });
