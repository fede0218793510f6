import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createServer,
  defineTool,
  DuplicateNameError,
  PromptsManager,
  ResourcesManager,
  ToolRegistry,
} from '../../../src/index.ts';
import type { AnyToolDefinition } from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';
import type { LogEntry } from '../../support/log-recorder.ts';
import { duplicate, refused } from '../../support/refused.ts';

const valid = {
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  handler: ({ input }: { input: { a: number; b: number } }) => input.a + input.b,
};

const register =
  (change: object): (() => unknown) =>
  () =>
    new ToolRegistry().registerAll([{ ...valid, ...change }]);

test('registries and managers are shown under their public names', () => {
  const parts = [new ToolRegistry(), new PromptsManager(), new ResourcesManager()];
  expect(parts.map(({ constructor }) => constructor.name)).toEqual([
    'ToolRegistry',
    'PromptsManager',
    'ResourcesManager',
  ]);
});

describe('a definition is checked at registration', () => {
  test.each([
    ['', refused('name')],
    ['sum up', refused('name')],
    ['größe', refused('name')],
    ['add\n', refused('name')],
    [undefined, refused('name')],
    [7, refused('name')],
  ])('the name %j is refused', (name, message) => {
    expect(register({ name })).toThrow(message);
  });

  test('a name may have 128 characters and not one more', () => {
    expect(register({ name: 'x'.repeat(128) })).not.toThrow();
    expect(register({ name: 'x'.repeat(129) })).toThrow(refused('name'));
  });

  test.each(['__proto__', 'constructor', 'toString', 'a.b-c_D9'])('%s is a name like any other', (name) => {
    expect(register({ name })).not.toThrow();
  });

  test.each([
    [{ description: '' }, refused('description')],
    [{ description: 7 }, refused('description')],
    [{ inputSchema: undefined }, refused('inputSchema')],
    [{ handler: 'add' }, refused('handler')],
    [{ handler: undefined }, refused('handler')],
    [{ defaultArgumentResolver: {} }, refused('defaultArgumentResolver')],
    [{ tags: 'math' }, refused('tags')],
    [{ title: 42 }, refused('title')],
    [{ category: 7 }, refused('category')],
    [{ security: 'x' }, refused('security')],
    [{ icons: [{}] }, refused('icons')],
    [{ icons: 5 }, refused('icons')],
    [{ _meta: { n: 1n } }, refused('_meta')],
    [{ unknownArguments: 'rejct' }, refused('unknownArguments')],
    [{ structuredText: 'shrt' }, refused('structuredText')],
    [{ repairArguments: 'no' }, refused('repairArguments')],
    [{ annotations: { readOnlyHint: 'yes' } }, refused('annotations')],
    [{ annotations: { costHint: 1n } }, refused('annotations')],
    [{ annotations: { extensions: 'x' } }, refused('annotations')],
    [{ secrets: ['pasword'] }, 'Tool "add": unknown argument "pasword" in secrets.'],
    [
      { resolvedArguments: ['c'], defaultArgumentResolver: () => ({}) },
      'Tool "add": unknown argument "c" in resolvedArguments.',
    ],
    [
      {
        repairArguments: true,
        metadata: { annotations: { destructiveHint: true } },
        annotations: { destructiveHint: undefined },
      },
      'Tool "add" is destructive, so its arguments are never repaired: it must receive exactly what the caller sent. Remove repairArguments.',
    ],
    [{ secrets: [1] }, refused('secrets')],
    [{ timeoutMs: 0 }, refused('timeoutMs')],
    [{ timeoutMs: Number.NaN }, refused('timeoutMs')],
    [
      { resolvedArguments: ['a'] },
      'Tool "add" has resolvedArguments but no defaultArgumentResolver. Add one, or remove resolvedArguments.',
    ],
    [
      { annotations: { readOnlyHint: true, destructiveHint: true } },
      'Tool "add" has both readOnlyHint and destructiveHint. Remove one of them.',
    ],
    [
      { repairArguments: true, annotations: { destructiveHint: true } },
      'Tool "add" is destructive, so its arguments are never repaired: it must receive exactly what the caller sent. Remove repairArguments.',
    ],
  ])('the change %# is refused', (change, message) => {
    expect(register(change)).toThrow(message);
  });

  test.each([
    ['readOnly', 'annotations.readOnlyHint'],
    ['destructive', 'annotations.destructiveHint'],
    ['idempotent', 'annotations.idempotentHint'],
    ['schema', 'inputSchema'],
    ['parameters', 'inputSchema'],
    ['execute', 'handler'],
  ])('the member %s is said to be %s', (member, meant) => {
    const given = { name: 'add', description: 'Adds', [member]: true };
    expect(() => new ToolRegistry().register(given as never)).toThrow(
      `Unknown option "${member}" of tool "add". Did you mean "${meant}"?`,
    );
  });

  test('a definition in the place of a list, and a list in the place of a definition', () => {
    expect(() => new ToolRegistry().registerAll(valid as never)).toThrow(
      'registerAll takes an array of definitions. Use register for a single one.',
    );
    expect(() => new ToolRegistry().register([valid] as never)).toThrow(
      'A tool definition must be an object, not an array; use registerAll.',
    );
  });

  test('something that is no object is refused', () => {
    expect(() => new ToolRegistry().registerAll([null as never])).toThrow(
      'A tool definition must be an object, not null.',
    );
  });

  test('a schema that cannot be served is refused with the name of the tool', () => {
    const registry = new ToolRegistry();
    expect(() => registry.register({ ...valid, inputSchema: z.string(), handler: () => 1 })).toThrow(
      'Tool "add": the input schema must describe an object, because the arguments of a tool are an object; it accepts string. Wrap it, for example: z.object({ value: … }).',
    );
    expect(registry.size).toBe(0);
  });
});

describe('a resolver that does not say what it supplies', () => {
  const registered = (change: object): LogEntry[] => {
    const { logger, entries } = recordLog();
    const inputSchema = z.object({ budget: z.string(), limit: z.number().optional() });
    const defaults = { defaultArgumentResolver: () => ({ budget: 'home' }) };
    const definition = { name: 'list', description: 'Lists', inputSchema, handler: () => 1 };
    const registry = new ToolRegistry({ logger }).register({ ...definition, ...defaults, ...change });
    createServer({ name: 'a', version: '1', tools: registry, logger, unknownArguments: 'reject' });
    return entries;
  };

  test('is told once that its arguments are advertised as required', () => {
    expect(registered({})).toEqual([
      {
        level: 'warning',
        message:
          'the tool has a defaultArgumentResolver and no resolvedArguments: these arguments are advertised as required. List those that it can supply in resolvedArguments',
        fields: { tool: 'list', required: ['budget'] },
      },
    ]);
  });

  test.each([
    ['what it supplies is listed', { resolvedArguments: ['budget'] }],
    ['nothing required is supplied', { resolvedArguments: [] }],
    ['nothing is required', { inputSchema: z.object({ budget: z.string().optional() }) }],
  ])('is told nothing if %s', (_case, change) => {
    expect(registered(change)).toEqual([]);
  });
});

describe('options are checked', () => {
  test.each([
    [{ unknownArguments: 'rejct' }, refused('unknownArguments')],
    [{ invalidArguments: 'error' }, refused('invalidArguments')],
    [{ structuredText: 'none' }, refused('structuredText')],
    [{ maxResultBytes: Number.NaN }, refused('maxResultBytes')],
    [{ rateLimit: 100 }, refused('rateLimit')],
    [{ rateLimit: { limit: 1 } }, refused('rateLimit', { path: ['perMs'] })],
    [{ policy: true }, refused('policy')],
    ['calculator', 'Invalid options of ToolRegistry: expected an object with: name, createContext, policy'],
    [{ maxResultBytes: -1 }, refused('maxResultBytes')],
    [{ rateLimit: { limit: Number.NaN, perMs: 1 } }, refused('rateLimit', { path: ['limit'] })],
    [{ rateLimit: { limit: 1, perMs: 0 } }, refused('rateLimit', { path: ['perMs'] })],
    [{ timeoutMs: 600_001 }, refused('timeoutMs')],
  ])('%j is refused', (options, message) => {
    expect(() => new ToolRegistry(options as never)).toThrow(message);
  });
});

describe('a name is claimed once', () => {
  test('the second registration is refused and both claimants are named', () => {
    const registry = new ToolRegistry({ name: 'calc' }).register(valid);
    const again = (): unknown => registry.register({ ...valid, description: 'Sums up' });
    expect(again).toThrow(DuplicateNameError);
    expect(again).toThrow(
      duplicate('Tool', 'add', ['"Adds two numbers" in registry "calc"', '"Sums up" in registry "calc"']),
    );
  });

  test('registerAll adds all tools or none', () => {
    const registry = new ToolRegistry().register(valid);
    const other = defineTool({ ...valid, name: 'other' });
    expect(() => registry.registerAll([other, valid as unknown as AnyToolDefinition])).toThrow(
      duplicate('Tool', 'add'),
    );
    expect(() => registry.registerAll([other, other])).toThrow(duplicate('Tool', 'other'));
    expect(registry.listTools().map((tool) => tool.name)).toEqual(['add']);
  });

  test('an iterator that registers in between gets no name twice', () => {
    const registry = new ToolRegistry();
    const definition = (name: string): AnyToolDefinition => ({ ...valid, name });
    const sly = function* (): Generator<AnyToolDefinition> {
      yield definition('a');
      registry.registerAll([definition('a')]);
      yield definition('b');
    };
    expect(() => registry.registerAll(sly())).toThrow(duplicate('Tool', 'a'));
    expect(registry.listTools().map((tool) => tool.name)).toEqual(['a']);
  });

  test('a name is free again after unregister', () => {
    const registry = new ToolRegistry().register(valid);
    expect(registry.unregister('add')).toBe(true);
    expect(registry.unregister('add')).toBe(false);
    expect(registry.has('add')).toBe(false);
    registry.register(valid);
    expect(registry.size).toBe(1);
  });
});

describe('changes are announced', () => {
  test('once per change, with the names that came and went, after the change', () => {
    const registry = new ToolRegistry();
    const seen: unknown[] = [];
    const stop = registry.onChange((change) => seen.push([change, registry.size]));
    registry.registerAll([valid, defineTool({ ...valid, name: 'b' })]);
    registry.unregister('add');
    registry.clear();
    stop();
    registry.register(valid);
    expect(seen).toEqual([
      [{ added: ['add', 'b'], removed: [] }, 2],
      [{ added: [], removed: ['add'] }, 1],
      [{ added: [], removed: ['b'] }, 0],
    ]);
  });

  test('a listener that throws has no effect on others', () => {
    const entries: string[] = [];
    const logger = {
      debug() {},
      info() {},
      warning() {},
      error: (message: string) => void entries.push(message),
    };
    const registry = new ToolRegistry({ logger });
    let heard = 0;
    registry.onChange(() => {
      throw new Error('listener');
    });
    registry.onChange(() => (heard += 1));
    registry.register(valid);
    expect([heard, entries]).toEqual([1, ['a change listener failed']]);
  });
});

test('a listener that rejects later ends nothing, and is logged', async () => {
  const entries: string[] = [];
  const logger = {
    debug() {},
    info() {},
    warning() {},
    error: (message: string) => void entries.push(message),
  };
  const registry = new ToolRegistry({ logger });
  // In JavaScript a listener may return a value.
  const listener: () => unknown = async () => {
    throw new Error('later');
  };
  registry.onChange(listener);
  registry.register(valid);
  await new Promise((resolve) => setImmediate(resolve));
  expect(entries).toEqual(['a change listener failed']);
});

describe('two registries share nothing', () => {
  test('tools, limits and caches of one are not those of the other', async () => {
    const rateLimit = { limit: 1, perMs: 1000 };
    const [one, two] = [new ToolRegistry({ rateLimit }), new ToolRegistry({ rateLimit })];
    for (const registry of [one, two]) {
      registry.register({
        name: 'count',
        description: 'Counts cached values',
        inputSchema: z.object({}),
        handler: async ({ context }) => {
          const before = (await context.cache.get<number>('n')) ?? 0;
          await context.cache.set('n', before + 1);
          return before;
        },
      });
    }
    const texts = [];
    for (const registry of [one, two]) texts.push((await registry.executeTool({ name: 'count' })).content[0]);
    expect(texts).toEqual([
      { type: 'text', text: '0' },
      { type: 'text', text: '0' },
    ]);
  });
});
