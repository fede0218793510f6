import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createServer,
  createTool,
  defineMiddleware,
  PromptsManager,
  ResourcesManager,
  silentLogger,
  ToolRegistry,
} from '../../../src/index.ts';
import type { ServerOptions, ToolwrightServer } from '../../../src/index.ts';
import { connectTestClient } from '../../../src/testing.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { duplicate, unknownTool } from '../../support/refused.ts';

const base = { name: 's', version: '1', logger: silentLogger } as const;
const tool = { name: 'ping', description: 'Pings', inputSchema: z.object({}), handler: () => 'pong' };
const failing = {
  ...tool,
  handler: () => {
    throw new Error('the disk is full');
  },
};
const prompt = { name: 'greet', template: 'Hello' } as const;
const resource = { uri: 'docs://manual', name: 'manual', text: 'Read me.' } as const;

/** Tools, prompts and resources without settings of their own, created before their server. */
function madeBefore(): Required<Pick<ServerOptions, 'tools' | 'prompts' | 'resources'>> {
  return {
    tools: new ToolRegistry().register(tool),
    prompts: new PromptsManager({ prompts: [prompt] }),
    resources: new ResourcesManager({ resources: [resource] }),
  };
}

async function textOf<TContext extends object>(
  server: ToolwrightServer<TContext>,
  name: string,
  args: object = {},
): Promise<string> {
  await using client = connectTestClient(server);
  return (await client.callTool(name, args)).text;
}

describe('missing settings of a registry or a manager are those of its server', () => {
  test('the policy hides tools, prompts and resources', async () => {
    const seen: string[] = [];
    await using server = createServer({
      ...base,
      ...madeBefore(),
      policy: ({ name, namespace }, { principal }) => {
        seen.push(`${namespace}/${name}`);
        return principal?.id === 'ada';
      },
    });
    const ada = { principal: { id: 'ada' } };
    expect(server.tools?.listTools()).toEqual([]);
    expect(server.prompts?.getAllPrompts()).toEqual([]);
    expect(server.resources?.getAllResources()).toEqual([]);
    expect(server.tools?.listTools(ada)).toHaveLength(1);
    expect(server.prompts?.getAllPrompts(ada)).toHaveLength(1);
    expect(server.resources?.getAllResources(ada)).toHaveLength(1);
    expect([...new Set(seen)]).toEqual(['s/ping', 's/greet', 's/docs://manual']);
    await expect(connectTestClient(server).callTool('ping')).rejects.toMatchObject({
      code: 'UNKNOWN_TOOL',
      message: unknownTool('ping').message,
    });
  });

  test('one rate limit counts tools, prompts and resources together', async () => {
    await using server = createServer({
      ...base,
      ...madeBefore(),
      rateLimit: { limit: 2, perMs: 60_000 },
      clock: new FakeClock(),
    });
    expect(await server.tools?.executeTool({ name: 'ping' })).not.toHaveProperty('isError');
    expect((await server.prompts?.getPrompt({ name: 'greet' }))?.kind).toBe('value');
    expect((await server.resources?.readResource({ uri: 'docs://manual' }))?.kind).toBe('protocol-error');
  });

  test('one cache, one clock and one log', async () => {
    const logged: unknown[] = [];
    const write = (message: string, fields: unknown): void => void logged.push([message, fields]);
    const logger = { debug: write, info: write, warning: write, error: write };
    const clock = new FakeClock();
    await using server = createServer({
      ...base,
      logger,
      clock,
      tools: new ToolRegistry().register({
        ...tool,
        handler: async ({ context }) => {
          await context.cache.set('key', 'value', { ttlMs: 1000 });
          clock.advance(7);
        },
      }),
      prompts: new PromptsManager().addPrompt({
        name: 'greet',
        handler: async ({ context }) => String(await context.cache.get('key')),
      }),
    });
    await server.tools?.executeTool({ name: 'ping' });
    const read = async (): Promise<unknown> => (await server.prompts?.getPrompt({ name: 'greet' })) ?? null;
    expect(JSON.stringify(await read())).toContain('"value"');
    clock.advance(1000);
    expect(JSON.stringify(await read())).toContain('"undefined"');
    expect(logged[0]).toEqual([
      'tool call',
      {
        tool: 'ping',
        namespace: 's',
        operation: 'ping',
        principal: undefined,
        outcome: 'value',
        durationMs: 7,
      },
    ]);
    expect(logged).toHaveLength(3);
  });

  test('errors, createContext, unknownArguments and repairArguments', async () => {
    const registry = new ToolRegistry<{ db: string }>().register(failing).register({
      name: 'read',
      description: 'Reads',
      inputSchema: z.object({ id: z.number() }),
      handler: ({ input, context }) => `${context.db} ${input.id}`,
    });
    await using server = createServer({
      ...base,
      tools: registry,
      createContext: () => ({ db: 'postgres' }),
      errors: 'messages',
      unknownArguments: 'reject',
      repairArguments: true,
    });
    expect(await textOf(server, 'ping')).toMatch(/^Tool 'ping' failed: the disk is full \(reference \w+\)$/);
    expect(await textOf(server, 'read', { id: '7' })).toBe('postgres 7');
    expect(await textOf(server, 'read', { id: 7, more: 1 })).toContain('more');
    expect((await registry.executeTool({ name: 'read', arguments: { id: '7' } })).isError).toBe(true);
    expect(server.tools?.findTool('read')?.inputSchema).toMatchObject({ additionalProperties: false });
  });

  test('the actions of grouped tools, the completers of prompts and the handlers of templates', async () => {
    const createContext = (): { db: string } => ({ db: 'postgres' });
    const math = createTool<{ db: string }>('math').action({
      name: 'read',
      schema: z.object({ n: z.number() }),
      handler: ({ context }) => context.db,
    });
    await using server = createServer({
      ...base,
      createContext,
      exposure: 'flat',
      tools: new ToolRegistry<{ db: string }>().register(math),
      prompts: new PromptsManager<{ db: string }>().addPrompt({
        name: 'greet',
        arguments: [{ name: 'who' }],
        complete: { who: (_value, { context }) => [context.db] },
        handler: ({ context }) => context.db,
      }),
      resources: new ResourcesManager<{ db: string }>().addResource({
        uriTemplate: 'notes://{id}',
        name: 'note',
        contentProvider: ({ context }) => context.db,
      }),
    });
    expect(await textOf(server, 'math_read', { n: 1 })).toBe('postgres');
    const replies = [
      await server.prompts?.getPrompt({ name: 'greet' }),
      await server.prompts?.complete({ ref: 'greet', argument: 'who', value: '', arguments: {} }),
      await server.resources?.readResource({ uri: 'notes://1' }),
    ];
    for (const reply of replies) expect(JSON.stringify(reply)).toContain('"postgres"');
  });

  test('exposure and schemaProfile, unless the registry or the surface was given one', async () => {
    const math = createTool('math').action({ name: 'read', handler: () => 1 });
    const namesOf = async (tools: ServerOptions['tools']): Promise<string[]> => {
      await using server = createServer({ ...base, tools: tools ?? [], exposure: 'flat' });
      await using client = connectTestClient(server);
      return (await client.listTools()).map(({ name }) => name);
    };
    expect(await namesOf([math])).toEqual(['math_read']);
    expect(await namesOf(new ToolRegistry().register(math))).toEqual(['math_read']);
    expect(await namesOf(new ToolRegistry({ exposure: 'grouped' }).register(math))).toEqual(['math']);
    expect(await namesOf(new ToolRegistry().register(math).surface({ splitReadWrite: true }))).toEqual([
      'math_read',
    ]);
    expect(await namesOf(new ToolRegistry().register(math).surface({ exposure: 'grouped' }))).toEqual([
      'math',
    ]);
  });

  test('registries that are mounted in it inherit as well, and their names are those that callers see', async () => {
    const users = new ToolRegistry({ name: 'users' }).register(failing);
    const registry = new ToolRegistry();
    registry.mount('users', users);
    const seen: string[] = [];
    await using server = createServer({
      ...base,
      tools: registry,
      errors: 'messages',
      policy: ({ name }) => {
        seen.push(name);
        return true;
      },
    });
    server.tools?.mount('more', users);
    expect(await textOf(server, 'users_ping')).toContain('the disk is full');
    expect(await textOf(server, 'more_ping')).toContain('the disk is full');
    expect([...new Set(seen)]).toEqual(['users_ping', 'more_ping']);
  });
});

describe('explicit settings', () => {
  test('wins over the setting of the server', async () => {
    const registry = new ToolRegistry<{ db: string }>({
      errors: 'masked',
      logger: silentLogger,
      timeoutMs: 10,
      createContext: () => ({ db: 'sqlite' }),
      rateLimit: false,
    });
    registry.register(failing).register({ ...tool, name: 'db', handler: ({ context }) => context.db });
    await using server = createServer({
      ...base,
      tools: registry,
      errors: 'messages',
      createContext: () => ({ db: 'postgres' }),
      rateLimit: { limit: 1, perMs: 60_000 },
    });
    expect(await textOf(server, 'ping')).not.toContain('disk');
    expect(await textOf(server, 'db')).toBe('sqlite');
    expect(await textOf(server, 'db')).toBe('sqlite');
  });

  test('is not given to tools that are registered with the server', async () => {
    const registry = new ToolRegistry({ createContext: () => ({ db: 'sqlite' }) });
    await using server = createServer({ ...base, tools: registry });
    const keys = ({ context }: { readonly context: object }): boolean => 'db' in context;
    registry.register({ ...tool, name: 'inside', handler: keys });
    server.registerTool({ ...tool, name: 'beside', handler: keys });
    expect([await textOf(server, 'inside'), await textOf(server, 'beside')]).toEqual(['true', 'false']);
  });

  test('leaves out what its middleware adds: the server gives the rest of the context', async () => {
    const withUser = defineMiddleware(({ next }) => next({ user: 'ada' }));
    const registry = new ToolRegistry<{ db: string }>()
      .use(withUser)
      .register({ ...tool, handler: ({ context }) => `${context.user} ${context.db}` });
    await using server = createServer({ ...base, tools: registry, createContext: () => ({ db: 'sqlite' }) });
    expect(await textOf(server, 'ping')).toBe('ada sqlite');
  });

  test('is joined where both have a policy: both must agree', async () => {
    const registry = new ToolRegistry({ policy: ({ name }) => name !== 'b' });
    for (const name of ['a', 'b', 'c']) registry.register({ ...tool, name });
    await using server = createServer({ ...base, tools: registry, policy: ({ name }) => name !== 'c' });
    expect(server.tools?.listTools().map(({ name }) => name)).toEqual(['a']);
  });

  test('is inside the middleware of the server', async () => {
    const seen: string[] = [];
    const mark = (text: string): ReturnType<typeof defineMiddleware> =>
      defineMiddleware(({ next }) => {
        seen.push(text);
        return next();
      });
    const registry = new ToolRegistry().register(tool).use(mark('registry'));
    await using server = createServer({ ...base, tools: registry, middleware: [mark('server')] });
    server.use(mark('used'));
    registry.use(mark('used by the registry'));
    await server.tools?.executeTool({ name: 'ping' });
    expect(seen).toEqual(['server', 'used', 'registry', 'used by the registry']);
  });
});

describe('one registry in two servers', () => {
  test('has the settings of each in its own, and its own by itself', async () => {
    const registry = new ToolRegistry({ logger: silentLogger }).register(failing);
    await using open = createServer({ ...base, tools: registry, errors: 'messages' });
    await using closed = createServer({ ...base, tools: registry, policy: () => false });
    expect(await textOf(open, 'ping')).toContain('the disk is full');
    expect(closed.tools?.listTools()).toEqual([]);
    expect(JSON.stringify(await registry.executeTool({ name: 'ping' }))).not.toContain('disk');
    registry.register({ ...tool, name: 'later' });
    expect(await textOf(open, 'later')).toBe('pong');
    expect(closed.tools?.listTools()).toEqual([]);
  });

  test('cannot gain what one of them refuses', async () => {
    const resources = new ResourcesManager();
    await using small = createServer({ ...base, resources, maxResultBytes: 100 });
    await using large = createServer({ ...base, resources });
    const long = { ...resource, text: 'x'.repeat(200) };
    expect(() => resources.addResource(long)).toThrow('Resource "docs://manual": the content has');
    expect([resources.size, small.resources?.size, large.resources?.size]).toEqual([0, 0, 0]);
    await small.close();
    expect(resources.addResource(long).size).toBe(1);
    expect(() => createServer({ ...base, resources, maxResultBytes: 100 })).toThrow('the content has');
  });

  test('is free of a server that could not be made', () => {
    const registry = new ToolRegistry().register(tool);
    const extraTools = [{ ...tool, name: 'extra' }, tool];
    expect(() => createServer({ ...base, tools: registry, extraTools })).toThrow(duplicate('Tool', 'ping'));
    const bad = { ...base, tools: registry, extraTools: [{ ...tool, name: 'extra' }] };
    expect(() => createServer({ ...bad, prompts: [prompt, prompt] })).toThrow(duplicate('Prompt', 'greet'));
    expect(registry.register({ ...tool, name: 'extra' }).size).toBe(2);
  });

  test('notifies clients of changes only: adding middleware is not a change', async () => {
    const registry = new ToolRegistry().register(tool);
    await using server = createServer({ ...base, tools: registry, errors: 'messages' });
    const watch = server.tools?.surface().watch();
    registry.use(defineMiddleware(({ next }) => next()));
    server.use(defineMiddleware(({ next }) => next()));
    expect(watch?.({})).toBe(false);
    registry.register({ ...tool, name: 'later' });
    expect(watch?.({})).toBe(true);
  });
});
