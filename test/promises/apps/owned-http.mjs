/**
 * Two servers on one port, at `/one` and `/two`, with the same keys: calls that wait, tasks with elicitation, and states kept by clients,
 * all of which belong to their caller. The bearer token is the name of the user. `HTTP_OPTIONS` and `SERVER_OPTIONS` add to both.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, defineTool } from 'toolwright';
import { toNodeHandler } from 'toolwright/http';
import * as z from 'zod';

const { HTTP_OPTIONS = '{}', SERVER_OPTIONS = '{}' } = process.env;
const KEY = 'a secret of at least 32 characters, or so';
const nothing = z.object({});
const NAME = z.object({ name: z.string() });
const answerOf = ({ action, content }) => (action === 'accept' ? content.name : action);
const counts = { steps: 0, deleted: 0 };

const tools = [
  defineTool({ name: 'whoami', description: 'Who', inputSchema: nothing, handler: whoAmI }),
  defineTool({
    name: 'talk',
    description: 'Tells how far it is, and never ends.',
    inputSchema: nothing,
    timeoutMs: 600_000,
    handler: async ({ context }) => {
      await context.progress(1, 2, `for ${context.principal.id}`);
      return new Promise(() => {});
    },
  }),
  ...['ask', 'ask_too'].map((name) =>
    defineTool({
      name,
      description: 'Asks for a name.',
      inputSchema: z.object({ greeting: z.string().optional(), title: z.string().optional() }),
      handler: async ({ input, context }) => {
        const number = await context.step('count', () => (counts.steps += 1));
        const answer = await context.ask('name', { message: 'Who?', schema: NAME });
        return `${input.greeting ?? 'Hello'} ${answerOf(answer)} in step ${number}`;
      },
    }),
  ),
  defineTool({
    name: 'job',
    description: 'A task that asks for a name.',
    inputSchema: nothing,
    task: { support: 'required', pollIntervalMs: 10 },
    handler: async ({ context }) => answerOf(await context.ask('name', { message: 'Who?', schema: NAME })),
  }),
  defineTool({
    name: 'delete',
    description: 'Deletes a page, after a preview.',
    inputSchema: z.object({ page: z.string() }),
    annotations: { destructiveHint: true },
    confirm: 'preview',
    preview: ({ input }) => `would delete ${input.page}`,
    handler: ({ input }) => {
      counts.deleted += 1;
      return `deleted ${input.page}`;
    },
  }),
];

function whoAmI({ context }) {
  return context.principal.id;
}

function authenticate({ headers }) {
  return { id: /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '')?.[1] };
}

const handlers = new Map(
  ['one', 'two'].map((name) => {
    const server = createServer({
      name,
      version: '1.0.0',
      tools,
      rateLimit: false,
      requestStateKeys: [KEY],
      ...JSON.parse(SERVER_OPTIONS),
    });
    const sse = { streamPath: `/${name}/sse`, messagePath: `/${name}/messages` };
    const options = { authenticate, path: `/${name}`, sse, ...JSON.parse(HTTP_OPTIONS) };
    return [name, toNodeHandler(server, options)];
  }),
);
const http = createHttpServer((request, response) => {
  handlers.get(request.url.split(/[/?]/)[1])?.(request, response);
});
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }));
process.on('message', (message) => {
  if (message === 'counts') process.send({ counts });
});
