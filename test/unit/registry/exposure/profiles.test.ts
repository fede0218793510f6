import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../../../src/index.ts';
import type { Caller, Exposure, McpTool, SchemaProfile, ToolSurface } from '../../../../src/index.ts';
import { recordLog } from '../../../support/log-recorder.ts';
import { refused } from '../../../support/refused.ts';

const money = z.object({ amount: z.number(), currency: z.enum(['EUR', 'USD']) }).meta({ id: 'Money' });

/** A tool with a reference, a union, and a field that two actions define differently. */
function sample(options: ConstructorParameters<typeof ToolRegistry>[0] = {}): ToolRegistry {
  return new ToolRegistry(options).register(
    createTool('bank')
      .action({
        name: 'pay',
        description: 'Pays',
        schema: z.object({ price: money, tip: money.optional(), to: z.union([z.string(), z.int()]) }),
        outputSchema: z.object({ paid: z.union([z.string(), z.null()]) }),
        handler: () => ({ paid: null }),
      })
      .action({
        name: 'find',
        description: 'Finds',
        schema: z.object({ to: z.boolean() }),
        outputSchema: z.object({ found: money }),
        handler: () => ({ found: { amount: 1, currency: 'EUR' as const } }),
      }),
  );
}

/** Every key of a document that could be a keyword, at any depth. */
function keysOf(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return new Set([...own, ...Object.values(value).flatMap((member) => [...keysOf(member)])]);
}

const schemasOf = (tools: readonly McpTool[]): unknown[] =>
  tools.map(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]);

async function describeAll(surface: ToolSurface): Promise<unknown> {
  const { content } = await surface.executeTool({
    name: 'describe_tool',
    arguments: { names: ['bank.pay', 'bank.find'] },
  });
  const [first] = content;
  return schemasOf((JSON.parse(first?.type === 'text' ? first.text : '') as { tools: McpTool[] }).tools);
}

const REFS = ['$ref', '$defs'];
const UNIONS = ['anyOf', 'oneOf', 'allOf', 'not', 'if'];

describe('schema profiles', () => {
  test('full: references and unions are advertised as they are', () => {
    const keys = keysOf(schemasOf(sample().surface({ exposure: 'flat' }).listTools()));
    for (const keyword of ['$ref', '$defs', 'anyOf']) expect(keys).toContain(keyword);
    expect(keysOf(schemasOf(sample().listTools()))).toContain('anyOf');
  });

  test.each<Exposure>(['grouped', 'flat', 'auto'])(
    'no-ref: %s lists no references, unions stay',
    (exposure) => {
      const surface = sample().surface({ exposure, schemaProfile: 'no-ref' });
      const keys = keysOf(schemasOf(surface.listTools()));
      for (const keyword of REFS) expect(keys).not.toContain(keyword);
      expect(keys).toContain('anyOf');
    },
  );

  test.each<Exposure>(['grouped', 'flat', 'auto'])('no-union: %s lists neither', (exposure) => {
    const surface = sample().surface({ exposure, schemaProfile: 'no-union' });
    const keys = keysOf(schemasOf(surface.listTools()));
    for (const keyword of [...REFS, ...UNIONS]) expect(keys).not.toContain(keyword);
  });

  test('describe of the search exposure speaks the same profile', async () => {
    const registry = sample();
    const describe = (schemaProfile: SchemaProfile): Promise<unknown> =>
      describeAll(registry.surface({ exposure: 'search', schemaProfile }));
    expect(keysOf(await describe('full'))).toContain('$ref');
    const noRef = keysOf(await describe('no-ref'));
    for (const keyword of REFS) expect(noRef).not.toContain(keyword);
    expect(noRef).toContain('anyOf');
    const noUnion = keysOf(await describe('no-union'));
    for (const keyword of [...REFS, ...UNIONS]) expect(noUnion).not.toContain(keyword);
  });

  test('a definition is written out where it was referred to', () => {
    const [pay] = sample().surface({ exposure: 'flat', schemaProfile: 'no-ref' }).listTools();
    expect(pay?.inputSchema).toMatchObject({
      properties: {
        price: {
          type: 'object',
          properties: { amount: { type: 'number' }, currency: { type: 'string', enum: ['EUR', 'USD'] } },
          required: ['amount', 'currency'],
        },
        tip: { type: 'object', required: ['amount', 'currency'] },
      },
      required: ['price', 'to'],
    });
  });

  test('alternatives become one schema that takes what any of them takes', () => {
    const [pay] = sample().surface({ exposure: 'flat', schemaProfile: 'no-union' }).listTools();
    expect(pay?.inputSchema).toMatchObject({ properties: { to: { type: ['string', 'integer'] } } });
  });

  test('calls are checked by the exact schema, whatever was advertised', async () => {
    const surface = sample().surface({ exposure: 'flat', schemaProfile: 'no-union' });
    const price = { amount: 1, currency: 'EUR' };
    const good = await surface.executeTool({ name: 'bank_pay', arguments: { price, to: 7 } });
    expect(good.structuredContent).toEqual({ paid: null });
    const bad = await surface.executeTool({ name: 'bank_pay', arguments: { price, to: 1.5 } });
    expect(bad.isError).toBe(true);
  });

  test('the text of the list and the list say the same', () => {
    for (const schemaProfile of ['full', 'no-ref', 'no-union'] as const) {
      const surface = sample().surface({ exposure: 'flat', schemaProfile });
      expect(JSON.parse(surface.listToolsJson())).toEqual({ tools: surface.listTools() });
      expect(Object.isFrozen(surface.listTools()[0]?.inputSchema)).toBe(true);
    }
  });

  test('one that does not exist is refused', () => {
    expect(() => new ToolRegistry({ schemaProfile: 'noref' as never })).toThrow(refused('schemaProfile'));
    expect(() => new ToolRegistry().surface({ exposure: 'tree' as never })).toThrow(
      refused('exposure', { received: '"tree"' }),
    );
  });
});

describe('options that would quietly mean something else are refused', () => {
  const surface =
    (options: object): (() => unknown) =>
    () =>
      new ToolRegistry().surface(options);

  test('a split that is neither true nor false', () => {
    expect(surface({ splitReadWrite: 'yes' })).toThrow('splitReadWrite');
    expect(() => new ToolRegistry({ splitReadWrite: 1 as never })).toThrow('splitReadWrite');
  });

  test('a search tool that does not exist', () => {
    expect(surface({ exposure: 'search', searchTools: { serach: 'find' } })).toThrow('serach');
    expect(surface({ exposure: 'search', searchTools: 'find' })).toThrow('searchTools');
  });

  test('a typo in the name of an option: a policy must not be left out by it', () => {
    expect(surface({ polcy: { exclude: ['internal'] } })).toThrow('polcy');
  });
});

describe('exposure and profile chosen by who asks', () => {
  const by = (id: string): Caller => ({ principal: { id } });
  const names = (surface: ToolSurface, caller?: Caller): string[] =>
    surface.listTools(caller).map((tool) => tool.name);

  test('each principal gets its own, in list and call alike', async () => {
    const surface = sample().surface({
      exposure: ({ principal }) =>
        principal?.id === 'flat' || principal?.id === 'search' ? principal.id : 'grouped',
    });
    expect(names(surface)).toEqual(['bank']);
    expect(names(surface, by('flat'))).toEqual(['bank_pay', 'bank_find']);
    expect(names(surface, by('search'))).toEqual(['search_tools', 'describe_tool', 'call_tool']);
    const call = async (name: string, args: object, caller?: Caller): Promise<unknown> =>
      (await surface.handleCall({ name, arguments: args, ...caller })).kind;
    expect(await call('bank_find', { to: true }, by('flat'))).toBe('result');
    expect(await call('bank_find', { to: true })).toBe('protocol-error');
    expect(await call('bank', { action: 'find', to: true })).toBe('result');
    expect(await call('bank', { action: 'find', to: true }, by('flat'))).toBe('protocol-error');
    expect(await call('call_tool', { name: 'bank.find', arguments: { to: true } }, by('search'))).toBe(
      'result',
    );
    expect(await call('call_tool', { name: 'bank.find', arguments: { to: true } })).toBe('protocol-error');
  });

  test('the schema profile is chosen the same way', () => {
    const surface = sample().surface({
      exposure: 'flat',
      schemaProfile: ({ principal }) => (principal?.id === 'old' ? 'no-union' : 'full'),
    });
    expect(surface.listToolsJson()).toContain('anyOf');
    expect(surface.listToolsJson(by('old'))).not.toContain('anyOf');
  });

  const failing: [string, () => never][] = [
    [
      'throws',
      () => {
        throw new Error('no such tenant');
      },
    ],
    ['chooses what does not exist', () => 'tree' as never],
    ['chooses nothing', () => undefined as never],
    ['answers with a promise', () => Promise.resolve('flat') as never],
  ];

  test.each(failing)(
    'an exposure function that %s falls back to search and is logged',
    async (_title, choose) => {
      const { logger, entries } = recordLog();
      const surface = sample({ logger }).surface({ exposure: choose });
      expect(names(surface)).toEqual(['search_tools', 'describe_tool', 'call_tool']);
      expect(entries).toHaveLength(1);
      expect(entries[0]).toMatchObject({ level: 'error', message: expect.stringContaining('surface') });
      const found = await surface.executeTool({
        name: 'call_tool',
        arguments: { name: 'bank.find', arguments: { to: true } },
      });
      expect(found.structuredContent).toEqual({ found: { amount: 1, currency: 'EUR' } });
    },
  );

  test.each(failing)(
    'a profile function that %s falls back to the plainest and is logged',
    (_title, choose) => {
      const { logger, entries } = recordLog();
      const surface = sample({ logger }).surface({ exposure: 'flat', schemaProfile: choose });
      const keys = keysOf(schemasOf(surface.listTools()));
      for (const keyword of [...REFS, ...UNIONS]) expect(keys).not.toContain(keyword);
      expect(entries.map(({ level }) => level)).toEqual(['error']);
    },
  );

  test('a rejected promise of such a function is caught, so that it cannot end the process', () => {
    const { logger } = recordLog();
    const rejected: Promise<unknown> = Promise.reject(new Error('too late'));
    rejected.catch(() => {});
    let isWatched = false;
    const watched = Object.assign(rejected, {
      then: (...handlers: Parameters<typeof rejected.then>) => {
        isWatched ||= typeof handlers[1] === 'function';
        return Promise.prototype.then.apply(rejected, handlers);
      },
    });
    sample({ logger })
      .surface({ exposure: () => watched as never })
      .listTools();
    expect(isWatched).toBe(true);
  });
});

describe('a surface inherits the options of its registry', () => {
  test('and overrides only its own options', () => {
    const registry = new ToolRegistry({ exposure: 'flat', policy: { exclude: ['internal'] } }).register(
      createTool('t')
        .action({ name: 'open', handler: () => 1 })
        .action({ name: 'shut', tags: ['internal'], handler: () => 1 }),
    );
    expect(
      registry
        .surface()
        .listTools()
        .map((tool) => tool.name),
    ).toEqual(['t_open']);
    expect(
      registry
        .surface({ exposure: 'grouped' })
        .listTools()
        .map((tool) => tool.name),
    ).toEqual(['t']);
  });

  test('and a misspelt option of a registry is refused, so that no policy is left out by it', () => {
    expect(() => new ToolRegistry({ polcy: { exclude: ['internal'] } } as never)).toThrow(
      refused('polcy', { reason: 'unknown-option' }),
    );
  });
});
