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
import { until } from '../support/until.ts';

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
    env: {
      ...process.env,
      REDIS_URL: redis.url,
      PORT: '0',
      REQUEST_STATE_SECRET: 'a secret of all nodes, 32 characters',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url: line.replace('Listening at ', ''), child };
}

test('the nodes of docs/scaling.md share their cache, and end on SIGTERM', async () => {
  const nodes = [await startNode(), await startNode()];
  const report = async ({ url }: { url: string }): Promise<string> =>
    JSON.stringify(
      (await postModern(url, { method: 'tools/call', params: { name: 'report', arguments: {} } })).result?.[
        'content'
      ],
    );
  // On a busy machine, Redis may reply after the timeout of the stores: then a node uses a value of its own.
  const texts = await until(
    () => Promise.all(nodes.map(report)),
    ([first, second]) => first === second,
    30_000,
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

test('a session of an earlier revision is served by both nodes, until one of them ends it', async () => {
  const [one, two] = [await startNode(), await startNode()];
  const begun = await fetchStored(one.url, { method: 'POST', headers: HEADERS, body: INITIALIZE });
  const session = { ...HEADERS, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  const call = async (url: string): Promise<number> => {
    const response = await fetchStored(url, { method: 'POST', headers: session, body: CALL });
    await response.text();
    return response.status;
  };
  expect([await call(two.url), await call(one.url)]).toEqual([200, 200]);
  const ended = await fetchStored(two.url, { method: 'DELETE', headers: session });
  expect(ended.status).toBe(204);
  expect([await call(one.url), await call(two.url)]).toEqual([404, 404]);
});

/** A request that needs the store is repeated while it gets 503: on a busy machine, Redis may reply after the timeout of the stores. */
const fetchStored = (url: string, init: RequestInit): Promise<Response> =>
  until(
    () => fetch(url, init),
    ({ status }) => status !== 503,
    30_000,
  );

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};
const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const INITIALIZE = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: CLIENT });
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'report' } });
