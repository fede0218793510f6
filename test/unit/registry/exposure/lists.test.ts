import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../../../src/index.ts';
import { DEFAULT_STRATEGIES } from '../../../../src/strategies.ts';
import type {
  Caller,
  Exposure,
  RegistryChange,
  SurfaceOptions,
  ToolDefinition,
} from '../../../../src/index.ts';
import type { GroupedToolStrategies } from '../../../../src/strategies.ts';
import { remember } from '../../../../src/base/remember.ts';
import { recordLog } from '../../../support/log-recorder.ts';
import { duplicate, refused } from '../../../support/refused.ts';

const single = (name: string, scopes: string[] = []): ToolDefinition<z.ZodObject> => ({
  name,
  description: `The tool ${name}`,
  scopes,
  inputSchema: z.object({ n: z.number().default(1) }),
  handler: () => name,
});

function sample(options: ConstructorParameters<typeof ToolRegistry>[0] = {}): ToolRegistry {
  return new ToolRegistry(options)
    .register(
      createTool('notes')
        .action({ name: 'list', readOnly: true, handler: () => 'listed' })
        .action({ name: 'add', scopes: ['write'], schema: z.object({ t: z.string() }), handler: () => 1 }),
    )
    .register(single('ping'))
    .register(single('wipe', ['admin']));
}

const by = (id: string, ...scopes: string[]): Caller => ({ principal: { id, scopes } });
const EXPOSURES: Exposure[] = ['grouped', 'flat', 'search', 'auto'];

describe('the text of a list', () => {
  test.each(EXPOSURES)('%s: is one string for all callers who see the same, made once', (exposure) => {
    const surface = sample().surface({ exposure });
    const text = surface.listToolsJson(by('ada', 'write'));
    expect(Object.is(text, surface.listToolsJson(by('ada', 'write')))).toBe(true);
    expect(Object.is(text, surface.listToolsJson(by('bob', 'write', 'other')))).toBe(true);
    const [own] = surface.listTools(by('ada', 'write'));
    expect(surface.listTools(by('bob', 'write'))[0]).toBe(own);
  });

  test('differs between callers who see different things, and is what they see', () => {
    const surface = sample().surface();
    const seen = (caller: Caller): unknown =>
      (JSON.parse(surface.listToolsJson(caller)) as { tools: { name: string }[] }).tools.map(
        ({ name }) => name,
      );
    expect(seen({})).toEqual(['notes', 'ping']);
    expect(seen(by('ada', 'admin'))).toEqual(['notes', 'ping', 'wipe']);
    expect(surface.listToolsJson({})).not.toBe(surface.listToolsJson(by('ada', 'write')));
  });

  test('is made anew after a change and only then', () => {
    const registry = sample();
    const surface = registry.surface({ exposure: 'flat' });
    const before = surface.listToolsJson();
    expect(registry.surface({ exposure: 'flat' }).listToolsJson()).toBe(before);
    registry.register(single('more'));
    const after = surface.listToolsJson();
    expect(after).not.toBe(before);
    expect(after).toContain('"more"');
    expect(Object.is(after, surface.listToolsJson())).toBe(true);
    registry.unregister('more');
    expect(surface.listToolsJson()).toBe(before);
  });

  test('a refused registration leaves it as it is', () => {
    const registry = sample();
    const before = registry.listToolsJson();
    expect(() => registry.register(single('ping'))).toThrow(duplicate('Tool', 'ping'));
    expect(Object.is(registry.listToolsJson(), before)).toBe(true);
  });

  test.each(EXPOSURES)('%s: has the same bytes in every registry that is built alike', (exposure) => {
    for (const schemaProfile of ['full', 'no-ref', 'no-union'] as const)
      expect(sample().surface({ exposure, schemaProfile }).listToolsJson(by('a', 'write'))).toBe(
        sample().surface({ exposure, schemaProfile }).listToolsJson(by('b', 'write')),
      );
  });

  test('says the same as the list', () => {
    for (const exposure of EXPOSURES) {
      const surface = sample().surface({ exposure });
      expect(JSON.parse(surface.listToolsJson(by('a', 'admin')))).toEqual({
        tools: surface.listTools(by('a', 'admin')),
      });
    }
  });

  test('callers of 300 different kinds each get their own, and old ones are made anew, alike', () => {
    const registry = new ToolRegistry();
    for (let index = 0; index < 9; index += 1) registry.register(single(`t${index}`, [`s${index}`]));
    const surface = registry.surface({ exposure: 'flat' });
    const caller = (kind: number): Caller =>
      by(
        `p${kind}`,
        ...Array.from({ length: 9 }, (_, bit) => `s${bit}`).filter((_, bit) => kind & (1 << bit)),
      );
    const expected = (kind: number): string[] =>
      Array.from({ length: 9 }, (_, bit) => `t${bit}`).filter((_, bit) => kind & (1 << bit));
    const texts = Array.from({ length: 300 }, (_, kind) => surface.listToolsJson(caller(kind)));
    expect(new Set(texts).size).toBe(300);
    for (let kind = 0; kind < 300; kind += 1) {
      expect(surface.listTools(caller(kind)).map((tool) => tool.name)).toEqual(expected(kind));
      expect(surface.listToolsJson(caller(kind))).toBe(texts[kind]);
    }
  });

  test('is generated once for a kind of callers, and once more after a change', () => {
    let generated = 0;
    const counting: GroupedToolStrategies['descriptionGenerator'] = (source) => {
      generated += 1;
      return DEFAULT_STRATEGIES.descriptionGenerator(source);
    };
    const registry = new ToolRegistry().register(
      createTool('g', { strategies: { descriptionGenerator: counting } })
        .action({ name: 'a', handler: () => 1 })
        .action({ name: 'b', scopes: ['write'], handler: () => 1 }),
    );
    const surface = registry.surface();
    const countOf = (...callers: Caller[]): number => {
      generated = 0;
      for (const caller of callers) surface.listToolsJson(caller);
      return generated;
    };
    expect(countOf({}, by('ada'), by('bob', 'other'))).toBe(1);
    expect(countOf(by('ada', 'write'), by('bob', 'write'), {})).toBe(1);
    registry.register(single('more'));
    expect(countOf({}, by('ada'), {})).toBe(1);
  });

  test('the cache is bounded, and the oldest entry is evicted first', () => {
    const known = new Map<number, string>();
    let made = 0;
    const read = (key: number): string =>
      remember(known, key, { max: 3, make: () => `${key}: ${(made += 1)}` });
    for (let key = 0; key < 300; key += 1) expect(read(key)).toBe(`${key}: ${key + 1}`);
    expect([...known.keys()]).toEqual([297, 298, 299]);
    expect(read(299)).toBe('299: 300');
    expect(read(0)).toBe('0: 301');
    expect([...known.keys()]).toEqual([298, 299, 0]);
  });
});

describe('a surface', () => {
  test('made before a change sees it, in list and call', async () => {
    const registry = new ToolRegistry();
    const surface = registry.surface({ exposure: 'flat' });
    expect(surface.listTools()).toEqual([]);
    expect((await surface.handleCall({ name: 'notes_list' })).kind).toBe('protocol-error');
    registry.register(createTool('notes').action({ name: 'list', handler: () => 'listed' }));
    expect(surface.listTools().map((tool) => tool.name)).toEqual(['notes_list']);
    expect((await surface.executeTool({ name: 'notes_list' })).content).toEqual([
      { type: 'text', text: 'listed' },
    ]);
    registry.clear();
    expect(surface.listTools()).toEqual([]);
  });

  test('sees what a mounted registry gains and loses', () => {
    const [outer, inner] = [new ToolRegistry(), new ToolRegistry({ name: 'inner' })];
    outer.mount('in', inner);
    const surface = outer.surface({ exposure: 'flat' });
    const names = (): string[] => surface.listTools().map((tool) => tool.name);
    inner.register(createTool('g').action({ name: 'a', handler: () => 1 }));
    expect(names()).toEqual(['in_g_a']);
    inner.register(createTool('g').action({ name: 'b', handler: () => 1 }), { merge: true });
    expect(names()).toEqual(['in_g_a', 'in_g_b']);
    inner.unregister('g');
    expect(names()).toEqual([]);
  });

  test('sees middleware that the registry uses later', async () => {
    const registry = sample();
    const surface = registry.surface({ exposure: 'flat' });
    surface.listTools();
    const seen: string[] = [];
    registry.use(({ subject, next }) => {
      seen.push(subject.name);
      return next();
    });
    await surface.executeTool({ name: 'notes_list' });
    expect(seen).toEqual(['notes.list']);
  });

  test('announces every change of the registry, by canonical names, until it is told to stop', () => {
    const registry = sample();
    const changes: RegistryChange[] = [];
    const stop = registry.surface({ exposure: 'search' }).onChange((change) => changes.push(change));
    registry.register(createTool('more').action({ name: 'a', handler: () => 1 }));
    registry.unregister('ping');
    stop();
    registry.unregister('more');
    expect(changes).toEqual([
      { added: ['more.a'], removed: [] },
      { added: [], removed: ['ping'] },
    ]);
  });

  test('listeners find the new list already in place', () => {
    const registry = sample();
    const surface = registry.surface({ exposure: 'flat' });
    surface.listToolsJson();
    let seen = '';
    surface.onChange(() => (seen = surface.listToolsJson()));
    registry.register(single('fresh'));
    expect(seen).toContain('"fresh"');
  });

  test('does not disturb others: two surfaces and the registry each keep their own way', () => {
    const registry = sample();
    const names = (options?: SurfaceOptions): string[] =>
      registry
        .surface(options)
        .listTools()
        .map((tool) => tool.name);
    expect(names({ exposure: 'flat', policy: { readOnly: true } })).toEqual(['notes_list']);
    expect(names({ splitReadWrite: true })).toEqual(['notes_read', 'ping']);
    expect(registry.listTools().map((tool) => tool.name)).toEqual(['notes', 'ping']);
  });
});

/** A server with the two handlers that attaching needs. */
class FakeServer {
  readonly handlers = new Map<string, (request: object, extra: object) => unknown>();
  readonly transport = {};
  announced = 0;
  readonly _requestHandlers = this.handlers;
  setRequestHandler(schema: unknown, handler: (request: object, extra: object) => unknown): void {
    this.handlers.set(String(schema), handler);
  }
  registerCapabilities(): void {}
  async sendToolListChanged(): Promise<void> {
    this.announced += 1;
  }
}

describe('attaching with options of a surface', () => {
  test.each<[SurfaceOptions, string[]]>([
    [{ exposure: 'flat' }, ['notes_list', 'ping']],
    [{ exposure: 'search' }, ['search_tools', 'describe_tool', 'call_tool']],
    [{ splitReadWrite: true }, ['notes_read', 'ping']],
    [{ policy: { names: ['ping'] } }, ['ping']],
    [{}, ['notes', 'ping']],
  ])('%j shows %j', async (options, names) => {
    const { Server } = await import('@modelcontextprotocol/server');
    const server = new Server({ name: 's', version: '1' });
    const detach = sample().attachToServer(server, options);
    const { connectPair, SDK_CLIENTS } = await import('../../../support/sdk.ts');
    const client = SDK_CLIENTS['v2 Client']?.();
    if (client === undefined) throw new Error('no such client');
    await connectPair(server, client);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(names);
    detach();
    await client.close();
  });

  test('an option that is wrong is refused before the server is touched', () => {
    const { logger } = recordLog();
    const server = new FakeServer();
    expect(() => sample({ logger }).attachToServer(server, { exposure: 'tree' as never })).toThrow(
      refused('exposure'),
    );
    expect(server.handlers.size).toBe(0);
  });
});
