import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { tool, toolFor, toolsFrom, ToolRegistry } from '../../../src/index.ts';

/** Domain code that is independent of MCP. */
const domain = {
  executeTests: ({ node_ids }: { node_ids: string[] }) => ({ passed: node_ids.length }),
  discoverTests: ({ path }: { path: string }) => ({ tests: [`${path}/test_a.py`] }),
};

const executeParams = z.object({ node_ids: z.array(z.string()).default([]) });
const discoverParams = z.object({ path: z.string() });

class PytestTools {
  readonly calls: string[] = [];

  @tool({
    description: 'Runs tests',
    inputSchema: executeParams,
    outputSchema: z.object({ passed: z.number() }),
  })
  execute_tests(input: z.infer<typeof executeParams>): { passed: number } {
    this.calls.push('execute_tests');
    return domain.executeTests(input);
  }

  @tool({ description: 'Finds tests', inputSchema: discoverParams })
  discover_tests = domain.discoverTests;

  @tool({ name: 'who', description: 'Says who calls', inputSchema: z.object({}) })
  whoCalls(_input: object, context: { readonly name: string }): string {
    return context.name;
  }

  helper(): string {
    return 'not a tool';
  }
}

const call = async (registry: ToolRegistry, name: string, args: object = {}): Promise<unknown> =>
  (await registry.executeTool({ name, arguments: args })).content[0];

describe('a decorated class', () => {
  test('gives its tools, named after the methods unless given another name', () => {
    expect(
      toolsFrom(new PytestTools())
        .map((definition) => definition.name)
        .toSorted(),
    ).toEqual(['discover_tests', 'execute_tests', 'who']);
  });

  test('is called with this, validated input and context', async () => {
    const tools = new PytestTools();
    const registry = new ToolRegistry().registerAll(toolsFrom(tools));
    expect(
      await registry.executeTool({ name: 'execute_tests', arguments: { node_ids: ['a', 'b'] } }),
    ).toEqual({
      content: [{ type: 'text', text: '{"passed":2}' }],
      structuredContent: { passed: 2 },
    });
    expect(await call(registry, 'execute_tests')).toEqual({ type: 'text', text: '{"passed":0}' });
    expect(await call(registry, 'discover_tests', { path: 'tests' })).toEqual({
      type: 'text',
      text: '{"tests":["tests/test_a.py"]}',
    });
    expect(await call(registry, 'who')).toEqual({ type: 'text', text: 'who' });
    expect(tools.calls).toEqual(['execute_tests', 'execute_tests']);
  });

  test('answers wrong input with the field at fault', async () => {
    const registry = new ToolRegistry().registerAll(toolsFrom(new PytestTools()));
    expect(await call(registry, 'discover_tests', { path: 7 })).toMatchObject({
      text: expect.stringContaining('- path: Invalid input: expected string, received number') as string,
    });
  });

  test('keeps instances apart', async () => {
    class Counter {
      #count = 0;
      @tool({ description: 'Counts', inputSchema: z.object({}) })
      count(): number {
        this.#count += 1;
        return this.#count;
      }
    }
    const [one, two] = [new Counter(), new Counter()].map((counter) =>
      new ToolRegistry().registerAll(toolsFrom(counter)),
    );
    if (one === undefined || two === undefined) throw new Error('unreachable');
    await call(one, 'count');
    expect([await call(one, 'count'), await call(two, 'count')]).toEqual([
      { type: 'text', text: '2' },
      { type: 'text', text: '1' },
    ]);
  });

  test('lends its tools to a subclass, which may override a method or decorate it anew', async () => {
    class Base {
      @tool({ description: 'A of base', inputSchema: z.object({}) })
      a(): string {
        return 'base a';
      }
      @tool({ description: 'B of base', inputSchema: z.object({}) })
      b(): string {
        return 'base b';
      }
    }
    class Derived extends Base {
      override a(): string {
        return 'derived a';
      }
      @tool({ description: 'B of derived', inputSchema: z.object({}) })
      override b(): string {
        return 'derived b';
      }
    }
    const registry = new ToolRegistry().registerAll(toolsFrom(new Derived()));
    expect(registry.listTools().map((listed) => listed.description)).toEqual(['A of base', 'B of derived']);
    expect([await call(registry, 'a'), await call(registry, 'b')]).toEqual([
      { type: 'text', text: 'derived a' },
      { type: 'text', text: 'derived b' },
    ]);
  });

  test('may have static tools, found on the class', async () => {
    class Maths {
      @tool({ description: 'Doubles', inputSchema: z.object({ n: z.number() }) })
      static double(input: { n: number }): number {
        return input.n * 2;
      }
    }
    const registry = new ToolRegistry().registerAll(toolsFrom(Maths));
    expect(await call(registry, 'double', { n: 4 })).toEqual({ type: 'text', text: '8' });
  });

  test('may ask for a context of its own', async () => {
    const appTool = toolFor<{ user: string }>();
    class Tools {
      @appTool({ description: 'W', inputSchema: z.object({}) })
      whoami(_input: object, context: { readonly user: string }): string {
        return context.user;
      }
    }
    const registry = new ToolRegistry<{ user: string }>({ createContext: () => ({ user: 'ada' }) });
    registry.registerAll(toolsFrom(new Tools()));
    expect((await registry.executeTool({ name: 'whoami' })).content).toEqual([{ type: 'text', text: 'ada' }]);
  });
});

describe('mistakes are told', () => {
  test('toolsFrom on something without tools', () => {
    expect(() => toolsFrom(PytestTools)).toThrow(
      'toolsFrom found no member decorated with @tool on class PytestTools. Pass an instance of the class, not the class, unless the members are static.',
    );
    expect(() => toolsFrom({})).toThrow('toolsFrom found no member decorated with @tool on Object.');
    expect(() => toolsFrom(null as never)).toThrow('toolsFrom found no member decorated with @tool on null.');
    expect(() => toolsFrom(Object.create(null) as object)).toThrow('on an object without a class.');
  });

  test('@tool on a private or symbol-named method', () => {
    const decorate = (name: string | symbol, isPrivate: boolean): void =>
      tool({ description: 'X', inputSchema: z.object({}) })(() => 1, {
        kind: 'method',
        name,
        private: isPrivate,
      } as ClassMethodDecoratorContext);
    expect(() => decorate('#x', true)).toThrow('@tool needs a public method with a name, not #x.');
    expect(() => decorate(Symbol('x'), false)).toThrow(
      '@tool needs a public method with a name, not Symbol(x).',
    );
    const legacy = tool({ description: 'X', inputSchema: z.object({}) }) as (...given: unknown[]) => void;
    expect(() => legacy({}, Symbol('x'), {})).toThrow('not Symbol(x).');
    expect(() => legacy(class {})).toThrow('not undefined.');
  });
});
