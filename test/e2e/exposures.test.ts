import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../src/index.ts';
import type { AttachOptions, SurfaceOptions } from '../../src/index.ts';
import { CATALOG } from '../fixtures/catalog/catalog.ts';
import { toBuilders } from '../fixtures/catalog/to-builders.ts';
import type { CatalogField } from '../fixtures/catalog/types.ts';
import { connect, SDK_CLIENTS, SDK_SERVERS } from '../support/sdk.ts';
import type { Connection, SdkCallResult } from '../support/sdk.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };

const pairs = Object.keys(SDK_SERVERS).flatMap((server) =>
  Object.keys(SDK_CLIENTS).map((client) => ({ server, client })),
);

function sampleRegistry(): ToolRegistry {
  return new ToolRegistry({ logger: silent })
    .register(
      createTool('notes')
        .description('Keeps notes')
        .action({
          name: 'count',
          description: 'Counts the notes',
          readOnly: true,
          outputSchema: z.object({ count: z.int() }),
          handler: () => ({ count: 2 }),
        })
        .action({
          name: 'add',
          description: 'Adds a note',
          schema: z.object({ text: z.string(), pinned: z.boolean().default(false) }),
          outputSchema: z.object({ text: z.string(), pinned: z.boolean() }),
          handler: ({ input }) => input,
        })
        .action({
          name: 'delete',
          description: 'Deletes a note',
          destructive: true,
          schema: z.object({ id: z.string() }),
          outputSchema: z.object({ deleted: z.string() }),
          confirm: 'preview',
          preview: ({ input }) => `the note ${input.id}`,
          handler: ({ input }) => ({ deleted: input.id }),
        }),
    )
    .register(
      createTool('mixed')
        .action({ name: 'list', outputSchema: z.array(z.string()), handler: () => ['a', 'b'] })
        .action({ name: 'text', handler: () => 'plain' })
        .action({
          name: 'fail',
          handler: () => {
            throw new Error('internal detail');
          },
        }),
    )
    .register({
      name: 'primes',
      description: 'Some primes',
      inputSchema: z.object({}),
      outputSchema: z.array(z.number()),
      handler: () => [2, 3, 5],
    });
}

/** An exposure of the sample, and the form of its calls. */
interface Way {
  readonly title: string;
  readonly options: SurfaceOptions;
  readonly listed: readonly string[];
  /** The call for a canonical name. */
  readonly form: (name: string, args?: object) => readonly [string, Record<string, unknown>];
}

const grouped = (name: string, args: object = {}): readonly [string, Record<string, unknown>] => {
  const [tool = '', ...rest] = name.split('.');
  return [tool, rest.length === 0 ? { ...args } : { action: rest.join('.'), ...args }];
};
const flat = (name: string, args: object = {}): readonly [string, Record<string, unknown>] => [
  name.replaceAll('.', '_'),
  { ...args },
];
const search = (name: string, args: object = {}): readonly [string, Record<string, unknown>] => [
  'call_tool',
  { name, arguments: args },
];
const READS = new Set(['notes.count']);
const split = (name: string, args: object = {}): readonly [string, Record<string, unknown>] => {
  const [tool, given] = grouped(name, args);
  // A single tool is not split.
  return tool === 'primes' ? [tool, given] : [`${tool}_${READS.has(name) ? 'read' : 'write'}`, given];
};

const FLAT = ['notes_count', 'notes_add', 'notes_delete', 'mixed_list', 'mixed_text', 'mixed_fail', 'primes'];
const SEARCH = ['search_tools', 'describe_tool', 'call_tool'];

const WAYS: readonly Way[] = [
  { title: 'grouped', options: { exposure: 'grouped' }, listed: ['notes', 'mixed', 'primes'], form: grouped },
  {
    title: 'grouped with brief schemas',
    options: { groupedSchemas: 'brief' },
    listed: ['notes', 'mixed', 'primes'],
    form: grouped,
  },
  {
    title: 'split',
    options: { splitReadWrite: true },
    listed: ['notes_read', 'notes_write', 'mixed_write', 'primes'],
    form: split,
  },
  { title: 'flat', options: { exposure: 'flat' }, listed: FLAT, form: flat },
  { title: 'search', options: { exposure: 'search' }, listed: SEARCH, form: search },
  { title: 'auto, while it is small', options: { exposure: 'auto' }, listed: FLAT, form: flat },
  {
    title: 'auto, when it is too big',
    options: { exposure: 'auto', tokenBudget: 1 },
    listed: SEARCH,
    form: search,
  },
  {
    title: 'flat without unions',
    options: { exposure: 'flat', schemaProfile: 'no-union' },
    listed: FLAT,
    form: flat,
  },
];

const textOf = ({ content }: SdkCallResult): string =>
  (content as { text?: string }[] | undefined)?.map((block) => block.text ?? '').join('\n') ?? '';

describe.each(pairs)('on the official $server, called by the official $client', (names) => {
  describe.each(WAYS)('$title', ({ options, listed, form }) => {
    /** A client that has fetched the list: from then on it validates structured content. */
    const open = async (registry = sampleRegistry()): Promise<Connection> => {
      const connection = await connect(registry, names, options);
      expect((await connection.client.listTools()).tools.map((tool) => tool.name)).toEqual(listed);
      return connection;
    };

    test('lists and calls; structured content is what was advertised', async () => {
      await using connection = await open();
      const { client } = connection;
      const counted = await client.callTool(...form('notes.count'));
      expect([counted.isError, counted.structuredContent]).toEqual([undefined, { count: 2 }]);
      const added = await client.callTool(...form('notes.add', { text: 'x' }));
      expect(added.structuredContent).toEqual({ text: 'x', pinned: false });
      expect(textOf(await client.callTool(...form('mixed.text')))).toBe('plain');
      expect(textOf(await client.callTool(...form('mixed.list')))).toBe('["a","b"]');
      expect(textOf(await client.callTool(...form('primes')))).toBe('[2,3,5]');
    });

    test('asks for confirmation and then does it', async () => {
      await using connection = await open();
      const { client } = connection;
      const first = await client.callTool(...form('notes.delete', { id: 'n1' }));
      const { confirmation_token } = first.structuredContent as { confirmation_token: string };
      const second = await client.callTool(...form('notes.delete', { id: 'n1', confirmation_token }));
      expect(second.structuredContent).toEqual({ deleted: 'n1' });
      const again = await client.callTool(...form('notes.delete', { id: 'n1', confirmation_token }));
      expect(again.isError).toBe(true);
    });

    test('errors arrive as results with isError', async () => {
      await using connection = await open();
      const { client } = connection;
      const invalid = await client.callTool(...form('notes.add', { text: 7 }));
      expect(invalid.isError).toBe(true);
      expect(textOf(invalid)).toMatch(/^\[notes\/add\] Validation failed: text: /);
      const failed = await client.callTool(...form('mixed.fail'));
      expect(failed.isError).toBe(true);
      expect(JSON.stringify(failed)).not.toContain('internal detail');
    });

    test('a name that does not exist is an error of the protocol', async () => {
      await using connection = await open();
      await expect(connection.client.callTool('nosuch', {})).rejects.toMatchObject({ code: -32602 });
    });

    test('a registration is announced where the list changes, and what it adds can be called', async () => {
      const registry = sampleRegistry();
      await using connection = await open(registry);
      const { client } = connection;
      // With the search exposure the list does not change, so there is no notification.
      const heard = listed === SEARCH ? undefined : client.nextListChange();
      registry.register(createTool('late').action({ name: 'hello', handler: () => 'hello' }));
      await heard;
      const { tools } = await client.listTools();
      if (listed !== SEARCH) expect(tools.length).toBe(listed.length + 1);
      expect(textOf(await client.callTool(...form('late.hello')))).toBe('hello');
    });
  });

  test('search: finding and describing lead to a call', async () => {
    await using connection = await connect(sampleRegistry(), names, { exposure: 'search' });
    const { client } = connection;
    await client.listTools();
    const found = await client.callTool('search_tools', { query: 'how many notes are there', limit: 1 });
    expect(JSON.parse(textOf(found))).toEqual({
      tools: [{ name: 'notes.count', description: 'Counts the notes' }],
    });
    const described = await client.callTool('describe_tool', { names: ['notes.count'] });
    expect(JSON.parse(textOf(described))).toMatchObject({
      tools: [{ name: 'notes.count', inputSchema: { type: 'object' } }],
    });
    const unknown = await client.callTool('describe_tool', { names: ['nosuch'] });
    expect(unknown.isError).toBe(true);
  });

  describe('results are validated against the output schema that the caller sees', () => {
    const identify: AttachOptions['identify'] = () => ({ id: 'ada', scopes: ['read'] });
    const secret = { scopes: ['admin'], handler: () => 'secret' };

    test('grouped: a hidden action without an output does not take the others theirs', async () => {
      const registry = new ToolRegistry({ logger: silent }).register(
        createTool('bank')
          .action({
            name: 'balance',
            outputSchema: z.object({ cents: z.int() }),
            handler: () => ({ cents: 7 }),
          })
          .action({ name: 'audit', ...secret }),
      );
      await using connection = await connect(registry, names, { identify });
      const { tools } = await connection.client.listTools();
      expect(tools[0]?.outputSchema).toMatchObject({ properties: { cents: { type: 'integer' } } });
      const result = await connection.client.callTool('bank', { action: 'balance' });
      expect(result.structuredContent).toEqual({ cents: 7 });
    });

    test('auto: flat for this caller, though everything together would be search', async () => {
      const registry = new ToolRegistry({ logger: silent }).register({
        name: 'primes',
        description: 'Some primes',
        inputSchema: z.object({}),
        outputSchema: z.array(z.number()),
        handler: () => [2, 3],
      });
      for (let index = 0; index < 20; index += 1)
        registry.register(
          createTool(`hidden_${index}`).action({ name: 'act', description: 'Hides', ...secret }),
        );
      await using connection = await connect(registry, names, {
        exposure: 'auto',
        tokenBudget: 200,
        identify,
      });
      const { tools } = await connection.client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(['primes']);
      const result = await connection.client.callTool('primes');
      expect(result.structuredContent).toEqual({ result: [2, 3] });
    });
  });
});

describe('the catalog of 300 actions', () => {
  const registry = new ToolRegistry({ logger: silent, rateLimit: false }).registerAll(toBuilders());
  /** Every action by its canonical name, with valid arguments. */
  const calls = CATALOG.flatMap(({ name: tool, groups, commonFields = [] }) =>
    groups.flatMap(({ name: group, actions }) =>
      actions.map(({ name, fields }) => ({
        name: `${tool}.${group}.${name}`,
        args: sampleOf([...commonFields, ...fields]),
      })),
    ),
  );

  test.each(pairs)('is listed by the $server to the $client in all exposures', async (names) => {
    const count = async (options: SurfaceOptions): Promise<number> => {
      await using connection = await connect(registry, names, options);
      return (await connection.client.listTools()).tools.length;
    };
    expect(await count({ exposure: 'grouped' })).toBe(10);
    expect(await count({ exposure: 'flat' })).toBe(300);
    expect(await count({ exposure: 'search' })).toBe(3);
    expect(await count({ exposure: 'auto' })).toBe(3);
    expect(await count({ exposure: 'auto', tokenBudget: 1_000_000 })).toBe(300);
    expect(await count({ splitReadWrite: true })).toBe(20);
    expect(await count({ exposure: 'flat', schemaProfile: 'no-union' })).toBe(300);
  });

  test.each(Object.keys(SDK_CLIENTS))(
    'every action is called by the %s in every exposure',
    async (client) => {
      expect(calls).toHaveLength(300);
      for (const exposure of ['grouped', 'flat', 'search'] as const) {
        await using connection = await connect(registry, { server: 'v2 Server', client }, { exposure });
        await connection.client.listTools();
        for (const { name, args } of calls) {
          const result = await connection.client.callTool(...{ grouped, flat, search }[exposure](name, args));
          expect(textOf(result)).toBe(name);
        }
      }
    },
  );
});

/** Arguments for the required fields. */
function sampleOf(fields: readonly CatalogField[]): Record<string, unknown> {
  const required = fields.filter((field) => field.required === true);
  return Object.fromEntries(required.map((field) => [field.name, sampleValue(field)]));
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T10:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

function sampleValue({ type, enum: choices, format = '', minimum = 1 }: CatalogField): unknown {
  switch (type) {
    case 'string':
      return choices?.[0] ?? TEXTS[format] ?? 'text';
    case 'integer':
    case 'number':
      return minimum;
    case 'boolean':
      return true;
    case 'string[]':
      return ['text'];
    case 'object':
      return { key: 'value' };
  }
}
