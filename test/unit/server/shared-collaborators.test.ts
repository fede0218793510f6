import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, PromptsManager, ToolRegistry } from '../../../src/index.ts';
import { MemoryCacheStore } from '../../../src/stores.ts';
import type { ServerOptions, ToolwrightServer } from '../../../src/index.ts';
import { OpenAPIServer } from '../../../src/openapi.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const base = { name: 's', version: '1' } as const;
const ada = { id: 'ada' };
const tool = { name: 'ping', description: 'Pings', inputSchema: z.object({}), handler: () => 'pong' };
const prompt = { name: 'greet', template: 'Hello' } as const;
const resource = { uri: 'docs://manual', name: 'manual', text: 'Read me.' } as const;

/** Calls a tool, gets a prompt and reads a resource in turn; returns whether each call was allowed. */
async function callInTurn(
  server: ToolwrightServer,
  times: number,
  principal: { readonly id: string } = ada,
): Promise<boolean[]> {
  const passed: boolean[] = [];
  for (let index = 0; index < times; index += 1) {
    if (index % 3 === 0) {
      const result = await server.tools?.executeTool({ name: 'ping', principal });
      passed.push(result?.isError !== true);
    } else {
      const reply = await (index % 3 === 1
        ? server.prompts?.getPrompt({ name: 'greet', principal })
        : server.resources?.readResource({ uri: 'docs://manual', principal }));
      passed.push(reply?.kind === 'value');
    }
  }
  return passed;
}

const countOf = (passed: readonly boolean[]): number => passed.filter(Boolean).length;

describe('one set of collaborators for a server', () => {
  const rateLimit = { limit: 100, perMs: 60_000 };
  const parts = { tools: [tool], prompts: [prompt], resources: [resource] };

  test('100 calls a minute are 100 calls of tools, prompts and resources together', async () => {
    const clock = new FakeClock();
    await using server = createServer({ ...base, ...parts, rateLimit, clock });
    const passed = await callInTurn(server, 103);
    expect(countOf(passed)).toBe(100);
    expect(passed.slice(100)).toEqual([false, false, false]);
    expect(countOf(await callInTurn(server, 3, { id: 'bob' }))).toBe(3);
    clock.advance(60_000);
    expect(countOf(await callInTurn(server, 3))).toBe(3);
  });

  test('also where tools, prompts and resources are registered later', async () => {
    await using server = createServer({ ...base, rateLimit, clock: new FakeClock() });
    server.registerTool(tool).registerPrompt(prompt).registerResource(resource);
    expect(countOf(await callInTurn(server, 103))).toBe(100);
  });

  test('also with named registries, mounted in each other, and a named manager', async () => {
    const notes = new ToolRegistry({ name: 'notes' }).register({ ...tool, name: 'note' });
    const tools = new ToolRegistry({ name: 'pings' }).register(tool);
    tools.mount('notes', notes);
    const prompts = new PromptsManager({ name: 'texts', prompts: [prompt] });
    await using server = createServer({
      ...base,
      tools,
      prompts,
      resources: [resource],
      rateLimit,
      clock: new FakeClock(),
    });
    expect(countOf(await callInTurn(server, 99))).toBe(99);
    const call = { name: 'notes_note', principal: ada };
    expect((await server.tools?.executeTool(call))?.isError).toBeUndefined();
    expect((await server.tools?.executeTool(call))?.isError).toBe(true);
    expect(countOf(await callInTurn(server, 3))).toBe(0);
  });

  test('a registry with a limit of its own, and a tool with a namespace of its own, count apart', async () => {
    const tools = new ToolRegistry({ name: 'own', rateLimit: { limit: 1, perMs: 60_000 } }).register(tool);
    const extraTools = [{ ...tool, name: 'other', security: { namespace: 'apart' } }];
    await using server = createServer({
      ...base,
      tools,
      extraTools,
      prompts: [prompt],
      resources: [resource],
      rateLimit: { limit: 2, perMs: 60_000 },
      clock: new FakeClock(),
    });
    expect(await callInTurn(server, 6)).toEqual([true, true, true, false, false, false]);
    expect((await server.tools?.executeTool({ name: 'other', principal: ada }))?.isError).toBeUndefined();
  });

  test('also for a server of an OpenAPI document', async () => {
    const document = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} };
    await using server = await OpenAPIServer.load({
      document,
      extraTools: [tool],
      prompts: [prompt],
      resources: [resource],
      rateLimit,
      clock: new FakeClock(),
    });
    expect(countOf(await callInTurn(server as ToolwrightServer, 103))).toBe(100);
  });

  test('a value in the cache is found by all of them', async () => {
    const seen: unknown[] = [];
    const write: Required<ServerOptions>['tools'] = [
      { ...tool, handler: async ({ context }) => context.cache.set('key', 'value') },
    ];
    await using server = createServer({
      ...base,
      tools: write,
      prompts: [
        {
          name: 'greet',
          handler: async ({ context }) => {
            seen.push(await context.cache.get('key'));
            return 'Hello';
          },
        },
      ],
      resources: [
        {
          uri: 'docs://manual',
          name: 'manual',
          contentProvider: async ({ context }) => {
            seen.push(await context.cache.get('key'));
            return 'Read me.';
          },
        },
      ],
    });
    await callInTurn(server, 3);
    expect(seen).toEqual(['value', 'value']);
  });

  test('a registry that was made before keeps its own', async () => {
    const clock = new FakeClock();
    const registry = new ToolRegistry({ rateLimit: { limit: 1, perMs: 60_000 }, clock });
    registry.register(tool);
    await using server = createServer({
      ...base,
      tools: registry,
      prompts: [prompt],
      resources: [resource],
      clock,
    });
    expect(await callInTurn(server, 6)).toEqual([true, true, true, false, true, true]);
  });

  test('parts that were made before share what they were both given', async () => {
    const given = { name: 's', cache: new MemoryCacheStore(), clock: new FakeClock() };
    const registry = new ToolRegistry(given).register({
      ...tool,
      handler: async ({ context }) => context.cache.set('key', 'value'),
    });
    const prompts = new PromptsManager(given).addPrompt({
      name: 'greet',
      handler: async ({ context }) => String(await context.cache.get('key')),
    });
    await registry.executeTool({ name: 'ping' });
    expect(await prompts.getPrompt({ name: 'greet' })).toEqual({
      kind: 'value',
      value: { messages: [{ role: 'user', content: { type: 'text', text: 'value' } }] },
    });
  });
});
