import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { answer, createTool, error, ToolRegistry } from '../../../src/index.ts';
import type {
  Caller,
  GroupedToolBuilder,
  Policy,
  PolicyRules,
  PolicySubject,
  ToolRegistryOptions,
} from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { refused } from '../../support/refused.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const by = (...scopes: string[]): Caller => ({ principal: { id: 'ada', scopes } });

function shop(): GroupedToolBuilder {
  return createTool('shop')
    .tags('shop')
    .group('orders', (orders) =>
      orders
        .tags('orders')
        .action({ name: 'list', readOnly: true, tags: ['public'], handler: () => 'listed' })
        .action({ name: 'cancel', destructive: true, tags: ['public', 'risky'], handler: () => 'cancelled' }),
    )
    .group('admin', (admin) =>
      admin.action({ name: 'wipe', tags: ['internal'], scopes: ['admin'], handler: () => 'WIPED' }),
    );
}

function registryWith(options: ToolRegistryOptions): ToolRegistry {
  return new ToolRegistry({ logger: silent, ...options }).register(shop()).register({
    name: 'ping',
    description: 'Answers',
    tags: ['public'],
    annotations: { readOnlyHint: true },
    inputSchema: z.object({}),
    handler: () => 'pong',
  });
}

const ALL = ['shop.orders.list', 'shop.orders.cancel', 'shop.admin.wipe', 'ping'];
const flatName = (name: string): string => name.replaceAll('.', '_');

/** Canonical names visible to a caller. */
function seen(registry: ToolRegistry, caller: Caller = {}): string[] {
  const tools = registry.surface({ exposure: 'flat' }).listTools(caller);
  const flat = new Set(tools.map((tool) => tool.name));
  return ALL.filter((name) => flat.has(flatName(name)));
}

/** Canonical names that a caller can call, through every exposure: all of them have to agree. */
async function reached(registry: ToolRegistry, caller: Caller = {}): Promise<string[]> {
  const ran = async (
    exposure: 'flat' | 'grouped' | 'search',
    name: string,
    args: object,
  ): Promise<boolean> => {
    const reply = await registry.surface({ exposure }).handleCall({ name, arguments: args, ...caller });
    return reply.kind === 'result' && reply.result.isError !== true;
  };
  const result: string[] = [];
  for (const name of ALL) {
    const [tool = '', ...rest] = name.split('.');
    const outcomes = [
      await ran('flat', flatName(name), {}),
      await ran('grouped', tool, { action: rest.join('.') }),
      await ran('search', 'call_tool', { name }),
    ];
    expect(new Set(outcomes).size, name).toBe(1);
    if (outcomes[0] === true) result.push(name);
  }
  return result;
}

const throwing: Policy = () => {
  throw new Error('the user service is down');
};

describe('rules', () => {
  const cases: [PolicyRules | Policy, string[]][] = [
    [{}, ALL],
    [{ include: { all: ['shop'] } }, ['shop.orders.list', 'shop.orders.cancel', 'shop.admin.wipe']],
    [{ include: { all: ['public', 'risky'] } }, ['shop.orders.cancel']],
    [{ include: { any: ['internal', 'risky'] } }, ['shop.orders.cancel', 'shop.admin.wipe']],
    [{ include: { all: ['public'], any: ['orders'] } }, ['shop.orders.list', 'shop.orders.cancel']],
    [{ include: { any: [] } }, []],
    [{ exclude: ['internal', 'risky'] }, ['shop.orders.list', 'ping']],
    [{ include: { any: ['public'] }, exclude: ['risky'] }, ['shop.orders.list', 'ping']],
    [{ readOnly: true }, ['shop.orders.list', 'ping']],
    [{ readOnly: false }, ['shop.orders.cancel', 'shop.admin.wipe']],
    [{ names: ['shop.orders.list', 'ping'] }, ['shop.orders.list', 'ping']],
    [{ names: ['shop'] }, ['shop.orders.list', 'shop.orders.cancel', 'shop.admin.wipe']],
    [{ names: ['shop_orders_list', 'orders.list', 'list'] }, []],
    [{ names: [] }, []],
    [{ profile: 'read-only' }, ['shop.orders.list', 'ping']],
    [
      { profile: 'desk', profiles: { desk: { exclude: ['internal'] } } },
      ['shop.orders.list', 'shop.orders.cancel', 'ping'],
    ],
    [{ profile: 'desk', profiles: { desk: { names: ['shop'] } }, readOnly: true }, ['shop.orders.list']],
    [{ profiles: { desk: { names: [] } } }, ALL],
    [{ scopes: ({ isReadOnly }) => (isReadOnly ? [] : ['write']) }, ['shop.orders.list', 'ping']],
    [{ allow: ({ isDestructive }) => !isDestructive }, ['shop.orders.list', 'shop.admin.wipe', 'ping']],
    [{ allow: () => true, exclude: ['shop'] }, ['ping']],
    [({ tags }) => tags.includes('risky'), ['shop.orders.cancel']],
  ];

  test.each(cases)('%j: list and every way to call agree', async (policy, expected) => {
    const registry = registryWith({ policy });
    expect(seen(registry, by('admin'))).toEqual(expected);
    expect(await reached(registry, by('admin'))).toEqual(expected);
  });

  test('scopes of an action and scopes of the policy are both asked for', async () => {
    const registry = registryWith({ policy: { scopes: ({ isReadOnly }) => (isReadOnly ? [] : ['write']) } });
    const open = ['shop.orders.list', 'ping'];
    expect(await reached(registry)).toEqual(open);
    expect(await reached(registry, by('admin'))).toEqual(open);
    expect(await reached(registry, by('write'))).toEqual(['shop.orders.list', 'shop.orders.cancel', 'ping']);
    expect(await reached(registry, by('write', 'admin'))).toEqual(ALL);
    expect(seen(registry, by('write'))).toEqual(['shop.orders.list', 'shop.orders.cancel', 'ping']);
  });

  test('a profile is chosen by the caller', async () => {
    const registry = registryWith({
      policy: {
        profile: ({ principal }) => (principal === undefined ? 'read-only' : 'all'),
      },
    });
    expect(await reached(registry)).toEqual(['shop.orders.list', 'ping']);
    expect(await reached(registry, by('admin'))).toEqual(ALL);
  });

  test('a caller with an unknown profile sees nothing, and it is logged', async () => {
    const { logger, entries } = recordLog();
    for (const name of ['nosuch', 'constructor', '__proto__', '', undefined as never]) {
      const registry = registryWith({ logger, policy: { profile: () => name } });
      expect(seen(registry, by('admin'))).toEqual([]);
      expect(await reached(registry, by('admin'))).toEqual([]);
    }
    expect(entries.filter(({ level }) => level === 'error')).not.toEqual([]);
    expect(entries.find(({ level }) => level === 'error')).toMatchObject({
      message: 'unknown policy profile',
      fields: { profile: 'nosuch' },
    });
  });
});

describe('functions that fail hide, and are logged', () => {
  const failing: [string, PolicyRules | Policy][] = [
    ['a policy that throws', throwing],
    ['allow that throws', { allow: throwing }],
    ['scopes that throw', { scopes: throwing as never }],
    ['a profile function that throws', { profile: throwing as never }],
    ['a policy that answers with a promise', (() => Promise.resolve(true)) as never],
    ['allow that answers with a promise', { allow: (() => Promise.resolve(true)) as never }],
    ['scopes that answer with a promise', { scopes: (() => Promise.resolve([])) as never }],
    ['scopes that answer with nothing', { scopes: (() => undefined) as never }],
    ['scopes that answer with a string', { scopes: (() => 'admin') as never }],
    [
      'a profile function that answers with a promise',
      { profile: (() => Promise.resolve('read-only')) as never },
    ],
    ['a profile that is neither name nor function', { profile: { name: 'x' } as never }],
  ];

  test.each(failing)('%s', async (_title, policy) => {
    const { logger, entries } = recordLog();
    let registry: ToolRegistry;
    try {
      registry = registryWith({ logger, policy });
    } catch {
      // A synchronous rejection is as good.
      return;
    }
    expect(seen(registry, by('admin'))).toEqual([]);
    expect(await reached(registry, by('admin'))).toEqual([]);
    expect(entries.filter(({ level }) => level === 'error')).not.toEqual([]);
  });

  test.each([[1], ['true'], [{}], [[]], [null], [undefined]])('an answer of %j is no yes', async (value) => {
    for (const policy of [() => value as never, { allow: () => value as never }]) {
      const registry = registryWith({ policy });
      expect(seen(registry, by('admin'))).toEqual([]);
      expect(await reached(registry, by('admin'))).toEqual([]);
    }
  });

  /** A handled rejection that reports whether other code handles it too. */
  function watchedRejection(): { promise: never; isCaught: () => boolean } {
    const promise: Promise<unknown> = Promise.reject(new Error('too late'));
    promise.catch(() => {});
    let isCaught = false;
    const watched = Object.assign(promise, {
      then: (...handlers: Parameters<typeof promise.then>) => {
        isCaught ||= typeof handlers[1] === 'function';
        return Promise.prototype.then.apply(promise, handlers);
      },
    });
    return { promise: watched as never, isCaught: () => isCaught };
  }

  test.each<[string, (promise: never) => ToolRegistryOptions]>([
    ['a policy', (promise) => ({ policy: () => promise })],
    ['allow', (promise) => ({ policy: { allow: () => promise } })],
    ['scopes', (promise) => ({ policy: { scopes: () => promise } })],
    ['a profile function', (promise) => ({ policy: { profile: () => promise } })],
  ])('a rejected promise of %s is caught, so that it cannot end the process', (_title, optionsWith) => {
    const { promise, isCaught } = watchedRejection();
    expect(seen(registryWith(optionsWith(promise)), by('admin'))).toEqual([]);
    expect(isCaught()).toBe(true);
  });

  test('a rejected promise of a surface policy is caught beside a registry policy', () => {
    const { promise, isCaught } = watchedRejection();
    const registry = registryWith({ policy: { exclude: ['nothing'] } });
    expect(registry.surface({ policy: () => promise }).listTools(by('admin'))).toEqual([]);
    expect(isCaught()).toBe(true);
  });

  test('a rejected promise of an outer policy is caught where a registry is mounted', () => {
    const { promise, isCaught } = watchedRejection();
    const outer = new ToolRegistry({ logger: silent, policy: () => promise });
    outer.mount('in', registryWith({ policy: { exclude: ['nothing'] } }));
    expect(outer.listTools(by('admin'))).toEqual([]);
    expect(isCaught()).toBe(true);
  });
});

describe('typos in rules are refused at construction', () => {
  const RULES = ['include', 'exclude', 'readOnly', 'names', 'profiles', 'profile', 'scopes', 'allow'];

  test.each<[object, string | Error]>([
    [
      { exclud: ['internal'] },
      refused('policy', { path: ['exclud'], reason: 'unknown-option', expected: RULES }),
    ],
    [{ readonly: true }, refused('policy', { path: ['readonly'], reason: 'unknown-option' })],
    [{ zzz: 1 }, refused('policy', { path: ['zzz'], reason: 'unknown-option' })],
    [
      { profiles: { desk: { exclud: [] } } },
      refused('policy', { path: ['profiles', 'desk', 'exclud'], reason: 'unknown-option' }),
    ],
    [
      { profile: 'readonly' },
      'Unknown policy profile "readonly". Did you mean "read-only"? Profiles: read-only, all.',
    ],
    [
      { profile: 'dsk', profiles: { desk: {} } },
      'Unknown policy profile "dsk". Did you mean "desk"? Profiles: read-only, all, desk.',
    ],
    [{ profile: 'constructor' }, 'Unknown policy profile "constructor".'],
    [{ exclude: 'internal' }, refused('policy', { path: ['exclude'] })],
    [{ names: [1] }, refused('policy', { path: ['names'] })],
    [{ include: ['public'] }, refused('policy', { path: ['include'] })],
    [{ include: { any: 'public' } }, refused('policy', { path: ['include', 'any'] })],
    [{ include: { al: ['public'] } }, refused('policy', { path: ['include', 'al'] })],
    [
      { include: { every: ['public'] } },
      refused('policy', { path: ['include', 'every'], reason: 'unknown-option' }),
    ],
    [
      { profiles: { desk: { include: { al: ['public'] } } } },
      refused('policy', { path: ['profiles', 'desk', 'include', 'al'] }),
    ],
    [{ profile: 'desk', profiles: { desk: { allow: () => false } } }, 'allow'],
    [{ profile: 'desk', profiles: { desk: { scopes: () => ['x'] } } }, 'scopes'],
    [{ profile: 'desk', profiles: { desk: { profile: 'read-only' } } }, 'profile'],
    [{ profiles: { 'read-only': {} } }, 'Invalid policy profile "read-only": the name is reserved.'],
    [{ scopes: ['admin'] }, refused('policy', { path: ['scopes'] })],
    [{ allow: true }, refused('policy', { path: ['allow'] })],
    [['internal'], refused('policy')],
  ])('%j', (policy, message) => {
    expect(() => new ToolRegistry({ policy: policy as PolicyRules })).toThrow(message);
    expect(() => new ToolRegistry().surface({ policy: policy as PolicyRules })).toThrow(message);
  });
});

describe('several policies', () => {
  test('the policy of a registry and that of a surface must both agree', async () => {
    const registry = registryWith({ policy: { include: { any: ['public'] } } });
    const surface = registry.surface({ exposure: 'flat', policy: { readOnly: false } });
    expect(surface.listTools(by('admin')).map((tool) => tool.name)).toEqual(['shop_orders_cancel']);
    for (const name of ['shop_orders_list', 'shop_admin_wipe', 'ping'])
      expect((await surface.handleCall({ name, ...by('admin') })).kind).toBe('protocol-error');
    expect(seen(registry, by('admin'))).toEqual(['shop.orders.list', 'shop.orders.cancel', 'ping']);
  });

  test('a surface cannot open what the registry closes', async () => {
    const registry = registryWith({ policy: { exclude: ['internal'] } });
    const surface = registry.surface({ policy: () => true });
    const reply = await surface.executeTool({
      name: 'shop',
      arguments: { action: 'admin.wipe' },
      ...by('admin'),
    });
    expect(reply.content).toEqual([
      { type: 'text', text: 'Unknown action. Available: orders.list, orders.cancel' },
    ]);
  });

  test('where a registry is mounted, both are asked, each by the name it knows', async () => {
    const asked: string[] = [];
    const note =
      (who: string): Policy =>
      ({ name, tool, action }) => {
        asked.push(`${who}: ${name} ${tool} ${action ?? '-'}`);
        return true;
      };
    const inner = registryWith({ policy: note('inner') });
    const outer = new ToolRegistry({ name: 'outer', policy: note('outer'), logger: silent });
    outer.mount('in', inner);
    await outer.executeTool({ name: 'in_shop', arguments: { action: 'orders.list' } });
    expect(asked).toEqual([
      'inner: shop.orders.list shop orders.list',
      'outer: in_shop.orders.list in_shop orders.list',
    ]);
  });

  test('a mounted tool is hidden when either says no, in the list and by every name', async () => {
    const inner = registryWith({ policy: { exclude: ['risky'] } });
    const outer = new ToolRegistry({ policy: { readOnly: true }, logger: silent });
    outer.mount('in', inner);
    const names = outer
      .surface({ exposure: 'flat' })
      .listTools(by('admin'))
      .map((tool) => tool.name);
    expect(names).toEqual(['in_shop_orders_list', 'in_ping']);
    const search = outer.surface({ exposure: 'search' });
    for (const name of ['in_shop.orders.cancel', 'in_shop.admin.wipe'])
      expect(
        await search.executeTool({ name: 'call_tool', arguments: { name }, ...by('admin') }),
      ).toMatchObject({ isError: true });
    const grouped = await outer.executeTool({
      name: 'in_shop',
      arguments: { action: 'orders.cancel' },
      ...by('admin'),
    });
    expect(grouped.content).toEqual([{ type: 'text', text: 'Unknown action. Available: orders.list' }]);
  });

  test('scopes travel with a mounted action', async () => {
    const outer = new ToolRegistry();
    outer.mount('in', registryWith({}));
    const wipe = { name: 'in_shop', arguments: { action: 'admin.wipe' } };
    expect((await outer.executeTool(wipe)).isError).toBe(true);
    expect((await outer.executeTool({ ...wipe, ...by('admin') })).content).toEqual([
      { type: 'text', text: 'WIPED' },
    ]);
  });

  test('a policy is asked about canonical names, whatever name is used', async () => {
    const subjects: PolicySubject[] = [];
    const registry = registryWith({
      policy: (subject) => {
        subjects.push(subject);
        return true;
      },
    });
    const names = async (
      exposure: 'flat' | 'grouped' | 'search',
      name: string,
      args: object,
    ): Promise<string[]> => {
      subjects.length = 0;
      await registry.surface({ exposure }).handleCall({ name, arguments: args });
      return subjects.map((subject) => subject.name);
    };
    expect(await names('flat', 'shop_orders_list', {})).toEqual(['shop.orders.list']);
    expect(await names('grouped', 'shop', { action: 'orders.list' })).toEqual(['shop.orders.list']);
    expect(await names('search', 'call_tool', { name: 'shop.orders.list' })).toEqual(['shop.orders.list']);
    expect(subjects[0]).toEqual({
      name: 'shop.orders.list',
      tool: 'shop',
      action: 'orders.list',
      tags: ['shop', 'orders', 'public'],
      scopes: [],
      category: undefined,
      namespace: 'toolwright',
      operation: 'shop.orders.list',
      isReadOnly: true,
      isDestructive: false,
      isIdempotent: false,
    });
    expect(Object.isFrozen(subjects[0])).toBe(true);
  });
});

describe('known defects of comparable systems', () => {
  test('a tag filter that hides a tool from the list also refuses the call', async () => {
    const registry = registryWith({ policy: { exclude: ['internal'] } });
    const texts = await Promise.all(
      [
        registry.executeTool({ name: 'shop', arguments: { action: 'admin.wipe' }, ...by('admin') }),
        registry.executeTool({ name: 'shop_admin_wipe', ...by('admin') }),
        registry.executeTool({ name: 'shop.admin.wipe', ...by('admin') }),
      ].map(async (result) => JSON.stringify(await result)),
    );
    for (const text of texts) expect(text).not.toContain('WIPED');
    expect(registry.listToolsJson(by('admin'))).not.toContain('wipe');
  });

  test('a flat surface cannot be got around by the grouped name, nor any surface by the names of another', async () => {
    const registry = registryWith({ policy: { exclude: ['internal'] } });
    const attempts: [string, object][] = [
      ['shop', { action: 'admin.wipe' }],
      ['shop_write', { action: 'admin.wipe' }],
      ['shop_admin_wipe', {}],
      ['shop.admin.wipe', {}],
      ['call_tool', { name: 'shop.admin.wipe' }],
      ['call_tool', { name: 'shop_admin_wipe' }],
      ['call_tool', { name: 'shop', arguments: { action: 'admin.wipe' } }],
    ];
    for (const options of [
      { exposure: 'flat' },
      { exposure: 'grouped' },
      { splitReadWrite: true },
      { exposure: 'search' },
      { exposure: 'auto' },
      { exposure: 'auto', tokenBudget: 1 },
    ] as const) {
      const surface = registry.surface(options);
      for (const [name, args] of attempts)
        expect(
          JSON.stringify(await surface.handleCall({ name, arguments: args, ...by('admin') })),
        ).not.toContain('WIPED');
    }
  });

  test('a builder that is merged keeps its own middleware: what denies alone denies together', async () => {
    const registry = new ToolRegistry()
      .register(createTool('users').action({ name: 'list', handler: () => 'listed' }))
      .register(
        createTool('users')
          .use(() => answer(error('Not for you.')))
          .action({ name: 'delete', handler: () => 'DELETED' }),
        { merge: true },
      );
    const call = async (exposure: 'flat' | 'grouped', name: string, action: string): Promise<unknown> =>
      (await registry.surface({ exposure }).executeTool({ name, arguments: { action } })).content;
    for (const content of [await call('flat', 'users_delete', ''), await call('grouped', 'users', 'delete')])
      expect(content).toEqual([{ type: 'text', text: '[users/delete] Not for you.' }]);
    expect(await call('grouped', 'users', 'list')).toEqual([{ type: 'text', text: 'listed' }]);
  });

  test('a merged builder keeps its own scopes and tags, and does not pass them on', async () => {
    const cart = (): ToolRegistry =>
      new ToolRegistry()
        .register(createTool('cart').action({ name: 'view', handler: () => 'viewed' }))
        .register(
          createTool('cart')
            .tags('payment')
            .action({ name: 'pay', scopes: ['payment'], handler: () => 'PAID' }),
          { merge: true },
        );
    const names = (registry: ToolRegistry, caller?: Caller): string[] =>
      registry
        .surface({ exposure: 'flat' })
        .listTools(caller)
        .map((tool) => tool.name);
    expect(names(cart())).toEqual(['cart_view']);
    expect(names(cart(), by('payment'))).toEqual(['cart_view', 'cart_pay']);
    const pay = { name: 'cart', arguments: { action: 'pay' } };
    expect((await cart().executeTool(pay)).content).toEqual([
      { type: 'text', text: 'Unknown action. Available: view' },
    ]);
    const filtered = new ToolRegistry({ policy: { exclude: ['payment'] } });
    filtered.mount('', cart());
    expect(names(filtered, by('payment'))).toEqual(['cart_view']);
  });
});

describe('hidden tools leave no trace', () => {
  test('in no list, no description, no answer, no suggestion of any exposure', async () => {
    const registry = new ToolRegistry({ policy: { exclude: ['internal'] } })
      .register(
        createTool('desk')
          .description('The desk')
          .action({
            name: 'open',
            description: 'Opens the desk',
            schema: z.object({ key: z.string() }),
            handler: () => 1,
          })
          .action({
            name: 'smuggle',
            description: 'Moves contraband',
            tags: ['internal'],
            synonyms: ['bootleg'],
            schema: z.object({ key: z.string().describe('Where the loot is'), crate: z.number() }),
            examples: [{ key: 'harbour', crate: 7 }],
            handler: () => 1,
          }),
      )
      .register({
        name: 'smugglers',
        description: 'Lists contraband runners',
        tags: ['internal'],
        inputSchema: z.object({}),
        handler: () => 1,
      });
    const said: string[] = [];
    for (const exposure of ['grouped', 'flat', 'search', 'auto'] as const) {
      const surface = registry.surface({ exposure });
      said.push(surface.listToolsJson());
      for (const [name, args] of [
        ['desk', {}],
        ['desk', { action: 'smugle' }],
        ['desk_smugle', {}],
        ['smuglers', {}],
        ['search_tools', { query: 'bootleg contraband loot', limit: 25 }],
        ['describe_tool', { names: ['desk.smugle'] }],
        ['call_tool', { name: 'desk.smugle' }],
        ['call_tool', { name: 'smuglers' }],
      ] as const)
        said.push(JSON.stringify(await surface.handleCall({ name, arguments: args })));
    }
    for (const trace of ['smuggle', 'contraband', 'bootleg', 'loot', 'harbour', 'crate'])
      expect(said.join('\n')).not.toContain(trace);
  });
});
