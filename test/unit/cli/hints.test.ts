import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readPairs } from '../../../src/cli/terminal/values.ts';
import { serveHttp } from '../../../src/http.ts';
import type { RunningHttp } from '../../../src/http.ts';
import {
  createServer,
  defineActionGroup,
  defineGroupedTool,
  MissingCapabilityError,
  silentLogger,
} from '../../../src/index.ts';
import { ROOT } from '../../support/dist.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';

const by = z.union([z.int(), z.string(), z.object({ tag: z.string() })]);
const users = defineActionGroup({
  description: 'Users',
  actions: { create: { description: 'Creates a user', schema: z.object({}), handler: () => 'created' } },
});

const server = createServer({
  name: 'shop',
  version: '1.0.0',
  logger: silentLogger,
  tools: [
    {
      name: 'find',
      description: 'Finds things',
      inputSchema: z.object({ by, text: z.string().nullable(), count: z.union([z.int(), z.null()]) }),
      handler: ({ input }: { input: unknown }) => JSON.stringify(input),
    },
    {
      name: 'order',
      description: 'Orders things',
      inputSchema: z.object({ quantity: z.int().default(1) }),
      handler: ({ input }: { input: { quantity: number } }) => `${input.quantity} ordered`,
    },
    {
      name: 'store',
      description: 'Stores anything',
      inputSchema: z.looseObject({ quantity: z.int().default(1) }),
      handler: ({ input }: { input: unknown }) => JSON.stringify(input),
    },
    {
      name: 'name_pet',
      description: 'Asks for a name',
      inputSchema: z.object({}),
      handler: async ({ context }) =>
        JSON.stringify(
          await context.ask('pet', { message: 'Which?', schema: z.object({ name: z.string() }) }),
        ),
    },
    {
      name: 'think',
      description: 'Asks the model',
      inputSchema: z.object({}),
      handler: () => {
        throw new MissingCapabilityError({ sampling: {} });
      },
    },
    {
      name: 'remove',
      description: 'Removes a note',
      inputSchema: z.object({ id: z.string() }),
      confirm: 'preview',
      preview: () => 'one note',
      handler: () => 'removed',
    },
    defineGroupedTool({
      name: 'todos',
      actions: { list: { description: 'Lists', schema: z.object({}), handler: () => 'none' } },
    }),
    defineGroupedTool({ name: 'admin', discriminator: 'task', groups: { users } }),
  ],
  prompts: [{ name: 'plan_day', template: 'Plan my day.' }],
});

/** A reference, as other frameworks list them. */
const REFERENCE = {
  type: 'object',
  properties: { tree: { $ref: '#/$defs/node' } },
  $defs: { node: { type: 'object', properties: {} } },
};

let folder = '';
let running: RunningHttp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-hints-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(ROOT, 'node_modules/jiti'), join(folder, 'node_modules/jiti'));
  const files = {
    'starts.ts': 'const port: number = 1; void port;',
    'starts.js': 'void 1;',
    'named.ts': 'export const port: number = 1;',
    'empty.ts': 'export default {} as object;',
    'makes.ts': 'export default (): number => 1;',
    'null.ts': 'export default null;',
    'null.mjs': 'export default null;',
    'instance.ts': 'class Notes {}\nexport default new Notes();',
    'promise.mjs': 'export default Promise.resolve({});',
    'tools.mjs': 'export default [];',
    'toolwright.config.json': JSON.stringify({ name: 'notes', tools: [{ module: './notes.mjs' }] }),
    'notes.mjs': `import * as z from ${JSON.stringify(import.meta.resolve('zod'))};
export default [{ name: 'remove', description: 'Removes a note', inputSchema: z.object({ id: z.string() }),
  confirm: 'preview', preview: () => 'one note', handler: () => 'removed' }];`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  running = await serveHttp(server, { port: 0 });
});
afterAll(async () => {
  await running.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const run = (...line: string[]): Promise<Ran> =>
  runCli(
    line.map((word) => word.replace('{url}', running.url)),
    { cwd: folder },
  );

describe('a module that exports no server', () => {
  test.each([
    ['starts.ts', 'npx jiti'],
    ['named.ts', 'npx jiti'],
    ['starts.js', 'node'],
  ])('%s has no default export, and is started with %s', async (name, runner) => {
    expect(await run('list', name)).toEqual({
      code: 3,
      out: '',
      err: `error ${folder}/${name} has no default export. Export a server or a registry: export default createServer({ … }), or, if it serves stdio, start it as a command: toolwright list -- ${runner} ${folder}/${name}`,
    });
  });

  test('serve takes no command, and suggests none', async () => {
    expect(await run('serve', 'named.ts')).toEqual({
      code: 3,
      out: '',
      err: `error ${folder}/named.ts has no default export. Export a server or a registry: export default createServer({ … })`,
    });
  });

  test.each([
    ['makes.ts', 'a function'],
    ['tools.mjs', 'an array'],
    ['null.ts', 'null'],
    ['null.mjs', 'null'],
    ['instance.ts', 'an instance of Notes'],
    ['promise.mjs', 'an instance of Promise'],
  ])('%s exports %s', async (name, noun) => {
    expect(await run('list', name)).toEqual({
      code: 3,
      out: '',
      err: `error The default export of ${folder}/${name} must be a server, a registry or a configuration, not ${noun}. Export the server: export default createServer({ … })`,
    });
  });

  test('an empty configuration is one', async () => {
    expect((await run('list', 'empty.ts')).err).toBe(
      'error empty.ts has a mistake:\n  empty.ts must have "name"',
    );
  });
});

describe('arguments', () => {
  test('describe writes := where = would send a string', async () => {
    expect((await run('describe', '{url}', 'find')).out.split('\n').at(-1)).toBe(
      `  toolwright call ${running.url} find 'by:=<integer | string | object>' 'text=<string | null>' 'count=<integer | null>'`,
    );
    const { out } = await run('call', '{url}', 'find', 'by:={"tag":"x"}', 'text=1', 'count=null');
    expect(out).toBe('{"by":{"tag":"x"},"text":"1","count":null}');
  });

  test('of a referenced type are read as JSON', () => {
    expect(readPairs(['tree={"a":1}'], REFERENCE)).toEqual({ tree: { a: 1 } });
    expect(readPairs(['toString=1'], REFERENCE)).toEqual({ toString: '1' });
  });

  test('that the schema does not list are reported', async () => {
    expect(await run('call', '{url}', 'order', 'quanity=3')).toEqual({
      code: 0,
      out: '1 ordered',
      err: 'warning Unknown argument "quanity". Did you mean "quantity"?',
    });
    expect((await run('call', '{url}', 'order', '--args', '{"x":1}')).err).toBe(
      'warning Unknown argument "x".',
    );
  });

  test('are not reported where the schema allows others', async () => {
    expect(await run('call', '{url}', 'store', 'quanity=3')).toEqual({
      code: 0,
      out: '{"quantity":1,"quanity":"3"}',
      err: '',
    });
  });
});

describe('without a terminal', () => {
  test('a tool that asks is answered with --answer', async () => {
    expect(await run('call', '{url}', 'name_pet')).toEqual({
      code: 1,
      out: '',
      err: 'error This needs a client that has declared: elicitation. (-32021) Add --answer name=value for each field, or run the command in a terminal.',
    });
    expect((await run('call', '{url}', 'think')).err).toBe(
      'error Missing client capability: sampling. (-32021)',
    );
  });

  test('a token of a server that ends with the command cannot be used', async () => {
    const hint =
      'The confirmation_token is valid only until this command ends, because it started the server. To confirm, add --answer confirm=yes, or run the command in a terminal.';
    expect(await run('call', 'remove', 'id=1')).toMatchObject({ code: 0, err: hint });
    expect(await run('call', '{url}', 'remove', 'id=1')).toMatchObject({ code: 0, err: '' });
    expect(await run('call', 'remove', 'id=1', '--answer', 'confirm=yes')).toEqual({
      code: 0,
      out: 'removed',
      err: '',
    });
  });
});

describe('names', () => {
  test.each([
    ['todos.list', 'It is an action of "todos". Write: todos action=list'],
    ['admin.users.create', 'It is an action of "admin". Write: admin task=users.create'],
    ['todos.lost', 'Tools: find, order, store, name_pet, think, remove, todos, admin.'],
  ])('%s is no tool', async (name, hint) => {
    const err = `error Unknown tool "${name}". ${hint}`;
    expect(await run('call', '{url}', name)).toEqual({ code: 2, out: '', err });
  });

  test('a prompt that is mistyped', async () => {
    expect(await run('prompt', '{url}', 'plan_dya')).toEqual({
      code: 2,
      out: '',
      err: 'error Unknown prompt "plan_dya". Did you mean "plan_day"?',
    });
  });
});
