import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineTool, DefinitionError, DuplicateNameError, ToolRegistry } from '../../../src/index.ts';
import type { AnyToolDefinition } from '../../../src/index.ts';

const valid = {
  name: 'add',
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  handler: ({ input }: { input: { a: number; b: number } }) => input.a + input.b,
};

function refusal(change: object): string {
  try {
    new ToolRegistry().registerAll([{ ...valid, ...change }]);
  } catch (error) {
    if (error instanceof DefinitionError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('a definition is checked at registration', () => {
  test.each([
    ['', 'The tool name "" is not allowed: use 1 to 128 letters, digits, "_", "." or "-".'],
    ['sum up', 'The tool name "sum up" is not allowed: use 1 to 128 letters, digits, "_", "." or "-".'],
    ['größe', 'The tool name "größe" is not allowed: use 1 to 128 letters, digits, "_", "." or "-".'],
    ['add\n', 'The tool name "add\\n" is not allowed: use 1 to 128 letters, digits, "_", "." or "-".'],
    [undefined, 'The tool name undefined is not allowed: use 1 to 128 letters, digits, "_", "." or "-".'],
    [7, 'The tool name 7 is not allowed: use 1 to 128 letters, digits, "_", "." or "-".'],
  ])('the name %j is refused', (name, message) => {
    expect(refusal({ name })).toBe(message);
  });

  test('a name may have 128 characters and not one more', () => {
    expect(refusal({ name: 'x'.repeat(128) })).toBe('accepted');
    expect(refusal({ name: 'x'.repeat(129) })).toMatch(/^The tool name "x+" is not allowed/);
  });

  test.each(['__proto__', 'constructor', 'toString', 'a.b-c_D9'])('%s is a name like any other', (name) => {
    expect(refusal({ name })).toBe('accepted');
  });

  test.each([
    [{ description: '' }, 'Tool "add" needs a description: it is what the model chooses the tool by.'],
    [{ description: 7 }, 'Tool "add" needs a description: it is what the model chooses the tool by.'],
    [
      { inputSchema: undefined },
      'Tool "add" needs an inputSchema; for a tool without arguments: z.object({}).',
    ],
    [{ handler: 'add' }, 'Tool "add": handler must be a function, not string.'],
    [{ handler: undefined }, 'Tool "add": handler must be a function, not undefined.'],
    [{ defaultArgumentResolver: {} }, 'Tool "add": defaultArgumentResolver must be a function, not object.'],
    [{ tags: 'math' }, 'Tool "add": tags must be a list of strings.'],
    [{ title: 42 }, 'Tool "add": title must be a string.'],
    [{ category: 7 }, 'Tool "add": category must be a string.'],
    [{ security: 'x' }, 'Tool "add": security must be an object with namespace and operation.'],
    [{ icons: [{}] }, 'Tool "add": icons must be a list of objects with a src.'],
    [{ icons: 5 }, 'Tool "add": icons must be a list of objects with a src.'],
    [{ _meta: { n: 1n } }, 'Tool "add": _meta must be an object that JSON can carry.'],
    [{ unknownArguments: 'rejct' }, `Tool "add": unknownArguments must be 'strip', 'reject' or 'keep'.`],
    [{ structuredText: 'shrt' }, `Tool "add": structuredText must be 'full' or 'short'.`],
    [{ repairArguments: 'no' }, 'Tool "add": repairArguments must be true or false.'],
    [
      { annotations: { readOnlyHint: 'yes' } },
      'Tool "add": annotations must be an object of hints that are true or false, and a title.',
    ],
    [{ secrets: ['pasword'] }, 'Tool "add": secrets names "pasword", which is not an argument of the tool.'],
    [
      { resolvedArguments: ['c'], defaultArgumentResolver: () => ({}) },
      'Tool "add": resolvedArguments names "c", which is not an argument of the tool.',
    ],
    [
      {
        repairArguments: true,
        metadata: { annotations: { destructiveHint: true } },
        annotations: { destructiveHint: undefined },
      },
      'Tool "add" is destructive, so its arguments are never repaired: what is destroyed must be what the caller said. Remove repairArguments.',
    ],
    [{ secrets: [1] }, 'Tool "add": secrets must be a list of strings.'],
    [{ timeoutMs: 0 }, 'Tool "add": timeoutMs must be more than 0 and at most 600000; it is 0.'],
    [{ timeoutMs: Number.NaN }, 'Tool "add": timeoutMs must be more than 0 and at most 600000; it is NaN.'],
    [
      { resolvedArguments: ['a'] },
      'Tool "add" lists resolvedArguments and has no defaultArgumentResolver to supply them.',
    ],
    [
      { annotations: { readOnlyHint: true, destructiveHint: true } },
      'Tool "add" says both readOnlyHint and destructiveHint. Remove one of them.',
    ],
    [
      { repairArguments: true, annotations: { destructiveHint: true } },
      'Tool "add" is destructive, so its arguments are never repaired: what is destroyed must be what the caller said. Remove repairArguments.',
    ],
  ])('the change %# is refused', (change, message) => {
    expect(refusal(change)).toBe(message);
  });

  test('a definition in the place of a list, and a list in the place of a definition', () => {
    expect(() => new ToolRegistry().registerAll(valid as never)).toThrow(
      'registerAll takes a list of definitions; use register for one.',
    );
    expect(() => new ToolRegistry().register([valid] as never)).toThrow(
      'A tool definition must be an object, not a list; use registerAll.',
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

describe('options are checked', () => {
  test.each([
    [
      { unknownArguments: 'rejct' },
      `The registry option unknownArguments must be 'strip', 'reject' or 'keep'; it is "rejct".`,
    ],
    [
      { invalidArguments: 'error' },
      `The registry option invalidArguments must be 'tool-error' or 'protocol-error'; it is "error".`,
    ],
    [
      { structuredText: 'none' },
      `The registry option structuredText must be 'full' or 'short'; it is "none".`,
    ],
    [
      { maxResultBytes: Number.NaN },
      'The registry option maxResultBytes must be a number above 0; it is NaN.',
    ],
    [
      { rateLimit: 100 },
      'The registry option rateLimit must be false or an object: { limit: 100, perMs: 60_000 }.',
    ],
    [{ rateLimit: { limit: 1 } }, 'The registry option rateLimit.perMs must be a number above 0; it is NaN.'],
    [
      { policy: true },
      "The option policy must be a function or an object with rules, such as { exclude: ['internal'] }; it is boolean.",
    ],
    ['calculator', "The options of a registry must be an object: new ToolRegistry({ name: 'calculator' })."],
    [{ maxResultBytes: -1 }, 'The registry option maxResultBytes must be a number above 0; it is -1.'],
    [
      { rateLimit: { limit: Number.NaN, perMs: 1 } },
      'The registry option rateLimit.limit must be a number above 0; it is NaN.',
    ],
    [
      { rateLimit: { limit: 1, perMs: 0 } },
      'The registry option rateLimit.perMs must be a number above 0; it is 0.',
    ],
    [{ timeoutMs: 600_001 }, 'The registry: timeoutMs must be more than 0 and at most 600000; it is 600001.'],
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
      `Tool with name 'add' already exists (claimed by "Adds two numbers" in registry "calc" and by "Sums up" in registry "calc"). Rename one of them, or mount one under a prefix.`,
    );
  });

  test('registerAll adds all tools or none', () => {
    const registry = new ToolRegistry().register(valid);
    const other = defineTool({ ...valid, name: 'other' });
    expect(() => registry.registerAll([other, valid as unknown as AnyToolDefinition])).toThrow(
      "Tool with name 'add' already exists",
    );
    expect(() => registry.registerAll([other, other])).toThrow("Tool with name 'other' already exists");
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
    expect(() => registry.registerAll(sly())).toThrow("Tool with name 'a' already exists");
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

  test('a listener that throws disturbs nobody', () => {
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
  // JavaScript does not mind that a listener should return nothing.
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
