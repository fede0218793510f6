import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, error, success, ToolRegistry } from '../../../src/index.ts';
import { MemoryConfirmationStore } from '../../../src/stores.ts';
import type { Caller, McpCallToolResult, McpTool, ToolRegistryOptions } from '../../../src/index.ts';
import type { ConfirmationStore } from '../../../src/stores.ts';
import { audit } from '../../../src/middleware.ts';
import type { AuditRecord } from '../../../src/middleware.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const ada: Caller = { principal: { id: 'ada' } };

interface Desk {
  readonly registry: ToolRegistry;
  /** Actions of the handler, in order. */
  readonly done: unknown[];
}

/** A registry with one tool that requires confirmation. */
function desk(options: ToolRegistryOptions = {}): Desk {
  const done: unknown[] = [];
  const registry = new ToolRegistry({ logger: silent, clock: new FakeClock(), ...options }).register({
    name: 'transfer',
    description: 'Moves money',
    inputSchema: z.object({
      to: z.string(),
      amount: z.number(),
      note: z.string().default('none'),
      details: z.object({ a: z.number(), b: z.number() }).optional(),
    }),
    confirm: 'preview',
    preview: ({ input }) => ({ would: `move ${input.amount} to ${input.to}` }),
    handler: ({ input }) => {
      done.push(input);
      return `moved ${input.amount} to ${input.to}`;
    },
  });
  return { registry, done };
}

const args = { to: 'bob', amount: 5 };

function textOf({ content: [first] }: McpCallToolResult): string {
  return first?.type === 'text' ? first.text : '';
}

/** The token as a reader finds it in the text. */
function tokenOf(result: McpCallToolResult): string {
  const token = /confirmation_token "([0-9a-f]+)"/.exec(textOf(result))?.[1];
  if (token === undefined) throw new Error(`no token in: ${textOf(result)}`);
  return token;
}

/** The arguments of a listed tool, by name. */
const propertiesOf = (tool: McpTool | undefined): Readonly<Record<string, unknown>> =>
  (tool?.inputSchema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {};

const codeOf = ({ _meta }: McpCallToolResult): unknown =>
  (_meta?.['toolwright/error'] as { code?: unknown } | undefined)?.code;

async function call(
  registry: Pick<ToolRegistry, 'executeTool'>,
  given: Readonly<Record<string, unknown>>,
  caller: Caller = {},
): Promise<McpCallToolResult> {
  return registry.executeTool({ name: 'transfer', arguments: given, ...caller });
}

describe('a tool that asks for confirmation', () => {
  test('shows first what it would do, then does it', async () => {
    const { registry, done } = desk();
    const first = await call(registry, args);
    const token = tokenOf(first);
    expect(first).toEqual({
      content: [
        {
          type: 'text',
          text: `Nothing was done yet. What would be done:\n{"would":"move 5 to bob"}\nTo do it, call again with the same arguments and confirmation_token "${token}" within 120 s.`,
        },
      ],
    });
    expect(done).toEqual([]);
    const second = await call(registry, { ...args, confirmation_token: token });
    expect(second).toEqual({ content: [{ type: 'text', text: 'moved 5 to bob' }] });
    expect(done).toEqual([{ to: 'bob', amount: 5, note: 'none' }]);
  });

  test('says in its schema what the token is for; it is optional', () => {
    const [tool] = desk().registry.listTools();
    expect(propertiesOf(tool)['confirmation_token']).toEqual({
      type: 'string',
      description:
        'Leave out at first: the call then only shows what it would do and gives a token. Call again with the same arguments and the token to do it.',
    });
    expect(tool?.inputSchema['required']).toEqual(['to', 'amount']);
  });

  test('bad arguments are refused before anything is shown', async () => {
    const { registry } = desk();
    const result = await call(registry, { to: 'bob', amount: 'five' });
    expect(codeOf(result)).toBe('INVALID_ARGUMENTS');
    expect(textOf(result)).not.toContain('confirmation_token');
  });

  test('every token is another one, long enough not to be guessed', async () => {
    const { registry } = desk();
    const tokens = await Promise.all(
      Array.from({ length: 50 }, async () => tokenOf(await call(registry, args))),
    );
    expect(new Set(tokens).size).toBe(50);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{36}$/);
  });

  test('a preview of success() is sent unchanged', async () => {
    const registry = new ToolRegistry({ logger: silent }).register({
      name: 'transfer',
      description: 'T',
      inputSchema: z.object({}),
      confirm: 'preview',
      preview: () => success({ rows: 3 }, { text: 'Three rows would go.' }),
      handler: () => 'gone',
    });
    expect(textOf(await call(registry, {}))).toMatch(
      /^Nothing was done yet\. What would be done:\nThree rows would go\.\nTo do it, call again/,
    );
  });

  test('a preview that says nothing still asks', async () => {
    const registry = new ToolRegistry({ logger: silent }).register({
      name: 'transfer',
      description: 'T',
      inputSchema: z.object({}),
      confirm: 'preview',
      preview: () => undefined,
      handler: () => 'done',
    });
    const first = await call(registry, {});
    expect(textOf(first)).toMatch(/^Nothing was done yet\. To do it, call again with the same arguments/);
    expect(textOf(await call(registry, { confirmation_token: tokenOf(first) }))).toBe('done');
  });

  test('an async preview and an async handler work the same', async () => {
    const registry = new ToolRegistry({ logger: silent }).register({
      name: 'transfer',
      description: 'T',
      inputSchema: z.object({}),
      confirm: 'preview',
      preview: async () => 'shown',
      handler: async () => 'done',
    });
    const token = tokenOf(await call(registry, {}));
    expect(textOf(await call(registry, { confirmation_token: token }))).toBe('done');
  });
});

describe('a confirmation is refused', () => {
  const refused = async (
    { registry, done }: Desk,
    given: Readonly<Record<string, unknown>>,
    caller: Caller = {},
  ): Promise<void> => {
    const before = done.length;
    const result = await call(registry, given, caller);
    expect(result).toEqual({
      content: [
        {
          type: 'text',
          text: 'Invalid confirmation: it was already used, has expired, or belongs to other arguments or another caller. Nothing was done.\nSuggestion: Call again without confirmation_token to see what would be done and to get a new one.',
        },
      ],
      isError: true,
      _meta: {
        'toolwright/error': {
          code: 'CONFIRMATION_REFUSED',
          suggestions: [
            'Call again without confirmation_token to see what would be done and to get a new one.',
          ],
        },
      },
    });
    expect(done).toHaveLength(before);
  };

  test('the second time', async () => {
    const it = desk();
    const confirmation_token = tokenOf(await call(it.registry, args));
    await call(it.registry, { ...args, confirmation_token });
    await refused(it, { ...args, confirmation_token });
    expect(it.done).toHaveLength(1);
  });

  test('after its time, and not before', async () => {
    const clock = new FakeClock();
    const it = desk({ clock, confirmationTtlMs: 5000 });
    const early = tokenOf(await call(it.registry, args));
    const late = tokenOf(await call(it.registry, args));
    clock.advance(4999);
    expect(textOf(await call(it.registry, { ...args, confirmation_token: early }))).toBe('moved 5 to bob');
    clock.advance(1);
    await refused(it, { ...args, confirmation_token: late });
  });

  test.each<[string, Record<string, unknown>]>([
    ['another value', { to: 'bob', amount: 6 }],
    ['another field', { to: 'eve', amount: 5 }],
    ['an argument more', { to: 'bob', amount: 5, note: 'rent' }],
    ['a nested argument more', { to: 'bob', amount: 5, details: { a: 1, b: 2 } }],
  ])('with %s', async (_title, altered) => {
    const it = desk();
    const confirmation_token = tokenOf(await call(it.registry, args));
    await refused(it, { ...altered, confirmation_token });
    // A wrong guess uses up the token.
    await refused(it, { ...args, confirmation_token });
  });

  test.each<[string, Caller, Caller]>([
    ['another principal', ada, { principal: { id: 'eve' } }],
    ['nobody', ada, {}],
    ['a principal, when nobody asked', {}, ada],
    ['another token', { accessToken: 'a' }, { accessToken: 'b' }],
    ['no token', { accessToken: 'a' }, {}],
    ['a principal named like the token', { accessToken: 'ada' }, ada],
    ['a token named like the principal', ada, { accessToken: 'ada' }],
  ])('from %s', async (_title, first, second) => {
    const it = desk();
    const confirmation_token = tokenOf(await call(it.registry, args, first));
    await refused(it, { ...args, confirmation_token }, second);
  });

  test('with another access token of the same principal: an application may be one principal for all its users', async () => {
    const it = desk();
    const first = await call(it.registry, args, { ...ada, accessToken: 'old' });
    const second = await call(
      it.registry,
      { ...args, confirmation_token: tokenOf(first) },
      { ...ada, accessToken: 'new' },
    );
    expect(second._meta?.['toolwright/error']).toMatchObject({ code: 'CONFIRMATION_REFUSED' });
  });

  test('for another tool', async () => {
    const it = desk();
    const other = it.registry.register({
      name: 'transfer_all',
      description: 'Moves everything',
      inputSchema: z.object({ to: z.string(), amount: z.number(), note: z.string().default('none') }),
      confirm: 'preview',
      preview: () => 'everything',
      handler: () => it.done.push('all'),
    });
    const confirmation_token = tokenOf(await other.executeTool({ name: 'transfer_all', arguments: args }));
    await refused(it, { ...args, confirmation_token });
  });

  test.each<[string, unknown]>([
    ['an empty text', ''],
    ['one that looks right', '0'.repeat(36)],
    ['words', 'not a token'],
    ['a name that every object has', 'constructor'],
    ['a prototype', '__proto__'],
    ['null', null],
    ['a number', 7],
    ['true', true],
    ['an object', {}],
    ['a list', ['a']],
    ['a very long text', 'x'.repeat(100_000)],
  ])('that was never given: %s', async (_title, confirmation_token) => {
    await refused(desk(), { ...args, confirmation_token });
  });

  test('a token of another registry', async () => {
    const confirmation_token = tokenOf(await call(desk().registry, args));
    await refused(desk(), { ...args, confirmation_token });
  });

  test('of two calls at the same time, one is let through', async () => {
    const { registry, done } = desk();
    const confirmation_token = tokenOf(await call(registry, args));
    const results = await Promise.all(
      Array.from({ length: 10 }, () => call(registry, { ...args, confirmation_token })),
    );
    expect(results.filter((result) => result.isError !== true)).toHaveLength(1);
    expect(done).toHaveLength(1);
  });
});

describe('the arguments a confirmation is bound to', () => {
  test('are the same in another order, at every depth', async () => {
    const { registry, done } = desk();
    const token = tokenOf(await call(registry, { to: 'bob', amount: 5, details: { a: 1, b: 2 } }));
    const again = { details: { b: 2, a: 1 }, confirmation_token: token, amount: 5, to: 'bob' };
    expect(textOf(await call(registry, again))).toBe('moved 5 to bob');
    expect(done).toHaveLength(1);
  });

  test('are the same with a default left out or written out, and with what is ignored', async () => {
    const { registry } = desk();
    const token = tokenOf(await call(registry, args));
    const again = { ...args, note: 'none', stranger: 1, confirmation_token: token };
    expect(textOf(await call(registry, again))).toBe('moved 5 to bob');
  });

  test('may be made of values that JSON cannot say', async () => {
    const done: unknown[] = [];
    const registry = new ToolRegistry({ logger: silent }).register({
      name: 'transfer',
      description: 'T',
      inputSchema: z.object({
        on: z.iso.datetime().transform((text) => new Date(text)),
        cents: z.string().transform((text) => BigInt(text)),
      }),
      confirm: 'preview',
      preview: () => 'shown',
      handler: ({ input }) => {
        done.push(input);
        return 'done';
      },
    });
    const given = { on: '2026-01-01T00:00:00Z', cents: '7' };
    const token = async (): Promise<string> => tokenOf(await call(registry, given));
    expect(textOf(await call(registry, { ...given, confirmation_token: await token() }))).toBe('done');
    // The same moment in another spelling.
    const alike = { ...given, on: '2026-01-01T00:00:00.000Z' };
    expect(textOf(await call(registry, { ...alike, confirmation_token: await token() }))).toBe('done');
    for (const other of [{ on: '2026-01-01T00:00:01Z' }, { cents: '8' }])
      expect(codeOf(await call(registry, { ...given, ...other, confirmation_token: await token() }))).toBe(
        'CONFIRMATION_REFUSED',
      );
    expect(done).toHaveLength(2);
  });

  test('that have no contents to compare are no reason to run anything', async () => {
    const done: unknown[] = [];
    const registry = new ToolRegistry({ logger: silent }).register({
      name: 'transfer',
      description: 'T',
      inputSchema: z.object({ pattern: z.string().transform((text) => new RegExp(text)) }),
      confirm: 'preview',
      preview: () => 'shown',
      handler: () => done.push(1),
    });
    const result = await call(registry, { pattern: 'a' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).not.toContain('confirmation_token "');
    expect(done).toEqual([]);
  });
});

describe('a preview that fails', () => {
  const failing = (preview: () => unknown, store?: ConfirmationStore): ToolRegistry =>
    new ToolRegistry({
      logger: silent,
      ...(store === undefined ? {} : { confirmationStore: store }),
    }).register({
      name: 'transfer',
      description: 'T',
      inputSchema: z.object({}),
      outputSchema: z.object({ n: z.number() }),
      confirm: 'preview',
      preview,
      handler: () => ({ n: 1 }),
    });

  test('by throwing hands out no token and gives nothing away', async () => {
    const store = new MemoryConfirmationStore();
    const registry = failing(() => {
      throw new Error('internal detail');
    }, store);
    const result = await call(registry, {});
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('internal detail');
    expect(store.size).toBe(0);
  });

  test('with error() is an error like that of a handler, and hands out no token', async () => {
    const store = new MemoryConfirmationStore();
    const result = await call(
      failing(() => error('There is no such account.', ['Ask for the list.']), store),
      {},
    );
    expect(result).toEqual({
      content: [{ type: 'text', text: 'There is no such account.\nSuggestion: Ask for the list.' }],
      isError: true,
      _meta: { 'toolwright/error': { code: 'TOOL_ERROR', suggestions: ['Ask for the list.'] } },
    });
    expect(store.size).toBe(0);
  });

  test('with a whole result that is an error hands out no token', async () => {
    const store = new MemoryConfirmationStore();
    const registry = failing(() => ({ content: [{ type: 'text', text: 'No.' }], isError: true }), store);
    const result = await call(registry, {});
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'No.' }], isError: true });
    expect(store.size).toBe(0);
  });

  test('with a value that cannot be sent is an error', async () => {
    const result = await call(
      failing(() => ({ n: 1n })),
      {},
    );
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toMatch(/[0-9a-f]{36}/);
  });
});

describe('in every exposure', () => {
  const build = (): { registry: ToolRegistry; done: string[] } => {
    const done: string[] = [];
    const registry = new ToolRegistry({ logger: silent }).register(
      createTool('files')
        .action({ name: 'list', readOnly: true, handler: () => 'listed' })
        .action({
          name: 'delete',
          destructive: true,
          schema: z.object({ path: z.string() }),
          confirm: 'preview',
          preview: ({ input }) => `would delete ${input.path}`,
          handler: ({ input }) => {
            done.push(input.path);
            return 'deleted';
          },
        }),
    );
    return { registry, done };
  };
  type Form = { exposure: 'flat' | 'grouped' | 'search'; name: string; wrap: (given: object) => object };
  const forms: Form[] = [
    { exposure: 'grouped', name: 'files', wrap: (given) => ({ action: 'delete', ...given }) },
    { exposure: 'flat', name: 'files_delete', wrap: (given) => given },
    { exposure: 'search', name: 'call_tool', wrap: (given) => ({ name: 'files.delete', arguments: given }) },
  ];
  const through = (
    registry: ToolRegistry,
    { exposure, name, wrap }: Form,
    given: object,
  ): Promise<McpCallToolResult> =>
    registry.surface({ exposure }).executeTool({ name, arguments: wrap(given) });

  test.each(forms)('$exposure: preview, token, handler, once', async (form) => {
    const { registry, done } = build();
    const token = tokenOf(await through(registry, form, { path: '/a' }));
    const other = await through(registry, form, { path: '/b', confirmation_token: token });
    expect(codeOf(other)).toBe('CONFIRMATION_REFUSED');
    const again = tokenOf(await through(registry, form, { path: '/a' }));
    const second = await through(registry, form, { path: '/a', confirmation_token: again });
    expect(textOf(second)).toBe('deleted');
    expect(codeOf(await through(registry, form, { path: '/a', confirmation_token: again }))).toBe(
      'CONFIRMATION_REFUSED',
    );
    expect(done).toEqual(['/a']);
  });

  test('the grouped tool says for which action the token is', () => {
    const [tool] = build().registry.listTools() as McpTool[];
    expect(propertiesOf(tool)['confirmation_token']).toMatchObject({
      type: 'string',
      description: expect.stringMatching(/For: delete$/),
    });
  });

  test('the action is the same by every name, so a token of one exposure is good in another', async () => {
    const [grouped, flat] = forms as [Form, Form];
    const { registry } = build();
    const confirmation_token = tokenOf(await through(registry, grouped, { path: '/a' }));
    expect(textOf(await through(registry, flat, { path: '/a', confirmation_token }))).toBe('deleted');
  });
});

describe('secrets and stores', () => {
  test('a token never appears in the log, whatever becomes of it', async () => {
    const { logger, entries } = recordLog();
    const { registry } = desk({ logger });
    const token = tokenOf(await call(registry, args, ada));
    await call(registry, { ...args, confirmation_token: token }, ada);
    await call(registry, { ...args, confirmation_token: token }, ada);
    await call(registry, { ...args, amount: 'x', confirmation_token: token }, ada);
    expect(entries.length).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  test('neither preview nor handler is given the token among its arguments', async () => {
    const { registry, done } = desk();
    const confirmation_token = tokenOf(await call(registry, args));
    await call(registry, { ...args, confirmation_token });
    expect(JSON.stringify(done)).not.toContain('confirmation_token');
  });

  test('a store sees neither arguments nor caller, and never the same binding for different ones', async () => {
    const put: Parameters<ConfirmationStore['put']>[] = [];
    const store: ConfirmationStore = {
      put: (...entry) => void put.push(entry),
      take: () => undefined,
    };
    const { registry } = desk({ confirmationStore: store, confirmationTtlMs: 7000 });
    await call(registry, args, { principal: { id: 'ada-lovelace' } });
    await call(registry, args, { accessToken: 'secret-token' });
    await call(registry, { to: 'carol', amount: 5 });
    expect(put.map(([, , ttl]) => ttl)).toEqual([7000, 7000, 7000]);
    for (const [, binding, , owner] of put) {
      expect(binding).toMatch(/^[0-9a-f]{64}$/);
      expect(owner).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(new Set(put.map(([, binding]) => binding)).size).toBe(3);
    expect(JSON.stringify(put)).not.toMatch(/ada-lovelace|secret-token|carol/);
  });

  test('a caller who asks for many previews displaces only own confirmations', async () => {
    const store = new MemoryConfirmationStore({ maxWaiting: 10, clock: new FakeClock() });
    const { registry, done } = desk({ confirmationStore: store });
    const confirmation_token = tokenOf(await call(registry, args, ada));
    for (let index = 0; index < 30; index += 1) {
      await call(registry, args, { principal: { id: 'mallory' } });
      await call(registry, args);
    }
    expect(store.size).toBe(10);
    expect(codeOf(await call(registry, { ...args, confirmation_token }, ada))).toBeUndefined();
    expect(done).toHaveLength(1);
  });

  test('more confirmations than may wait displace the oldest, which is then refused', async () => {
    const store = new MemoryConfirmationStore({ maxWaiting: 2, clock: new FakeClock() });
    const { registry, done } = desk({ confirmationStore: store });
    const tokens: string[] = [];
    for (let index = 0; index < 3; index += 1) tokens.push(tokenOf(await call(registry, args)));
    expect(store.size).toBe(2);
    const codes = [];
    for (const confirmation_token of tokens)
      codes.push(codeOf(await call(registry, { ...args, confirmation_token })));
    expect(codes).toEqual(['CONFIRMATION_REFUSED', undefined, undefined]);
    expect(done).toHaveLength(2);
  });

  /** A shared store, as over Redis: every result is asynchronous, and a missing entry is null. */
  function sharedStore(): ConfirmationStore {
    const kept = new Map<string, string>();
    return {
      put: async (token, binding) => {
        await Promise.resolve();
        kept.set(token, binding);
      },
      take: async (token) => {
        await Promise.resolve();
        const found = kept.get(token) ?? null;
        kept.delete(token);
        return found as string | undefined;
      },
    };
  }

  test('an async store serves two machines: one previews, the other runs, once', async () => {
    const store = sharedStore();
    const [one, two] = [desk({ confirmationStore: store }), desk({ confirmationStore: store })];
    const confirmation_token = tokenOf(await call(one.registry, args, ada));
    const results = await Promise.all([
      call(two.registry, { ...args, confirmation_token }, ada),
      call(one.registry, { ...args, confirmation_token }, ada),
    ]);
    expect(results.filter((result) => result.isError !== true)).toHaveLength(1);
    expect(one.done.length + two.done.length).toBe(1);
    expect(codeOf(await call(two.registry, { ...args, confirmation_token: 'nosuch' }, ada))).toBe(
      'CONFIRMATION_REFUSED',
    );
  });

  const broken: [string, (message: string) => never][] = [
    [
      'throws',
      (message) => {
        throw new Error(message);
      },
    ],
    ['rejects', (message) => Promise.reject(new Error(message)) as never],
  ];

  test.each(broken)(
    'nothing is handed out where the store %s while it keeps a token',
    async (_title, fail) => {
      const { registry, done } = desk({
        confirmationStore: { put: () => fail('redis at 10.0.0.7 is down'), take: () => undefined },
      });
      const result = await call(registry, args);
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).not.toMatch(/10\.0\.0\.7|[0-9a-f]{36}/);
      expect(done).toEqual([]);
    },
  );

  test.each(broken)('nothing runs where the store %s while it is asked', async (_title, fail) => {
    const { registry, done } = desk({
      confirmationStore: { put: () => {}, take: () => fail('redis at 10.0.0.7 is down') },
    });
    const confirmation_token = tokenOf(await call(registry, args));
    const result = await call(registry, { ...args, confirmation_token });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('10.0.0.7');
    expect(done).toEqual([]);
  });
});

test('middleware knows a preview from the real thing: an audit trail has no intent for it', async () => {
  const records: AuditRecord[] = [];
  const registry = new ToolRegistry({ clock: new FakeClock() }).use(
    audit({ write: (record) => void records.push(record) }),
  );
  registry.register({
    name: 'wipe',
    description: 'Wipes',
    annotations: { destructiveHint: true },
    inputSchema: z.object({}),
    confirm: 'preview',
    preview: () => 'would wipe',
    handler: () => 'wiped',
  });
  const first = await registry.executeTool({ name: 'wipe' });
  const [block] = first.content;
  const token = block?.type === 'text' ? /confirmation_token "(\w+)"/.exec(block.text)?.[1] : undefined;
  await registry.executeTool({ name: 'wipe', arguments: { confirmation_token: token } });
  expect(records.map(({ phase, isPreview }) => [phase, isPreview])).toEqual([
    ['end', true],
    ['intent', undefined],
    ['end', undefined],
  ]);
});
