import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { callOver, Command } from '../package/workers-support.ts';
import { assertBuilt, createScratchFolder } from '../support/dist.ts';
import { RawSession } from '../support/raw-http.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const scratch = createScratchFolder();
const commands: Command[] = [];
let redis: RedisServer;

beforeAll(async () => {
  assertBuilt();
  redis = await RedisServer.start();
}, 60_000);
afterAll(async () => {
  scratch.remove();
  await redis.stop();
}, 60_000);
afterEach(async () => {
  for (const { child } of commands.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}, 60_000);

/** Starts `toolwright serve --workers 2` with a configuration. */
function serve(stores: string): Command {
  const folder = mkdtempSync(join(scratch.path, 'configured-'));
  writeFileSync(
    join(folder, 'tools.mjs'),
    `export default { name: 'cached', description: 'A value that one process loads', inputSchema: { type: 'object' },
  handler: async ({ context }) => (await context.cache.wrap('a', () => String(process.pid))) + ' ' + process.pid };
`,
  );
  writeFileSync(
    join(folder, 'c.yaml'),
    `name: demo
tools: [{ module: ./tools.mjs }]
transport: { type: http, port: 0 }
${stores}
`,
  );
  const command = new Command(folder, ['--workers', '2'], 'c.yaml');
  commands.push(command);
  return command;
}

async function urlOf(command: Command): Promise<string> {
  const [, url = ''] = await command.said(/serving demo 0\.0\.0 with 2 workers at (\S+)\n/);
  return url;
}

test(
  'workers of two commands share their cache and sessions through the Redis of their configuration',
  { timeout: 90_000 },
  async () => {
    const stores = `stores: { redis: { url: '${redis.url}', nodes: 4 } }
requestStateKeys: [the secret of all nodes of 32 characters]`;
    const urls = [await urlOf(serve(stores)), await urlOf(serve(stores))] as const;
    // A call during the start may use a fallback, so the values of later calls count.
    const readers = new Map<string, Set<string>>();
    const isShared = (): boolean => [...readers.values()].some(({ size }) => size === 4);
    await until(
      async () => {
        for (const url of urls) {
          const agent = new Agent();
          const { content } = await callOver(agent, url, { name: 'cached' });
          agent.destroy();
          const [value = '', pid = ''] = content?.[0]?.text.split(' ') ?? [];
          readers.set(value, (readers.get(value) ?? new Set()).add(pid));
        }
        return isShared();
      },
      Boolean,
      40_000,
    );
    expect([...readers.values()].map(({ size }) => size)).toContain(4);
    const session = await RawSession.open(urls[0]);
    for (const url of urls) {
      const list = await until(
        () => session.at(url).post({ id: 100, method: 'tools/list' }),
        ({ status }) => status !== 503,
        40_000,
      );
      expect([list.status, await list.text()]).toEqual([200, expect.stringContaining('cached')]);
    }
  },
);

test(
  'a SQLite file does not share sessions and events, which is an error by name',
  { timeout: 90_000 },
  async () => {
    const command = serve('stores: { sqlite: { path: ./state.db } }');
    const exit = command.exit();
    const [text] = await command.said(/error[\s\S]*\n(?=$)/);
    expect([await exit, text]).toEqual([
      2,
      `error --workers 2: each worker would have its own state, because it is in memory:
  sessions  sessions of clients of revisions before 2026-07-28: serve them without sessions with --no-sessions, or share them with stores.redis of a configuration
  eventBus  notifications of changes: pass a shared eventBus to createServer
To share all of it, set stores in the configuration: { redis: { url } }.
To keep a separate state in each worker, allow it by name: --allow-memory sessions,eventBus
`,
    ]);
  },
);
