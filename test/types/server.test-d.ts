import type { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import type { Server as ServerV2 } from '@modelcontextprotocol/server';
import { describe, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import {
  connectInMemory,
  createServer,
  defineMiddleware,
  definePrompt,
  defineTool,
  defineToolFor,
  jsonSchema,
  KeyRing,
  PromptsManager,
  ResourcesManager,
  ToolRegistry,
} from '../../src/index.ts';
import type {
  Answer,
  ModelAnswer,
  Root,
  ServerOptions,
  ToolContext,
  ToolwrightServer,
  UrlAnswer,
} from '../../src/index.ts';
import { serveStdio } from '../../src/stdio.ts';
import { serveHttp, toNodeHandler } from '../../src/http.ts';
import type { RunningHttp } from '../../src/http.ts';
import { toFetchHandler } from '../../src/fetch.ts';
import type { CallRecord } from '../../src/collaborators.ts';
import type { McpServerLike, SdkHandler } from '../../src/strategies.ts';

const nothing = z.object({});

test('the response of a user has the type of the elicitation', () => {
  defineTool({
    name: 'ask',
    description: 'Asks',
    inputSchema: nothing,
    handler: async ({ context }) => {
      const form = await context.ask('a', { message: '?', schema: z.object({ n: z.number().default(1) }) });
      expectTypeOf(form).toEqualTypeOf<Answer<{ n: number }>>();
      if (form.action === 'accept') expectTypeOf(form.content.n).toEqualTypeOf<number>();
      // @ts-expect-error -- who declined has filled in nothing
      void form.content;
      const raw = await context.ask('b', {
        message: '?',
        schema: jsonSchema<{ x: string }>({ type: 'object' }),
      });
      expectTypeOf(raw).toEqualTypeOf<Answer<{ x: string }>>();
      expectTypeOf(
        await context.askUrl('c', { message: '?', url: 'https://x.example' }),
      ).toEqualTypeOf<UrlAnswer>();
      expectTypeOf(await context.askModel('d', { messages: [], maxTokens: 1 })).toEqualTypeOf<ModelAnswer>();
      expectTypeOf(await context.askRoots('e')).toEqualTypeOf<readonly Root[]>();
      expectTypeOf(await context.step('f', () => 7)).toEqualTypeOf<number>();
      expectTypeOf(await context.step('g', async () => 'x')).toEqualTypeOf<string>();
      expectTypeOf(await context.step('d', () => ({ at: new Date(), tags: ['a'] }))).toEqualTypeOf<{
        at: string;
        tags: string[];
      }>();
      // @ts-expect-error -- every question needs a name
      void context.ask({ message: '?', schema: nothing });
      // @ts-expect-error -- the model must be told how much it may say
      void context.askModel('h', { messages: [] });
      return 'ok';
    },
  });
});

test('a server has the context that its createContext makes', () => {
  const registry = new ToolRegistry({ createContext: () => ({ user: 'ada' }) });
  // A tool that is registered with the server does not get the context of the mounted registry.
  expectTypeOf(createServer({ name: 's', version: '1', tools: registry })).toEqualTypeOf<ToolwrightServer>();
  createServer({
    name: 's',
    version: '1',
    createContext: () => ({ user: 'ada' }),
    tools: [
      {
        name: 't',
        description: 'T',
        inputSchema: nothing,
        handler: ({ context }) => context.user,
      },
    ],
    prompts: [definePrompt({ name: 'p', handler: () => 'hello' })],
    resources: [{ uri: 'test://a', name: 'a', text: 'x' }],
  });
  // @ts-expect-error -- a server has a version
  createServer({ name: 's' });
  // @ts-expect-error -- no such limit
  createServer({ name: 's', version: '1', limits: { maxBytes: 1 } });
  // @ts-expect-error -- a task is optional or required
  defineTool({ name: 't', description: 'T', task: 'maybe', inputSchema: nothing, handler: () => 1 });
});

test('parts that need nothing of the context go together with those that do', () => {
  const tools = new ToolRegistry<{ db: string }>();
  const createContext = (): { db: string } => ({ db: 'x' });
  const server = createServer({
    name: 's',
    version: '1',
    tools,
    prompts: new PromptsManager(),
    createContext,
  });
  expectTypeOf(server).toEqualTypeOf<ToolwrightServer<{ db: string }>>();
  createServer({
    name: 's',
    version: '1',
    tools: new ToolRegistry(),
    prompts: new PromptsManager<{ db: string }>(),
    createContext: () => ({ db: 'x' }),
  });
});

describe('a registry that needs a context', () => {
  const base = { name: 's', version: '1' };
  const needsDb = defineToolFor<{ db: string }>()({
    name: 't',
    description: 'T',
    inputSchema: nothing,
    handler: ({ context }) => context.db,
  });
  const tools = new ToolRegistry<{ db: string }>().register(needsDb);
  const withUser = defineMiddleware(({ next }) => next({ user: 'ada' }));

  test('gets it from the createContext of the server', () => {
    createServer({ ...base, tools, createContext: () => ({ db: 'x', more: 1 }) });
    createServer({
      ...base,
      tools: tools.surface({ exposure: 'flat' }),
      createContext: async () => ({ db: 'x' }),
    });
    // @ts-expect-error the server gives no db
    createServer({ ...base, tools });
    // @ts-expect-error nor does it to a surface
    createServer({ ...base, tools: tools.surface() });
    // @ts-expect-error another db
    createServer({ ...base, tools, createContext: () => ({ db: 1 }) });
    // @ts-expect-error another context
    createServer({ ...base, tools, createContext: () => ({ user: 'ada' }) });
    const options: ServerOptions<{ db: string }> = { ...base, tools, createContext: () => ({ db: 'x' }) };
    createServer(options);
    // @ts-expect-error these options give no db
    const without: ServerOptions = { ...base, tools };
    void without;
  });

  test('takes secrets, or a ring of them', () => {
    const ring = new KeyRing(['s'.repeat(32)]);
    createServer({ ...base, requestStateKeys: ring });
    createServer({ ...base, requestStateKeys: ['s'.repeat(32)] });
    expectTypeOf(ring.replace).parameters.toEqualTypeOf<[secrets: readonly string[]]>();
    // @ts-expect-error one secret
    createServer({ ...base, requestStateKeys: 's'.repeat(32) });
  });

  test('cannot be served without a server that gives it', () => {
    // @ts-expect-error nothing gives a db
    void serveHttp(tools);
    // @ts-expect-error nothing gives a db
    serveStdio(tools);
    // @ts-expect-error nothing gives a db
    toFetchHandler(tools);
    // @ts-expect-error nothing gives a db
    toNodeHandler(tools.surface());
    // @ts-expect-error nothing gives a db
    connectInMemory(tools);
  });

  test('gets it from its own createContext, if it has one', () => {
    const own = new ToolRegistry<{ db: string }>({ createContext: () => ({ db: 'x' }) }).register(needsDb);
    expectTypeOf(own).toEqualTypeOf<ToolRegistry<{ db: string }, object>>();
    const inferred = new ToolRegistry({
      name: 'r',
      createContext: ({ principal }) => ({ db: `${principal?.id}` }),
    });
    expectTypeOf(inferred).toEqualTypeOf<ToolRegistry<{ db: string }, object>>();
    const used = inferred.register(needsDb).use(withUser);
    createServer({ ...base, tools: own });
    createServer({ ...base, tools: used, createContext: () => ({ more: 1 }) });
    void (() => [serveStdio(own), serveHttp(used.surface()), toFetchHandler(used)]);
    void (() => serveStdio(ToolRegistry.fromGroup(own.toGroup(), { createContext: () => ({ db: 'x' }) })));
    // @ts-expect-error nothing gives a db
    void (() => serveStdio(ToolRegistry.fromGroup<{ db: string }>(own.toGroup())));
  });

  test('gets it where it is attached to a server of the SDK', () => {
    void (() => tools.attachToServer({}, { context: { db: 'x' }, exposure: 'flat' }));
    void (() => tools.surface().attachToServer({}, { context: { db: 'x' } }));
    void (() => new ToolRegistry({ createContext: () => ({ db: 'x' }) }).attachToServer({}));
    // @ts-expect-error nothing gives a db
    void (() => tools.attachToServer({}));
    // @ts-expect-error nothing gives a db
    void (() => tools.surface().attachToServer({}));
    // @ts-expect-error another context
    void (() => tools.attachToServer({}, { context: { user: 'ada' } }));
  });

  test('does not need what its own middleware adds', () => {
    const used = tools.use(withUser).register({
      name: 'u',
      description: 'U',
      inputSchema: nothing,
      handler: ({ context }) => `${context.user} ${context.db}`,
    });
    createServer({ ...base, tools: used, createContext: () => ({ db: 'x' }) });
    void (() => used.routeCall({ db: 'x' }, 'u'));
    // @ts-expect-error nothing gives a db
    createServer({ ...base, tools: used });
    void (() => serveStdio(new ToolRegistry().use(withUser)));
  });

  test('may be one of which nothing but optional members are read', () => {
    const optional = new ToolRegistry<{ user?: string }>();
    createServer({ ...base, tools: optional });
    void (() => serveStdio(optional));
  });

  test('is mounted where the same context is needed', () => {
    new ToolRegistry<{ db: string; user: string }>().mount('a', tools);
    new ToolRegistry().mount('a', new ToolRegistry({ createContext: () => ({ db: 'x' }) }));
    // @ts-expect-error the server of this registry need not give a db
    new ToolRegistry().mount('a', tools);
    createServer({ ...base, createContext: () => ({ db: 'x' }) }).tools?.mount('a', tools);
    // @ts-expect-error this server gives no db
    createServer(base).tools?.mount('a', tools);
  });

  test('is like a manager of prompts or resources', () => {
    const prompts = new PromptsManager<{ db: string }>();
    const resources = new ResourcesManager<{ db: string }>();
    createServer({ ...base, prompts, resources, createContext: () => ({ db: 'x' }) });
    // @ts-expect-error the server gives no db
    createServer({ ...base, prompts });
    // @ts-expect-error the server gives no db
    createServer({ ...base, resources });
    createServer({
      ...base,
      prompts: new PromptsManager({ createContext: () => ({ db: 'x' }) }).use(withUser),
      resources: new ResourcesManager({ createContext: () => ({ db: 'x' }) }).use(withUser),
    });
    createServer({ ...base, prompts: prompts.use(withUser), createContext: () => ({ db: 'x' }) });
  });

  test('has handlers that are typed where it is written inline', () => {
    createServer({
      ...base,
      // @ts-expect-error the context has no such member
      prompts: new PromptsManager({ prompts: [{ name: 'p', handler: ({ context }) => context.nothing }] }),
    });
  });

  test('names what a class that extends it needs', () => {
    class Tools extends ToolRegistry<{ db: string }, { db: string }> {}
    createServer({ ...base, tools: new Tools(), createContext: () => ({ db: 'x' }) });
    // @ts-expect-error the server gives no db
    createServer({ ...base, tools: new Tools() });
    class Plain extends ToolRegistry {}
    createServer({ ...base, tools: new Plain() });
  });
});

test('onCallEnd gets a record, and may be asynchronous', () => {
  createServer({
    name: 's',
    version: '1',
    onCallEnd: async (record) => {
      expectTypeOf(record).toEqualTypeOf<CallRecord>();
      expectTypeOf(record.outcome).toEqualTypeOf<'ok' | 'error' | 'input-required'>();
    },
  });
});

test('transports take a server and give back what can be closed', () => {
  const server = createServer({ name: 's', version: '1' });
  expectTypeOf(serveHttp(server, { port: 0 })).toEqualTypeOf<Promise<RunningHttp>>();
  expectTypeOf(toFetchHandler(server)).toBeCallableWith(new Request('http://localhost/'));
  expectTypeOf(toNodeHandler(server).close).returns.toEqualTypeOf<Promise<void>>();
  expectTypeOf(serveHttp(new ToolRegistry())).toEqualTypeOf<Promise<RunningHttp>>();
  // @ts-expect-error -- tools are no server
  void serveHttp([]);
  // @ts-expect-error -- a principal has an id
  toNodeHandler(server, { authenticate: () => ({ name: 'ada' }) });
});

test('the servers of the SDK are servers that tools can be attached to', () => {
  expectTypeOf<ServerV1>().toExtend<McpServerLike>();
  expectTypeOf<ServerV2>().toExtend<McpServerLike>();
  expectTypeOf<{ setRequestHandler(method: string, handler: SdkHandler): void }>().toExtend<McpServerLike>();
  expectTypeOf<{ setRequestHandler: string }>().not.toExtend<McpServerLike>();
});

test('state and handles have the type of the caller of the method, and set returns whether it stored', () => {
  const use = async ({ context }: { readonly context: ToolContext }): Promise<void> => {
    expectTypeOf(await context.state.get<string[]>('cart')).toEqualTypeOf<string[] | undefined>();
    expectTypeOf(await context.state.take<number>('once')).toEqualTypeOf<number | undefined>();
    expectTypeOf(await context.state.get('cart')).toEqualTypeOf<unknown>();
    expectTypeOf(await context.state.set('cart', [], { ttlMs: 5, ifAbsent: true })).toEqualTypeOf<boolean>();
    expectTypeOf(await context.createHandle({ page: 2 }, { ttlMs: 5 })).toEqualTypeOf<string>();
    expectTypeOf(await context.readHandle<{ page: number }>('h')).toEqualTypeOf<
      { page: number } | undefined
    >();
    // @ts-expect-error -- a handle always is a new value
    await context.createHandle(1, { ifAbsent: true });
    // @ts-expect-error -- a key is a string
    await context.state.get(7);
  };
  defineTool({ name: 'a', description: 'A', inputSchema: nothing, handler: use });
  definePrompt({ name: 'a', handler: async (call) => (await use(call), 'x') });
  createServer({
    name: 's',
    version: '1',
    resources: [{ uri: 's://a', name: 'a', contentProvider: async (call) => (await use(call), 'x') }],
    stateStore: { get: () => undefined, set: () => true, take: async () => undefined, delete: () => {} },
  });
  // @ts-expect-error -- state belongs to the framework
  createServer({ name: 's', version: '1', createContext: () => ({ state: 1 }) });
});
