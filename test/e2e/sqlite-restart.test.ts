import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { RawPeer } from '../support/raw-peer.ts';
import type { Json } from '../support/raw-peer.ts';

const SERVER = fileURLToPath(new URL('../fixtures/sqlite-server.mjs', import.meta.url));
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

interface Running {
  readonly process: ChildProcess;
  readonly url: URL;
}

async function start(path: string): Promise<Running> {
  const child = fork(SERVER, [path], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { process: child, url: new URL(url) };
}

async function kill({ process }: Running): Promise<void> {
  const ended = once(process, 'exit');
  process.kill('SIGKILL');
  await ended;
}

const transportTo = ({ url }: Running, caller: string): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${caller}` } } });

/** Calls tools with the official client, as a caller. */
async function connect(
  server: Running,
  caller: string,
): Promise<(name: string, args?: object) => Promise<string>> {
  const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transportTo(server, caller));
  onTestFinished(() => client.close());
  return async (name, args = {}) => {
    const { content } = await client.callTool({ name, arguments: { ...args } });
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  };
}

/** The official client sends no `tasks/get`; its transport does. */
async function connectPeer(server: Running, caller: string): Promise<RawPeer> {
  const peer = await new RawPeer(transportTo(server, caller), TASKS).start();
  onTestFinished(() => peer.close());
  return peer;
}

async function untilStatus(peer: RawPeer, taskId: unknown, status: string): Promise<Json> {
  for (let left = 2000; left > 0; left -= 1) {
    const { result } = await peer.request('tasks/get', { taskId });
    if (result?.['status'] === status) return result;
  }
  throw new Error(`the task never was ${status}`);
}

test(
  'state, handles, tasks, confirmations and quotas outlast a server that is killed',
  { timeout: 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-restart-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'server.db');

    const first = await start(path);
    const before = await connect(first, 'ada');
    const handle = await before('remember', { word: 'milk' });
    const tokens: string[] = [];
    for (const page of ['a', 'b']) {
      const token = /confirmation_token "(\w+)"/.exec(await before('remove', { page }))?.[1];
      tokens.push(token ?? '');
    }
    const peer = await connectPeer(first, 'ada');
    const begin = async (name: string): Promise<unknown> =>
      (await peer.request('tools/call', { name, arguments: {} })).result?.['taskId'];
    const [computed, hanging] = [await begin('compute'), await begin('hang')];
    await untilStatus(peer, computed, 'completed');
    await kill(first);

    const second = await start(path);
    const [ada, eve] = [await connect(second, 'ada'), await connect(second, 'eve')];
    expect(JSON.parse(await ada('recall', { handle }))).toEqual(['milk', { word: 'milk' }]);
    expect(JSON.parse(await eve('recall', { handle }))).toEqual([null, null]);
    const confirm = (page: string, token = ''): Promise<string> =>
      ada('remove', { page, confirmation_token: token });
    expect(await confirm('a', tokens[0])).toBe('removed a');
    expect(await confirm('a', tokens[0])).toContain('it was already used');

    const after = await connectPeer(second, 'ada');
    expect((await after.request('tasks/get', { taskId: computed })).result).toMatchObject({
      status: 'completed',
      result: { content: [{ type: 'text', text: 'computed' }] },
    });
    const strange = await connectPeer(second, 'eve');
    expect((await strange.request('tasks/get', { taskId: computed })).error).toMatchObject({ code: -32602 });
    expect(await untilStatus(after, hanging, 'failed')).toMatchObject({
      error: { code: -32603, message: 'The server ended before the task.' },
    });
    await kill(second);

    const third = await start(path);
    const last = await connect(third, 'ada');
    expect(await last('remove', { page: 'b', confirmation_token: tokens[1] })).toBe('removed b');
    expect(await last('remove', { page: 'b', confirmation_token: tokens[1] })).toContain(
      'it was already used',
    );
    // Five calls of the first process, three of the second and two of this one.
    const texts = [
      await last('recall', { handle }),
      await last('recall', { handle }),
      await last('recall', { handle }),
    ];
    expect(texts.map((text) => text.startsWith('Too many calls'))).toEqual([false, false, true]);
  },
);
