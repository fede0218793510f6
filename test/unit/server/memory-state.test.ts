import { expect, test } from 'vitest';
import * as z from 'zod';
import { createSecurityWrapper } from '../../../src/collaborators.ts';
import { createServer, defineTool, PromptsManager, ToolRegistry } from '../../../src/index.ts';
import type { ServerOptions } from '../../../src/index.ts';
import { rateLimit, resultCache } from '../../../src/middleware.ts';
import { servedOf } from '../../../src/server/served-of.ts';
import {
  createCacheHelpers,
  MemoryCacheStore,
  MemoryConfirmationStore,
  MemoryEventBus,
  MemoryRateLimitStore,
  MemoryStateStore,
  MemoryTaskStore,
} from '../../../src/stores.ts';

/** A store that is not in memory, as far as a server can tell. */
const shared = <TStore extends object>(store: TStore): TStore =>
  Object.fromEntries(
    Object.getOwnPropertyNames(Object.getPrototypeOf(store)).map((name) => [name, () => undefined]),
  ) as unknown as TStore;

const SHARED: Partial<ServerOptions> = {
  taskStore: shared(new MemoryTaskStore()),
  eventBus: shared(new MemoryEventBus()),
  rateLimitStore: shared(new MemoryRateLimitStore()),
  confirmationStore: shared(new MemoryConfirmationStore()),
  cache: shared(new MemoryCacheStore()),
  stateStore: shared(new MemoryStateStore()),
};

const LIMIT = { limit: 1, perMs: 1000 };

const add = (more: object = {}): ReturnType<typeof defineTool> =>
  defineTool({ name: 'add', description: 'Adds', inputSchema: z.object({}), handler: () => 1, ...more });

const stateOf = (options: Partial<ServerOptions>): readonly string[] =>
  servedOf(createServer({ name: 'demo', version: '1', ...options })).memoryState?.() ?? [];

test('everything is in memory by default, and nothing with shared stores', () => {
  expect(stateOf({ tools: [add()] })).toEqual([
    'tasks',
    'eventBus',
    'rateLimit',
    'confirmations',
    'cache',
    'state',
  ]);
  expect(stateOf({ ...SHARED, tools: [add()], prompts: [{ name: 'hi', template: 'Hi' }] })).toEqual([]);
});

test.each<[string, Partial<ServerOptions>, string[]]>([
  ['a task store in memory', { taskStore: new MemoryTaskStore() }, ['tasks']],
  ['an event bus in memory', { eventBus: new MemoryEventBus() }, ['eventBus']],
  ['a rate limit in memory', { rateLimitStore: new MemoryRateLimitStore() }, ['rateLimit']],
  ['no rate limit', { rateLimitStore: new MemoryRateLimitStore(), rateLimit: false }, []],
  ['a wrapper that counts in memory', { withSecurityWrapper: createSecurityWrapper() }, ['rateLimit']],
  ['a wrapper without a limit', { withSecurityWrapper: createSecurityWrapper({ rateLimit: false }) }, []],
  ['confirmations in memory', { confirmationStore: new MemoryConfirmationStore() }, ['confirmations']],
  ['state in memory', { stateStore: new MemoryStateStore() }, ['state']],
  ['a cache in memory', { cache: new MemoryCacheStore() }, ['cache']],
  ['helpers of a cache in memory', { cache: createCacheHelpers(new MemoryCacheStore()) }, ['cache']],
  ['helpers of a shared cache', { cache: createCacheHelpers(shared(new MemoryCacheStore())) }, []],
  ['a cache of results', { tools: [add({ middleware: [resultCache()] })] }, ['cache']],
  [
    'a shared cache of results',
    { tools: [add({ middleware: [resultCache({ store: shared(new MemoryCacheStore()) })] })] },
    [],
  ],
  ['a limit of one tool', { tools: [add({ middleware: [rateLimit(LIMIT)] })] }, ['rateLimit']],
  ['a limit around a server', { tools: [add()], middleware: [rateLimit(LIMIT)] }, ['rateLimit']],
  [
    'a limit around a registry',
    { tools: new ToolRegistry().use(rateLimit(LIMIT)).register(add()) },
    ['rateLimit'],
  ],
  [
    'a limit around prompts',
    { prompts: new PromptsManager().use(rateLimit(LIMIT)).addPrompt({ name: 'hi', template: 'Hi' }) },
    ['rateLimit'],
  ],
  [
    'a registry with its own store',
    { tools: new ToolRegistry({ cache: new MemoryCacheStore() }).register(add()) },
    ['cache'],
  ],
  [
    'a mounted registry with its own store',
    {
      tools: (() => {
        const outer = new ToolRegistry();
        outer.mount(
          'inner',
          new ToolRegistry({ confirmationStore: new MemoryConfirmationStore() }).register(add()),
        );
        return outer;
      })(),
    },
    ['confirmations'],
  ],
])('%s', (_what, options, states) => {
  expect(stateOf({ ...SHARED, ...options })).toEqual(states);
});
