/**
 * Two servers on one port, at `/one` and `/two`, with the same keys: calls that wait, tasks that ask and questions that clients carry, all
 * of which belong to whoever began them. The bearer token is the name of the user, or a JSON Web Token of one of the issuers in `ISSUERS`, whose
 * key sets are its values. `HTTP_OPTIONS` and `SERVER_OPTIONS` add to both servers. They share a store of tasks. Where the exposure is `grouped`, all tools are actions of
 * one.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, createTool, defineTool } from 'toolwright';
import { anyOf, jwt } from 'toolwright/auth';
import { toNodeHandler } from 'toolwright/http';
import { MemoryTaskStore } from 'toolwright/stores';
import * as z from 'zod';

const { HTTP_OPTIONS = '{}', SERVER_OPTIONS = '{}', ISSUERS } = process.env;
const serverOptions = JSON.parse(SERVER_OPTIONS);
const KEY = 'a secret of at least 32 characters, or so';
const nothing = z.object({});
const NAME = z.object({ name: z.string() });
const answerOf = ({ action, content }) => (action === 'accept' ? content.name : action);
const counts = { steps: 0, deleted: 0 };

const definitions = [
  { name: 'whoami', description: 'Who', inputSchema: nothing, handler: whoAmI },
  {
    name: 'talk',
    description: 'Tells how far it is, and never ends.',
    inputSchema: nothing,
    timeoutMs: 600_000,
    handler: async ({ context }) => {
      await context.progress(1, 2, `for ${context.principal.id}`);
      return new Promise(() => {});
    },
  },
  ...['ask', 'ask_too'].map((name) => ({
    name,
    description: 'Asks for a name.',
    inputSchema: z.object({ greeting: z.string().optional(), title: z.string().optional() }),
    handler: async ({ input, context }) => {
      const number = await context.step('count', () => (counts.steps += 1));
      const answer = await context.ask('name', { message: 'Who?', schema: NAME });
      return `${input.greeting ?? 'Hello'} ${answerOf(answer)} in step ${number}`;
    },
  })),
  {
    name: 'job',
    description: 'A task that asks for a name.',
    inputSchema: nothing,
    task: { support: 'required', pollIntervalMs: 10 },
    handler: async ({ context }) => answerOf(await context.ask('name', { message: 'Who?', schema: NAME })),
  },
  {
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
  },
];

function group() {
  let all = createTool('all').description('All tools');
  for (const { inputSchema, annotations, ...definition } of definitions)
    all = all.action({ ...definition, schema: inputSchema, destructive: annotations !== undefined });
  return [all];
}

function whoAmI({ context }) {
  return context.principal.id;
}

function authenticate({ headers }) {
  return { id: /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '')?.[1] };
}

/** The audience of both: they are told apart by their names and paths. */
const AUDIENCE = 'https://server.test/mcp';

function toVerifier(issuers) {
  const verifiers = Object.entries(issuers).map(([issuer, keys]) =>
    jwt({ issuer, audience: AUDIENCE, jwksUri: `${issuer}/jwks`, fetch: async () => Response.json(keys) }),
  );
  return anyOf(...verifiers);
}

const identity = ISSUERS === undefined ? { authenticate } : { auth: toVerifier(JSON.parse(ISSUERS)) };
const taskStore = new MemoryTaskStore();
const handlers = new Map(
  ['one', 'two'].map((name) => {
    const server = createServer({
      name,
      version: '1.0.0',
      tools: serverOptions.exposure === 'grouped' ? group() : definitions.map((each) => defineTool(each)),
      taskStore,
      rateLimit: false,
      requestStateKeys: [KEY],
      ...serverOptions,
    });
    const sse = { streamPath: `/${name}/sse`, messagePath: `/${name}/messages` };
    const options = { ...identity, path: `/${name}`, sse, ...JSON.parse(HTTP_OPTIONS) };
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
