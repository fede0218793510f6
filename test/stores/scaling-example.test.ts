import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { assertBuilt, createScratchFolder, ROOT } from '../support/dist.ts';
import { postModern } from '../support/raw-http.ts';
import { RedisServer } from '../support/redis-server.ts';

const scratch = createScratchFolder();
let redis: RedisServer;

beforeAll(async () => {
  assertBuilt();
  redis = await RedisServer.start();
});
afterAll(async () => {
  scratch.remove();
  await redis.stop();
});

/** Starts the server of docs/scaling.md; returns its URL. */
async function startNode(): Promise<{ url: string; child: ChildProcess }> {
  const file = join(scratch.path, 'server.mjs');
  writeFileSync(file, readFileSync(join(ROOT, 'test/fixtures/scaling/server.js'), 'utf8'));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, REDIS_URL: redis.url, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url: line.replace('Listening at ', ''), child };
}

test('the nodes of docs/scaling.md share their cache, and end on SIGTERM', async () => {
  const nodes = [await startNode(), await startNode()];
  const texts = await Promise.all(
    nodes.map(async ({ url }) =>
      JSON.stringify(
        (await postModern(url, { method: 'tools/call', params: { name: 'report', arguments: {} } })).result?.[
          'content'
        ],
      ),
    ),
  );
  const writers = nodes.map(({ child }) => `[{"type":"text","text":"Written by process ${child.pid}"}]`);
  expect(new Set(texts).size).toBe(1);
  expect(writers).toContain(texts[0]);
  for (const { child } of nodes) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  }
});
