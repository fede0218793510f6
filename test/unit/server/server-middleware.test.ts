import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, defineMiddleware, PromptsManager, ToolRegistry } from '../../../src/index.ts';
import type { ToolwrightServer } from '../../../src/index.ts';
import { connectTestClient } from '../../../src/testing.ts';
import { refused } from '../../support/refused.ts';

const base = { name: 's', version: '1' } as const;
const tool = { name: 'ping', description: 'Pings', inputSchema: z.object({}), handler: () => 'pong' };
const prompt = { name: 'greet', template: 'Hello' } as const;
const resource = { uri: 'docs://manual', name: 'manual', text: 'Read me.' } as const;

/** Records the calls that it wraps. */
function watching(seen: string[], mark = ''): ReturnType<typeof defineMiddleware> {
  return defineMiddleware(({ subject, next }) => {
    seen.push(`${mark}${subject.name}`);
    return next();
  });
}

async function callAll(server: ToolwrightServer): Promise<void> {
  await server.tools?.executeTool({ name: 'ping' });
  await server.prompts?.getPrompt({ name: 'greet' });
  await server.resources?.readResource({ uri: 'docs://manual' });
}

describe('middleware of a server', () => {
  test('wraps tools, prompts and resources', async () => {
    const seen: string[] = [];
    await using server = createServer({
      ...base,
      tools: [tool],
      prompts: [prompt],
      resources: [resource],
      middleware: [watching(seen, 'outer '), watching(seen, 'inner ')],
    });
    await callAll(server);
    expect(seen).toEqual([
      'outer ping',
      'inner ping',
      'outer greet',
      'inner greet',
      'outer docs://manual',
      'inner docs://manual',
    ]);
  });

  test('also around what is registered later, and what was made before', async () => {
    const seen: string[] = [];
    await using server = createServer({
      ...base,
      tools: new ToolRegistry().register(tool),
      prompts: new PromptsManager({ prompts: [prompt] }),
    });
    server.use(watching(seen));
    server.registerResource(resource);
    await callAll(server);
    expect(seen).toEqual(['ping', 'greet', 'docs://manual']);
  });

  test('adds to the context of what is registered on what it returns', async () => {
    const withUser = defineMiddleware(({ next }) => next({ user: 'ada' }));
    await using server = createServer(base);
    server
      .use(withUser)
      .registerTool({ ...tool, handler: ({ context }) => `${context.user}: ${context.user.length}` });
    expect(await server.tools?.executeTool({ name: 'ping' })).toMatchObject({
      content: [{ type: 'text', text: 'ada: 3' }],
    });
  });

  test('wraps a surface, and does not change its registry', async () => {
    const seen: string[] = [];
    const registry = new ToolRegistry().register(tool).use(watching(seen, 'registry '));
    await using server = createServer({ ...base, tools: registry.surface({ exposure: 'flat' }) });
    server.use(watching(seen, 'server '));
    await connectTestClient(server).callTool('ping');
    await registry.executeTool({ name: 'ping' });
    expect(seen).toEqual(['server ping', 'registry ping', 'registry ping']);
  });

  test('must be a function', () => {
    expect(() => createServer({ ...base, middleware: ['log'] as never })).toThrow(refused('middleware'));
  });
});
