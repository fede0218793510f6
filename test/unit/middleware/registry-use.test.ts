import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { answer, createTool, defineMiddleware, error, ToolRegistry } from '../../../src/index.ts';
import type { AnyToolDefinition, McpCallToolResult, Middleware } from '../../../src/index.ts';
import { duplicate, refused, unknownTool } from '../../support/refused.ts';

const textOf = ({ content }: McpCallToolResult): unknown => (content[0] as { text?: unknown }).text;
const deny = defineMiddleware(() => answer(error('denied')));

/** A definition that its owner changes later. */
type Writable = { -readonly [TKey in keyof AnyToolDefinition]: AnyToolDefinition[TKey] };

function single(name: string, more: object = {}): AnyToolDefinition {
  return {
    name,
    description: `Does ${name}`,
    inputSchema: z.object({}),
    handler: () => `ran ${name}`,
    ...more,
  };
}

/** A middleware that records the calls it wraps. */
function tracer(label: string, trace: string[]): Middleware {
  return defineMiddleware(({ subject, next }) => {
    trace.push(`${label}: ${subject.name}`);
    return next();
  });
}

describe('registry.use', () => {
  test('wraps tools registered before and after it', async () => {
    const trace: string[] = [];
    const registry = new ToolRegistry().registerAll([single('before')]);
    registry.register(createTool('grouped').action({ name: 'before', handler: () => 1 }));
    registry.use(tracer('global', trace));
    registry.registerAll([single('after')]);
    registry.register(createTool('grouped').action({ name: 'after', handler: () => 1 }), { merge: true });
    for (const name of ['before', 'after']) await registry.executeTool({ name });
    for (const action of ['before', 'after'])
      await registry.executeTool({ name: 'grouped', arguments: { action } });
    expect(trace).toEqual([
      'global: before',
      'global: after',
      'global: grouped.before',
      'global: grouped.after',
    ]);
  });

  test('runs in the order of the use() calls, outside the middleware of tools', async () => {
    const trace: string[] = [];
    const registry = new ToolRegistry().registerAll([single('t', { middleware: [tracer('own', trace)] })]);
    registry.use(tracer('first', trace)).use(tracer('second', trace));
    await registry.executeTool({ name: 't' });
    expect(trace).toEqual(['first: t', 'second: t', 'own: t']);
  });

  test('gives back the registry itself, and changes nothing that is listed', () => {
    const registry = new ToolRegistry()
      .registerAll([single('a')])
      .register(createTool('g').action({ name: 'x', handler: () => 1 }));
    const changes: unknown[] = [];
    registry.onChange((change) => changes.push(change));
    const before = registry.listToolsJson();
    expect(registry.use(({ next }) => next())).toBe(registry);
    expect([registry.listToolsJson(), registry.size, changes]).toEqual([before, 2, []]);
  });

  test('keeps names free and taken as they were', () => {
    const registry = new ToolRegistry().registerAll([single('a')]);
    registry.use(({ next }) => next());
    expect(() => registry.registerAll([single('a')])).toThrow(duplicate('Tool', 'a'));
    expect(registry.unregister('a')).toBe(true);
    registry.registerAll([single('a')]);
    expect(registry.size).toBe(1);
  });

  test.each([undefined, null, 'text', {}, []])('refuses %j, which is no function', (given) => {
    expect(() => new ToolRegistry({ name: 'main' }).use(given as never)).toThrow(refused('middleware'));
  });

  test('adds to the context of handlers', async () => {
    const registry = new ToolRegistry().use(defineMiddleware(({ next }) => next({ user: 'Ada' }))).register({
      name: 'who',
      description: 'W',
      inputSchema: z.object({}),
      handler: ({ context }) => context.user,
    });
    expect(textOf(await registry.executeTool({ name: 'who' }))).toBe('Ada');
  });

  test('counts for calls that begin after it, not for those that run', async () => {
    const trace: string[] = [];
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const registry = new ToolRegistry().registerAll([
      single('slow', { handler: () => gate.then(() => 'done') }),
    ]);
    const running = registry.executeTool({ name: 'slow' });
    registry.use(tracer('late', trace));
    release();
    expect([textOf(await running), trace]).toEqual(['done', []]);
    await registry.executeTool({ name: 'slow' });
    expect(trace).toEqual(['late: slow']);
  });

  test('reaches surfaces that exist already', async () => {
    const registry = new ToolRegistry().register(createTool('g').action({ name: 'x', handler: () => 'ran' }));
    const surfaces = [registry.surface({ exposure: 'flat' }), registry.surface({ exposure: 'grouped' })];
    const calls = [{ name: 'g_x' }, { name: 'g', arguments: { action: 'x' } }];
    const answers = async (): Promise<unknown[]> =>
      Promise.all(
        surfaces.map(async (surface, index) => textOf(await surface.executeTool(calls[index] as never))),
      );
    expect(await answers()).toEqual(['ran', 'ran']);
    registry.use(deny);
    expect(await answers()).toEqual(['[g/x] denied', '[g/x] denied']);
  });
});

describe('registry.use and mounted registries', () => {
  test('the middleware of the outer registry wraps the inner one, each with its own name of the tool', async () => {
    const trace: string[] = [];
    const [top, middle, inner] = [new ToolRegistry(), new ToolRegistry(), new ToolRegistry()];
    inner.use(tracer('inner', trace)).registerAll([single('t', { middleware: [tracer('own', trace)] })]);
    middle.use(tracer('middle', trace)).mount('m', inner);
    top.use(tracer('top', trace)).mount('x', middle);
    await top.executeTool({ name: 'x_m_t' });
    expect(trace).toEqual(['top: x_m_t', 'middle: m_t', 'inner: t', 'own: t']);
    trace.length = 0;
    await inner.executeTool({ name: 't' });
    expect(trace).toEqual(['inner: t', 'own: t']);
  });

  test('counts for tools mounted before it, wherever it is called', async () => {
    const trace: string[] = [];
    const [outer, inner] = [new ToolRegistry(), new ToolRegistry().registerAll([single('t')])];
    inner.register(createTool('g').action({ name: 'a', handler: () => 1 }));
    outer.mount('i', inner);
    await outer.executeTool({ name: 'i_t' });
    inner.use(tracer('inner', trace));
    outer.use(tracer('outer', trace));
    await outer.executeTool({ name: 'i_t' });
    await outer.executeTool({ name: 'i_g', arguments: { action: 'a' } });
    expect(trace).toEqual(['outer: i_t', 'inner: t', 'outer: i_g.a', 'inner: g.a']);
  });

  test('the inner middleware sees the members that the outer one adds', async () => {
    const inner = new ToolRegistry().registerAll([
      single('who', { handler: ({ context }: { context: { user?: unknown } }) => context.user }),
    ]);
    const outer = new ToolRegistry();
    outer.use(({ next }) => next({ user: 'Ada' }));
    outer.mount('i', inner);
    expect(textOf(await outer.executeTool({ name: 'i_who' }))).toBe('Ada');
  });

  test('an outer one that denies keeps the inner one from running', async () => {
    const trace: string[] = [];
    const inner = new ToolRegistry().use(tracer('inner', trace)).registerAll([single('t')]);
    const outer = new ToolRegistry();
    outer.mount('i', inner);
    outer.use(deny);
    expect([textOf(await outer.executeTool({ name: 'i_t' })), trace]).toEqual(['denied', []]);
  });
});

describe('registry.use and the search tools', () => {
  test('wraps each of them, and once the tools that are called through them', async () => {
    const trace: string[] = [];
    const registry = new ToolRegistry({ exposure: 'search' }).registerAll([single('weather')]);
    registry.use(tracer('global', trace));
    await registry.executeTool({ name: 'search_tools', arguments: { query: 'weather' } });
    await registry.executeTool({ name: 'describe_tool', arguments: { names: ['weather'] } });
    const called = await registry.executeTool({ name: 'call_tool', arguments: { name: 'weather' } });
    expect(textOf(called)).toBe('ran weather');
    expect(trace).toEqual(['global: search_tools', 'global: describe_tool', 'global: weather']);
  });

  test('of a surface made before it', async () => {
    const registry = new ToolRegistry().registerAll([single('weather')]);
    const surface = registry.surface({ exposure: 'search' });
    const search = { name: 'search_tools', arguments: { query: 'weather' } };
    expect((await surface.executeTool(search)).isError).toBeUndefined();
    registry.use(deny);
    expect(textOf(await surface.executeTool(search))).toBe('denied');
  });
});

describe('chains are composed once', () => {
  test('a list of middleware that is changed after registration has no effect', async () => {
    const list: Middleware[] = [deny];
    const registry = new ToolRegistry()
      .registerAll([single('t', { middleware: list })])
      .register(createTool('g').action({ name: 'a', middleware: list, handler: () => 'ran' }));
    list.length = 0;
    expect(textOf(await registry.executeTool({ name: 't' }))).toBe('denied');
    expect(textOf(await registry.executeTool({ name: 'g', arguments: { action: 'a' } }))).toBe(
      '[g/a] denied',
    );
  });

  test('also when the registry composes anew because it got a middleware', async () => {
    const list: Middleware[] = [deny];
    const registry = new ToolRegistry()
      .registerAll([single('t', { middleware: list })])
      .register(createTool('g').action({ name: 'a', middleware: list, handler: () => 'ran' }));
    list.length = 0;
    registry.use(({ next }) => next());
    expect(textOf(await registry.executeTool({ name: 't' }))).toBe('denied');
    expect(textOf(await registry.executeTool({ name: 'g', arguments: { action: 'a' } }))).toBe(
      '[g/a] denied',
    );
  });

  test('the policy subject stays as registered, also then', async () => {
    const scopes = ['admin'];
    const registry = new ToolRegistry()
      .registerAll([single('t', { scopes })])
      .register(createTool('g').action({ name: 'a', scopes, handler: () => 'ran' }));
    scopes.length = 0;
    registry.use(({ next }) => next());
    expect(registry.listTools()).toEqual([]);
    expect(textOf(await registry.executeTool({ name: 't' }))).toBe(unknownTool('t').message);
    expect(textOf(await registry.executeTool({ name: 'g', arguments: { action: 'a' } }))).toBe(
      unknownTool('g').message,
    );
  });

  test('a definition that is changed after registration keeps its name and handler, also then', async () => {
    const definition: Writable = { ...single('t') };
    const registry = new ToolRegistry().registerAll([definition, single('other')]);
    definition.name = 'other';
    definition.handler = () => 'replaced';
    registry.use(({ next }) => next());
    expect(registry.listTools().map(({ name }) => name)).toEqual(['t', 'other']);
    expect(textOf(await registry.executeTool({ name: 't' }))).toBe('ran t');
  });

  test('a builder that is used elsewhere is not changed by what a registry uses', async () => {
    const builder = createTool('g').action({ name: 'a', handler: () => 'ran' });
    const registry = new ToolRegistry();
    registry.use(deny);
    registry.register(builder);
    const other = new ToolRegistry().register(builder);
    expect(textOf(await other.executeTool({ name: 'g', arguments: { action: 'a' } }))).toBe('ran');
    expect(textOf(await builder.execute({}, { action: 'a' }))).toBe('ran');
  });
});
