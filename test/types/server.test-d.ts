import type { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import type { Server as ServerV2 } from '@modelcontextprotocol/server';
import { expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import {
  createServer,
  definePrompt,
  defineTool,
  jsonSchema,
  PromptsManager,
  ToolRegistry,
} from '../../src/index.ts';
import type { Answer, ModelAnswer, Root, ToolwrightServer, UrlAnswer } from '../../src/index.ts';
import { serveHttp, toNodeHandler } from '../../src/http.ts';
import type { RunningHttp } from '../../src/http.ts';
import { toFetchHandler } from '../../src/fetch.ts';
import type { McpServerLike, SdkHandler } from '../../src/strategies.ts';

const nothing = z.object({});

test('what a user answers has the type of the question', () => {
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

test('a server has the context of what it serves', () => {
  const registry = new ToolRegistry<{ user: string }>({ createContext: () => ({ user: 'ada' }) });
  expectTypeOf(createServer({ name: 's', version: '1', tools: registry })).toEqualTypeOf<
    ToolwrightServer<{ user: string }>
  >();
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
  const server = createServer({ name: 's', version: '1', tools, prompts: new PromptsManager() });
  expectTypeOf(server).toEqualTypeOf<ToolwrightServer<{ db: string }>>();
  createServer({
    name: 's',
    version: '1',
    tools: new ToolRegistry(),
    prompts: new PromptsManager<{ db: string }>(),
    createContext: () => ({ db: 'x' }),
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
