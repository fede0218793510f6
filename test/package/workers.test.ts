import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder } from '../support/dist.ts';
import { CLIENTS, connectOverHttp } from '../support/served-clients.ts';
import { ALLOWED, Caller, callOver, Command, createProject, isAlive } from './workers-support.ts';

const scratch = createScratchFolder();
beforeAll(assertBuilt);
afterAll(scratch.remove);

/** Starting a worker takes seconds on a busy machine. */
const PATIENCE_MS = 20_000;

const commands: Command[] = [];
afterEach(async () => {
  for (const { child } of commands.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

function start(folder: string, ...flags: string[]): Command {
  const command = new Command(folder, flags);
  commands.push(command);
  return command;
}

interface Served {
  readonly command: Command;
  readonly url: string;
  readonly write: (name: string, text: string) => void;
  readonly folder: string;
}

async function serve(...flags: string[]): Promise<Served> {
  const project = createProject(scratch.path);
  const command = start(
    project.folder,
    '--http',
    '--port',
    '0',
    '--no-sessions',
    '--workers',
    '2',
    ALLOWED,
    ...flags,
  );
  const [, url = ''] = await command.said(/serving demo 1\.0\.0 with 2 workers at (\S+)\n/);
  return { command, url, ...project };
}

/** Calls over a new connection each, until the condition holds. */
async function until<TResult>(
  act: (agent: Agent) => Promise<TResult>,
  holds: (result: TResult) => boolean,
): Promise<TResult> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const agent = new Agent();
    const result = await act(agent);
    agent.destroy();
    if (holds(result)) return result;
    if (performance.now() > end) throw new Error('the condition never held');
  }
}

const textOf = async (agent: Agent, url: string, name: string): Promise<string> =>
  (await callOver(agent, url, { name })).content?.[0]?.text ?? '';

/** The status of a GET request over its own connection. */
function statusOf(url: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
  });
}

/** The processes that respond. */
async function pidsOf(url: string): Promise<Set<number>> {
  const pids = new Set<number>();
  await until(
    async (agent) => pids.add(Number(await textOf(agent, url, 'pid'))),
    ({ size }) => size === 2,
  );
  return pids;
}

/** Clients that have all had a result. */
async function callersOf(url: string, count = 8): Promise<Caller[]> {
  const callers = Array.from({ length: count }, () => new Caller(url));
  while (callers.some(({ results }) => results.length === 0)) await wait(5);
  return callers;
}

function expectEnd(pids: Iterable<number>): Promise<void> {
  return expect.poll(() => [...pids].filter(isAlive)).toEqual([]);
}

test.each(CLIENTS)('calls of the $client client are spread over the workers', async ({ client }) => {
  const { url } = await serve();
  const clients = await Promise.all(Array.from({ length: 6 }, () => connectOverHttp(client, url)));
  // At the same time, because the clients of one process share connections; on a busy machine, several calls can use one connection.
  const pids = new Set<string>();
  for (let round = 0; round < 50 && pids.size < 2; round += 1)
    for (const pid of await Promise.all([...clients, ...clients].map((each) => each.callText('pid'))))
      pids.add(pid);
  expect(pids.size).toBe(2);
  await Promise.all(clients.map((each) => each.close()));
});

test('a call that asks the user goes on in another worker, with a secret that is in no environment', async () => {
  const { url } = await serve();
  const hops = await until(
    async (agent) => {
      const { requestState } = await callOver(agent, url, { name: 'ask' });
      const inputResponses = { who: { action: 'accept', content: { name: 'Ann' } } };
      const second = new Agent();
      const { content } = await callOver(second, url, { name: 'ask', requestState, inputResponses });
      second.destroy();
      return (content?.[0]?.text ?? '').split(' ');
    },
    ([, first, second]) => first !== second,
  );
  expect(hops[0]).toBe('Ann');
  const [argv, env] = JSON.parse(await textOf(new Agent(), url, 'secrets')) as [
    string[],
    Record<string, string>,
  ];
  expect(argv.slice(2)).toEqual([
    'serve',
    'server.mjs',
    '--http',
    '--port',
    '0',
    '--no-sessions',
    '--workers',
    '2',
    ALLOWED,
  ]);
  // Names that the workers have and this process has not.
  const added = Object.keys(env).filter((name) => process.env[name] === undefined);
  expect(added.filter((name) => /^(?:TOOLWRIGHT|NODE_UNIQUE)/.test(name))).toEqual([]);
});

test('a worker that is killed fails only its own calls, and is replaced', async () => {
  const { command, url } = await serve();
  const [killed = 0, other = 0] = await pidsOf(url);
  const callers = await callersOf(url);
  const onKilled = callers.filter(({ results }) => results.at(-1)?.pid === killed);
  expect(onKilled.length).toBeGreaterThan(0);
  process.kill(killed, 'SIGKILL');
  await command.said(new RegExp(`ended worker ${killed}: it was ended by SIGKILL. Starting another one.\n`));
  const fresh = await until(
    async () => new Set(callers.flatMap(({ results }) => results.map(({ pid }) => pid))),
    ({ size }) => size > 0,
  );
  expect(fresh.has(other)).toBe(true);
  const after = await until(
    async (agent) => {
      await wait(20);
      return Number(await textOf(agent, url, 'pid'));
    },
    (pid) => pid !== other,
  );
  expect([after === killed, isAlive(after)]).toEqual([false, true]);
  await Promise.all(callers.map((caller) => caller.stop()));
  for (const caller of callers) {
    expect(caller.failures.length).toBeLessThanOrEqual(onKilled.includes(caller) ? 1 : 0);
    expect(caller.failures.map((failure) => failure.after)).toEqual(caller.failures.map(() => killed));
  }
});

test('a worker that an uncaught exception ends is replaced before it has drained, and health checks go on', async () => {
  const { command, url } = await serve();
  const crashed = Number(await textOf(new Agent(), url, 'crash'));
  await command.said(
    new RegExp(`ended worker ${crashed}: it ends because of a stray error. Starting another one.\n`),
  );
  expect(isAlive(crashed)).toBe(true);
  const health = new Set<number>();
  while (isAlive(crashed)) health.add(await statusOf(new URL('/readyz', url)));
  expect([...health]).toEqual([200]);
  expect((await pidsOf(url)).size).toBe(2);
});

test('a connection that a killed worker has not taken goes to another worker', async () => {
  const { url } = await serve();
  const [frozen = 0, other = 0] = await pidsOf(url);
  process.kill(frozen, 'SIGSTOP');
  const agent = new Agent({ maxSockets: Infinity });
  // One of the connections is sent to the frozen worker, and waits there.
  const taken: number[] = [];
  const calls = Array.from({ length: 6 }, async () => {
    taken.push(Number(await textOf(agent, url, 'pid')));
  });
  while (taken.length < 5) await wait(5);
  expect(taken).toEqual([other, other, other, other, other]);
  process.kill(frozen, 'SIGKILL');
  await Promise.all(calls);
  expect(taken.length).toBe(6);
  expect(taken).not.toContain(frozen);
});

test('SIGHUP replaces all workers, and no call fails', async () => {
  const { command, url, write } = await serve();
  const before = await pidsOf(url);
  const callers = await callersOf(url);
  const health = new Set<number>();
  const polling = new AbortController();
  const polled = (async () => {
    for (; !polling.signal.aborted; await wait(20)) health.add(await statusOf(new URL('/readyz', url)));
  })();
  write('version.mjs', `export const version = '2.0.0';`);
  command.child.kill('SIGHUP');
  await command.said(/replaced worker \d+ \(2 of 2\): demo 2\.0\.0\n/);
  await expectEnd(before);
  polling.abort();
  await polled;
  expect([...health]).toEqual([200]);
  await Promise.all(callers.map((caller) => caller.stop()));
  expect(callers.flatMap(({ failures }) => failures)).toEqual([]);
  for (const { results } of callers) {
    expect(results.at(-1)?.version).toBe('2.0.0');
    expect(before.has(results.at(-1)?.pid ?? 0)).toBe(false);
  }
  const after = await pidsOf(url);
  expect([...after].some((pid) => before.has(pid))).toBe(false);
});

test('a version that cannot be loaded leaves the workers serving, and the reason is shown', async () => {
  const { command, url, write } = await serve();
  const before = await pidsOf(url);
  write('version.mjs', 'export const version = ;');
  command.child.kill('SIGHUP');
  await command.said(/error .*version\.mjs.*\n/);
  await command.said(/kept The previous version continues to serve\.\n/);
  expect(await pidsOf(url)).toEqual(before);
  write('version.mjs', `export const version = '3.0.0';`);
  command.child.kill('SIGHUP');
  await command.said(/replaced worker \d+ \(2 of 2\): demo 3\.0\.0\n/);
});

test('SIGTERM answers every call that was read, and ends all processes', async () => {
  const { command, url, folder } = await serve();
  const pids = await pidsOf(url);
  const callers = await callersOf(url);
  command.child.kill('SIGTERM');
  await command.said(/Shutting down …\n/);
  expect(await command.exit()).toBe(0);
  await Promise.all(callers.map((caller) => caller.stop()));
  const answered = callers.flatMap(({ results }) => results).length;
  expect(answered).toBe(readFileSync(join(folder, 'begun'), 'utf8').length);
  expect(answered).toBeGreaterThan(callers.length);
  expect([...pids].filter(isAlive)).toEqual([]);
});

test('a second signal ends the command immediately, also one of another kind', async () => {
  const { command, url } = await serve();
  const pids = await pidsOf(url);
  command.child.kill('SIGTERM');
  await command.said(/Shutting down …\n/);
  command.child.kill('SIGINT');
  expect([await command.exit(), command.child.signalCode]).toEqual([null, 'SIGINT']);
  await expectEnd(pids);
});

test('no worker outlives a primary process that is killed', async () => {
  const { command, url } = await serve();
  const pids = await pidsOf(url);
  command.child.kill('SIGKILL');
  await expectEnd(pids);
});

describe('mistakes end the command before it serves', () => {
  const cases: [string, string[], number, string][] = [
    [
      'state in memory',
      ['--http', '--workers', '2', '--allow-memory', 'cache', '--allow-memory', 'tasks,eventBus'],
      2,
      `error --workers 2: each worker would have its own state, because it is in memory:
  sessions       sessions of clients of revisions before 2026-07-28: serve them without sessions with --no-sessions, or share them with stores.redis of a configuration
  confirmations  tokens of confirmations: pass a shared confirmationStore to createServer
  state          values of context.state and handles: pass a shared stateStore to createServer
To keep a separate state in each worker, allow it by name: --allow-memory sessions,tasks,confirmations,cache,state,eventBus
`,
    ],
    [
      'stdio',
      ['--workers', '2'],
      2,
      'error --workers applies only to HTTP, because processes cannot share standard input and output. Add --http.\n',
    ],
    [
      'an address that cannot be used',
      [
        '--http',
        '--workers',
        '2',
        '--no-sessions',
        ALLOWED,
        '--host',
        '192.0.2.1',
        '--allow-host',
        'a.example',
      ],
      3,
      'error This machine has no address "192.0.2.1". Omit --host for 127.0.0.1, or use --host 0.0.0.0 for all addresses.\n',
    ],
  ];
  test.each(cases)('%s', async (_what, flags, code, message) => {
    const { folder } = createProject(scratch.path);
    const command = start(folder, ...flags);
    const exit = command.exit();
    const [text] = await command.said(/error[\s\S]*\n(?=$)/);
    expect([await exit, text]).toEqual([code, message]);
  });

  test('a server that cannot be loaded', async () => {
    const { folder, write } = createProject(scratch.path);
    write('version.mjs', 'export const version = await Promise.reject(new Error("no database"));');
    const command = start(folder, '--http', '--workers', '2');
    await command.said(/error .*no database/);
    expect(await command.exit()).toBe(3);
  });
});

test('one worker may keep everything in memory', async () => {
  const { folder } = createProject(scratch.path);
  const command = start(folder, '--http', '--port', '0', '--workers', '1');
  await command.said(/serving demo 1\.0\.0 with 1 worker at \S+\n/);
});
