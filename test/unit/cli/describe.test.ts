import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { fieldRows } from '../../../src/cli/terminal/schema-fields.ts';
import { serveHttp } from '../../../src/http.ts';
import type { RunningHttp } from '../../../src/http.ts';
import { createServer, jsonSchema, silentLogger } from '../../../src/index.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';

const item = z.object({ sku: z.string().describe('Which one'), count: z.int().default(1) });

const server = createServer({
  name: 'shop',
  version: '1.0.0',
  logger: silentLogger,
  tools: [
    {
      name: 'order',
      title: 'Order things',
      description: 'Orders things.\nCosts money.',
      annotations: { destructiveHint: true, openWorldHint: true },
      inputSchema: z.object({
        customer: z.string().describe('Who pays'),
        speed: z.enum(['slow', 'fast']).default('slow').describe('How soon'),
        items: z.array(item),
        note: z.union([z.string(), z.null()]).optional(),
      }),
      outputSchema: z.object({ id: z.int().describe('The number of the order') }),
      handler: () => ({ id: 1 }),
    },
    { name: 'ping', description: 'Says pong', inputSchema: z.object({}), handler: () => 'pong' },
    {
      name: 'walk',
      description: 'Walks a tree',
      inputSchema: jsonSchema({
        type: 'object',
        properties: { tree: { $ref: '#/$defs/node', description: 'Where to begin' } },
        required: ['tree'],
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
      }),
      handler: () => 'done',
    },
  ],
});

let folder = '';
let running: RunningHttp;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-describe-'));
  running = await serveHttp(server, { port: 0 });
});
afterAll(async () => {
  await running.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const run = (...words: string[]): Promise<Ran> =>
  runCli(['describe', running.url, ...words], { cwd: folder });

test('shows the arguments, the structured content and a line that calls it', async () => {
  expect(await run('order')).toEqual({
    code: 0,
    err: '',
    out: `order Order things
Orders things.
Costs money.
destructive, open world

Arguments
  customer  string                    Who pays
  speed?    "slow" | "fast" = "slow"  How soon
  items     object[]
    sku     string                    Which one
    count?  integer = 1
  note?     string | null

Structured content
  id  integer  The number of the order

Call it
  toolwright call ${running.url} order 'customer=<string>' 'items=<object[]>'`,
  });
});

test('a tool without arguments has none', async () => {
  expect((await run('ping')).out).toBe(
    `ping\nSays pong\n\nArguments\n  none\n\nCall it\n  toolwright call ${running.url} ping`,
  );
});

test('references are followed, not for ever', async () => {
  const { out } = await run('walk');
  expect(out.split('\n').slice(3, 8)).toEqual([
    'Arguments',
    '  tree         object  Where to begin',
    '    next?      object',
    '      next?    object',
    '        next?  object',
  ]);
});

test('--json has all that the server lists', async () => {
  expect(JSON.parse((await run('ping', '--json')).out)).toMatchObject({
    name: 'ping',
    inputSchema: { type: 'object' },
  });
});

test('an unknown tool, and none at all, are answered with those that there are', async () => {
  expect(await run('ordr')).toEqual({
    code: 2,
    out: '',
    err: 'error Unknown tool "ordr". Did you mean "order"?',
  });
  expect(await run()).toEqual({
    code: 2,
    out: '',
    err: 'error Missing tool name. Tools: order, ping, walk.',
  });
});

test('a schema that refers to itself many times is cut off', () => {
  const names = Array.from({ length: 100 }, (_, index) => [`p${index}`, { $ref: '#' }]);
  const rows = fieldRows({ type: 'object', properties: Object.fromEntries(names) as object });
  expect(rows).toHaveLength(201);
  expect(rows.at(-1)).toEqual(['…', '', 'more; use --json for the whole schema']);
});
