/**
 * Three servers on one port, at `/one`, `/two` and `/three`, with the same keys and the same stores: calls that wait, tasks that ask and questions that clients
 * carry, all of which belong to whoever began them. One registry is behind the first two; the third serves the tools of the first. The name of the second
 * begins with that of the first. The bearer token is the name of the user, `name~tenant`, `-` for an anonymous caller, or a JSON Web Token of one of the issuers in
 * `ISSUERS`, whose key sets are its values; with `JWKS`, it is a token or an API key for `real-auth.mjs`. `HTTP_OPTIONS` and `SERVER_OPTIONS` add to all servers. Where the exposure is `grouped`, all tools are actions of one.
 * The message `update` updates a resource at a server.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, createTool, ResourcesManager, ToolRegistry } from 'toolwright';
import { anyOf, jwt } from 'toolwright/auth';
import { anonymous, toNodeHandler } from 'toolwright/http';
import { resultCache } from 'toolwright/middleware';
import { fromOpenAPI } from 'toolwright/openapi';
import {
  MemoryCacheStore,
  MemoryConfirmationStore,
  MemoryEventBus,
  MemoryEventStore,
  MemoryStateStore,
  MemoryTaskStore,
} from 'toolwright/stores';
import * as z from 'zod';
import { realAuth } from './real-auth.mjs';

const { HTTP_OPTIONS = '{}', SERVER_OPTIONS = '{}', ISSUERS, JWKS } = process.env;
const serverOptions = JSON.parse(SERVER_OPTIONS);
const KEY = 'a secret of at least 32 characters, or so';
const nothing = z.object({});
const NAME = z.object({ name: z.string() });
const answerOf = ({ action, content }) => (action === 'accept' ? content.name : action);
const counts = { steps: 0, deleted: 0, cached: 0 };

const definitions = [
  { name: 'whoami', description: 'Who', inputSchema: nothing, handler: whoAmI },
  {
    name: 'talk',
    description: 'Tells how far it is, and never ends.',
    inputSchema: nothing,
    timeoutMs: 600_000,
    handler: async ({ context }) => {
      await context.progress(1, 2, `for ${nameOf(context)}`);
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
    security: { namespace: 'shared' },
    confirm: 'preview',
    preview: ({ input }) => `would delete ${input.page}`,
    handler: ({ input }) => {
      counts.deleted += 1;
      return `deleted ${input.page}`;
    },
  },
  {
    name: 'keep',
    description: 'Stores a value.',
    inputSchema: nothing,
    handler: ({ context }) => context.createHandle(`kept for ${nameOf(context)}`),
  },
  {
    name: 'kept',
    description: 'Reads a stored value.',
    inputSchema: z.object({ handle: z.string() }),
    handler: async ({ input, context }) => (await context.readHandle(input.handle)) ?? 'nothing',
  },
  {
    name: 'mine',
    description: 'Reads something that is cached.',
    inputSchema: nothing,
    annotations: { readOnlyHint: true },
    security: { namespace: 'shared' },
    middleware: [resultCache({ store: new MemoryCacheStore() })],
    handler: ({ context }) => `${nameOf(context)} ${(counts.cached += 1)}`,
  },
];

/** An API with one operation, whose response is returned in parts. */
const api = createHttpServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(Array.from({ length: 100 }, (_, index) => index)));
});
await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));
const operation = { operationId: 'long', summary: 'Long', responses: { 200: { description: 'ok' } } };
const imported = await fromOpenAPI(
  { openapi: '3.1.0', info: { title: 'Long', version: '1' }, paths: { '/long': { get: operation } } },
  {
    baseUrl: `http://127.0.0.1:${api.address().port}`,
    outbound: { allowPrivate: ['127.0.0.1'] },
    maxResponseChars: 60,
    outputSchemas: false,
  },
);
definitions.push(...imported.tools);

function group() {
  let all = createTool('all').description('All tools');
  for (const { inputSchema, annotations, ...definition } of definitions) {
    const { destructiveHint: destructive = false, readOnlyHint: readOnly = false } = annotations ?? {};
    all = all.action({ ...definition, schema: inputSchema, destructive, readOnly });
  }
  return [all];
}

function nameOf({ principal }) {
  return principal?.id ?? '(anonymous)';
}

function whoAmI({ context }) {
  return nameOf(context);
}

function authenticate({ headers }) {
  const token = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '')?.[1];
  if (token === '-') return anonymous();
  const [id, tenant] = token?.split('~') ?? [];
  return { id, tenant };
}

/** The audience of both: they are told apart by their names and paths. */
const AUDIENCE = 'https://server.test/mcp';

function toVerifier(issuers) {
  const verifiers = Object.entries(issuers).map(([issuer, keys]) =>
    jwt({ issuer, audience: AUDIENCE, jwksUri: `${issuer}/jwks`, fetch: async () => Response.json(keys) }),
  );
  return anyOf(...verifiers);
}

function toIdentity() {
  if (JWKS !== undefined) return { auth: realAuth() };
  return ISSUERS === undefined ? { authenticate } : { auth: toVerifier(JSON.parse(ISSUERS)) };
}

const identity = toIdentity();
/** Behind two servers, with a name and a store of its own. */
const registry = new ToolRegistry({
  name: 'shared',
  confirmationStore: new MemoryConfirmationStore(),
}).registerAll(serverOptions.exposure === 'grouped' ? group() : definitions);
const shared = {
  taskStore: new MemoryTaskStore(),
  eventBus: new MemoryEventBus(),
  stateStore: new MemoryStateStore(),
};
const sessions = { eventStore: new MemoryEventStore() };
const resources = new Map();
const handlers = new Map();
let tools = registry;
for (const [path, name] of [
  ['one', 'one'],
  ['two', 'one:principal:x'],
  ['three', 'three'],
]) {
  const own = ['note://1', 'note://2'].map((uri) => ({ uri, name: uri, contentProvider: () => uri }));
  resources.set(path, new ResourcesManager({ resources: own }));
  const server = createServer({
    name,
    version: '1.0.0',
    tools: path === 'three' ? tools : registry,
    resources: resources.get(path),
    ...shared,
    rateLimit: false,
    requestStateKeys: [KEY],
    ...serverOptions,
  });
  if (path === 'one') tools = server.tools;
  const sse = { streamPath: `/${path}/sse`, messagePath: `/${path}/messages` };
  const options = { ...identity, path: `/${path}`, sse, sessions, ...JSON.parse(HTTP_OPTIONS) };
  handlers.set(path, toNodeHandler(server, options));
}
const http = createHttpServer((request, response) => {
  handlers.get(request.url.split(/[/?]/)[1])?.(request, response);
});
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }));
process.on('message', (message) => {
  if (message === 'counts') process.send({ counts });
  if (message.update !== undefined) resources.get(message.server).notifyUpdated(message.update);
});
