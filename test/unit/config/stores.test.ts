import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { servedOf } from '../../../src/server/served-of.ts';
import { useScratch } from './support.ts';

const { load, complaints, folder, write } = useScratch();

const SECRET = 'the secret of all nodes, of 32 characters';

/** A port that nothing listens on: the stores use their fallbacks. */
const NO_REDIS = 'redis://127.0.0.1:1';

test('without stores, all state is in memory', async () => {
  const { server, sessions } = await load('c.yaml', 'name: demo\n');
  expect(sessions).toBeUndefined();
  expect(servedOf(server).memoryState?.()).toEqual([
    'tasks',
    'eventBus',
    'rateLimit',
    'confirmations',
    'cache',
    'state',
  ]);
});

test('a SQLite file, relative to the configuration, has all state but events', async () => {
  const config = "name: demo\nstores: { sqlite: { path: '${env:FILE}' } }\n";
  const first = await load('c.yaml', config, { FILE: './state.db' });
  expect(existsSync(join(folder(), 'state.db'))).toBe(true);
  expect(servedOf(first.server).memoryState?.()).toEqual(['eventBus']);
  expect(first.sessions).toBeUndefined();
});

test('a Redis has all state, and the sessions of HTTP', async () => {
  const { server, sessions } = await load(
    'c.yaml',
    "name: demo\nstores: { redis: { url: '${env:REDIS_URL}', prefix: shop, nodes: '${env:NODES}' } }\nrequestStateKeys: ['${env:SECRET}']\n",
    { REDIS_URL: NO_REDIS, NODES: '3', SECRET },
  );
  expect(servedOf(server).memoryState?.()).toEqual([]);
  expect(servedOf(server).keys.isRandom).toBe(false);
  expect(Object.keys(sessions ?? {})).toEqual(['shared', 'eventStore']);
});

test('tools, prompts and resources of a configuration use its stores', async () => {
  write(
    'tool.mjs',
    "export default { name: 'a', description: 'A', inputSchema: { type: 'object' }, handler: () => 'x' };",
  );
  const config = await load(
    'c.yaml',
    `name: demo
stores: { sqlite: { path: ./state.db } }
tools: [{ module: ./tool.mjs }]
prompts: [{ name: p, template: P }]
resources: [{ uri: 'a://r', name: r, text: R }]
`,
  );
  expect(servedOf(config.server).memoryState?.()).toEqual(['eventBus']);
});

test.each([
  ['stores: {}', 'stores must be { "redis": { "url" } } or { "sqlite": { "path" } }'],
  [
    "stores: { redis: { url: 'redis://a' }, sqlite: { path: a.db } }",
    'stores must be { "redis": { "url" } } or { "sqlite": { "path" } }',
  ],
  ['stores: { redis: {} }', 'stores.redis must have "url"'],
  ['stores: { sqlite: {} }', 'stores.sqlite must have "path"'],
  [
    "stores: { redis: { url: 'redis://a', node: 2 } }",
    'stores.redis.node is unknown. Did you mean "nodes"? Options: url, prefix, nodes',
  ],
  ["stores: { redis: { url: 'redis://a', nodes: 0 } }", 'stores.redis.nodes must be at least 1'],
  [
    "stores: { redis: { url: 'redis://a', prefix: 'a b' } }",
    String.raw`stores.redis.prefix must match ^[\w.:/-]{1,64}$`,
  ],
  ...['127.0.0.1:6379', 'https://a.example', 'redis://', 'redis://a/db', 'redis://a:b:c'].map((url) => [
    `stores: { redis: { url: '${url}' } }`,
    'stores.redis.url must be the URL of a Redis, such as redis://user:password@redis.example.com:6379/0, or rediss:// for TLS',
  ]),
  ['requestStateKeys: [short]', 'requestStateKeys[0] must have at least 32 characters'],
  ['requestStateKeys: []', 'requestStateKeys must have at least 1 entries'],
])('%s is a mistake', async (text, mistake) => {
  const [, line = ''] = await complaints('c.yaml', `name: demo\n${text}\n`);
  expect(line.replace(/^c\.yaml:\d+:\d+ /, '')).toBe(mistake);
});

test('a mistake does not show the password of the URL', async () => {
  const lines = await complaints('c.yaml', "name: demo\nstores: { redis: { url: '${env:URL}' } }\n", {
    URL: 'http://user:the-password@a.example',
  });
  expect(lines.join('\n')).not.toContain('the-password');
});

test('a file that cannot be opened is a mistake at its place', async () => {
  const [, line = ''] = await complaints('c.yaml', 'name: demo\nstores: { sqlite: { path: ./none/a.db } }\n');
  expect(line).toContain('stores.sqlite is invalid: Cannot open the file ');
});
