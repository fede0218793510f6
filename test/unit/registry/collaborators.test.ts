import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import type { ErrorResultLike } from '../../../src/collaborators.ts';
import type { Policy, PolicySubject, ToolRegistryOptions } from '../../../src/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';

const fail = (): never => {
  throw new Error('no');
};

function registryWith(options: ToolRegistryOptions): ToolRegistry {
  return new ToolRegistry(options)
    .register({
      name: 'echo',
      description: 'E',
      inputSchema: z.object({ n: z.number() }),
      handler: ({ input }) => input,
    })
    .register({ name: 'fail', description: 'F', inputSchema: z.object({}), handler: fail })
    .register({
      name: 'cached',
      description: 'C',
      inputSchema: z.object({}),
      handler: ({ context }) => context.cache.get('key'),
    });
}

const call = async (options: ToolRegistryOptions, name: string, args: object = {}): Promise<unknown> => {
  const [block] = (await registryWith(options).executeTool({ name, arguments: args })).content;
  return block?.type === 'text' ? block.text : block;
};

describe('each collaborator is replaced in one line:', () => {
  test('withSecurityWrapper', async () => {
    expect(await call({ withSecurityWrapper: () => (_call, run) => run({ n: 42 }) }, 'echo')).toBe(
      '{"n":42}',
    );
  });

  test('errorHandler', async () => {
    const errorHandler = new ErrorHandler({ logger: recordLog().logger, createReference: () => 'ref-1' });
    expect(await call({ errorHandler }, 'fail')).toContain('under the reference ref-1.');
  });

  test('errorHandler, by two methods without details', async () => {
    const text = (words: string): ErrorResultLike => ({
      content: [{ type: 'text', text: words }],
      isError: true,
    });
    const errorHandler = {
      createValidationError: (message: string) => text(`invalid: ${message}`),
      handleError: (error: unknown) => text(`handled: ${String(error)}`),
    };
    expect(await call({ errorHandler }, 'fail')).toBe('handled: Error: no');
    expect(await call({ errorHandler }, 'echo')).toBe("invalid: Invalid arguments for tool 'echo'.");
    expect(await call({ errorHandler }, 'none')).toBe('Unknown tool: none');
    const cache = { get: () => 1n, set: () => {}, delete: () => {} };
    expect(await call({ errorHandler, cache }, 'cached')).toBe(
      "Tool 'cached' returned a value that cannot be sent: it contains a BigInt; convert it to a string or a number.",
    );
  });

  test('responseFormatter', async () => {
    const responseFormatter = {
      format: () => 'mine',
      runWithMinifyOverride: <T>(_minify: unknown, run: () => T) => run(),
    };
    expect(await call({ responseFormatter }, 'echo', { n: 1 })).toBe('mine');
  });

  test('cache, as a store or as helpers', async () => {
    const store = { get: (key: string) => `stored ${key}`, set: () => {}, delete: () => {} };
    const helpers = {
      get: async () => 'helped' as never,
      set: async () => {},
      delete: async () => {},
      wrap: fail,
    };
    expect(await call({ cache: store }, 'cached')).toBe('stored key');
    expect(await call({ cache: helpers }, 'cached')).toBe('helped');
  });

  test('rateLimitStore, which is asked by namespace and caller', async () => {
    const keys: string[] = [];
    const rateLimitStore = {
      consume: (key: string) => (keys.push(key), { allowed: false as const, retryAfterMs: 1500 }),
    };
    const registry = registryWith({ name: 'shop', rateLimitStore });
    const { content } = await registry.executeTool({ name: 'echo', arguments: { n: 1 }, accessToken: 'abc' });
    await registry.executeTool({
      name: 'echo',
      arguments: { n: 1 },
      principal: { id: 'ada' },
      accessToken: 'abc',
    });
    await registry.executeTool({ name: 'echo', arguments: { n: 1 } });
    expect(content).toEqual([{ type: 'text', text: 'Too many calls. Try again in 2 s.' }]);
    expect(keys).toEqual([
      'shop|token|ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      'shop|principal|ada',
      'shop|anonymous',
    ]);
  });

  test('rateLimitStore: a principal in another tenant is another caller', async () => {
    const keys: string[] = [];
    const rateLimitStore = { consume: (key: string) => (keys.push(key), { allowed: true as const }) };
    const registry = registryWith({ name: 'shop', rateLimitStore });
    for (const principal of [
      { id: 'ada', tenant: 'acme' },
      { id: 'ada', tenant: 'globex' },
      { id: 'acme|ada' },
      { id: '["acme","ada"]' },
      { id: 'ada"]', tenant: 'acme","' },
    ])
      await registry.executeTool({ name: 'echo', arguments: { n: 1 }, principal });
    expect(keys).toEqual([
      'shop|tenant|["acme","ada"]',
      'shop|tenant|["globex","ada"]',
      'shop|principal|acme|ada',
      'shop|principal|["acme","ada"]',
      'shop|tenant|["acme\\",\\"","ada\\"]"]',
    ]);
  });

  test('rateLimitStore that answers later', async () => {
    const rateLimitStore = { consume: async () => ({ allowed: true as const }) };
    expect(await call({ rateLimitStore }, 'echo', { n: 1 })).toBe('{"n":1}');
  });

  test('logger', async () => {
    const { logger, entries } = recordLog();
    await call({ logger }, 'echo', { n: 1 });
    expect(entries.map((entry) => entry.message)).toEqual(['tool call']);
  });

  test('clock', async () => {
    const clock = new FakeClock();
    const { logger, entries } = recordLog();
    const registry = new ToolRegistry({ clock, logger }).register({
      name: 'slow',
      description: 'S',
      inputSchema: z.object({}),
      handler: () => clock.advance(250),
    });
    await registry.executeTool({ name: 'slow' });
    expect(entries[0]?.fields?.['durationMs']).toBe(250);
  });

  test('jsonSchemaCompiler', async () => {
    const jsonSchemaCompiler = {
      findProblem: () => undefined,
      compile: () => () => [{ path: ['n'], message: 'is not to my taste' }],
    };
    const registry = new ToolRegistry({ jsonSchemaCompiler }).register({
      name: 'raw',
      description: 'R',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      handler: () => 1,
    });
    const result = await registry.executeTool({ name: 'raw', arguments: { n: 1 } });
    expect(result.content[0]).toMatchObject({
      text: expect.stringContaining('n: is not to my taste') as string,
    });
  });

  test('policy, which learns all there is to decide on', () => {
    const subjects: PolicySubject[] = [];
    const policy: Policy = (subject) => subjects.push(subject) > 0;
    new ToolRegistry({ name: 'shop', policy })
      .register({
        name: 'look',
        description: 'L',
        inputSchema: z.object({}),
        annotations: { readOnlyHint: true },
        handler: fail,
      })
      .register({
        name: 'wipe',
        description: 'W',
        inputSchema: z.object({}),
        annotations: { destructiveHint: true },
        tags: ['admin'],
        category: 'Danger',
        security: { namespace: 'core', operation: 'erase' },
        handler: fail,
      })
      .listTools();
    expect(subjects).toEqual([
      {
        name: 'look',
        tool: 'look',
        action: undefined,
        tags: [],
        scopes: [],
        category: undefined,
        namespace: 'shop',
        operation: 'look',
        isReadOnly: true,
        isDestructive: false,
        isIdempotent: false,
      },
      {
        name: 'wipe',
        tool: 'wipe',
        action: undefined,
        tags: ['admin'],
        scopes: [],
        category: 'Danger',
        namespace: 'core',
        operation: 'erase',
        isReadOnly: false,
        isDestructive: true,
        isIdempotent: false,
      },
    ]);
  });
});
