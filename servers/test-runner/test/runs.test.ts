import { expect, test } from 'vitest';
import { fitOutcome } from '../src/domain/runs/fit-outcome.ts';
import type { RunRecord } from '../src/domain/runs/run-record.ts';
import { RunStore } from '../src/domain/runs/run-store.ts';
import type { RunStoreLimits } from '../src/domain/runs/run-store.ts';
import { createFakeServer } from './support/connect.ts';
import { createDiscovery, createError, createResult, createTest, FakeRunner } from './support/fake-runner.ts';
import { untilCancelled } from './support/fake-runner.ts';

function createStore(limits: Partial<RunStoreLimits> = {}) {
  let now = 0;
  const store = new RunStore(() => now, limits);
  const put = (id: string, owner = 'ada', bytes = 0): void =>
    store.put({
      id,
      owner,
      request: {},
      startedAt: now,
      status: 'completed',
      finished: 0,
      total: 0,
      endedAt: now,
      outcome: fitOutcome(createResult([], { stdout: 'x'.repeat(bytes) }), 1_000_000),
      problem: undefined,
      filesChanged: false,
    });
  const ids = (owner = 'ada'): string[] => store.list(owner).map(({ id }) => id);
  return { store, put, ids, pass: (ms: number) => (now += ms) };
}

test('the store keeps the last 100 runs of a caller for one hour', () => {
  const { put, ids, pass } = createStore();
  for (let count = 1; count <= 101; count += 1) put(`r${count}`);
  put('b1', 'bob');
  expect([ids().length, ids()[0], ids().at(-1)]).toEqual([100, 'r101', 'r2']);
  pass(3_599_999);
  expect(ids().length).toBe(100);
  pass(1);
  expect(ids()).toEqual([]);
});

test('the bytes of one caller and of all callers are bounded; the oldest run is dropped', () => {
  const own = createStore({ bytesPerOwner: 6_000 });
  for (const id of ['r1', 'r2', 'r3']) own.put(id, 'ada', 2_000);
  own.put('b1', 'bob', 2_000);
  expect([own.ids(), own.ids('bob')]).toEqual([['r3', 'r2'], ['b1']]);
  const all = createStore({ bytes: 6_000 });
  all.put('r1', 'ada', 2_000);
  all.put('b1', 'bob', 2_000);
  all.put('b2', 'bob', 2_000);
  expect(all.ids()).toEqual([]);
  expect(all.ids('bob')[0]).toBe('b2');
});

test('a running run is never dropped, and the latest run stays even if it is too large', () => {
  const { store, put, ids } = createStore({ runsPerOwner: 2, bytesPerOwner: 10 });
  const running: RunRecord = {
    id: 'r0',
    owner: 'ada',
    request: {},
    startedAt: 0,
    status: 'running',
    finished: 0,
    total: null,
    endedAt: undefined,
    outcome: undefined,
    problem: undefined,
    filesChanged: false,
  };
  store.put(running);
  for (const id of ['r1', 'r2', 'r3']) put(id, 'ada', 1_000);
  expect(ids()).toEqual(['r3', 'r0']);
});

test('a caller finds only its own runs', () => {
  const { store, put } = createStore();
  put('r1');
  expect(store.find('ada', 'r1')?.id).toBe('r1');
  expect(store.find('bob', 'r1')).toBeUndefined();
});

test('an outcome is shortened: failed tests keep their details the longest, then ids, then counts', () => {
  const details = { message: 'x'.repeat(1_000) };
  const tests = [
    ...Array.from({ length: 50 }, (_, index) => createTest(`p${index}`, 'passed', details)),
    ...Array.from({ length: 5 }, (_, index) => createTest(`f${index}`, 'failed', details)),
  ];
  const whole = fitOutcome(createResult(tests), 1_000_000);
  expect(whole.omitted).toEqual({ tests: 0, collection_errors: 0, warnings: 0, details: 0 });
  expect(whole.tests.slice(0, 6).map(({ node_id }) => node_id)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'p0']);
  const short = fitOutcome(createResult(tests), 18_000);
  expect(Buffer.byteLength(JSON.stringify(short))).toBeLessThan(18_500);
  expect(short.tests.slice(0, 5).every(({ message }) => message === details.message)).toBe(true);
  expect(short.omitted.details).toBeGreaterThan(10);
  expect(short.omitted.tests).toBe(55 - short.tests.length);
  const tiny = fitOutcome(createResult(tests, { stdout: 'y'.repeat(5_000) }), 1_000);
  expect([tiny.tests, tiny.omitted.tests]).toEqual([[], 55]);
});

test('a run of 15,000 tests is listed as a whole, and a larger one says how many tests it leaves out', async () => {
  const { client, runner } = createFakeServer();
  const phases = ['setup', 'call', 'teardown'].map((phase) => ({
    phase,
    outcome: 'passed',
    duration: 0.000_123_456,
    message: null,
  }));
  const create = (count: number) =>
    createResult(
      Array.from({ length: count }, (_, n) =>
        createTest(`tests/unit/${'folder/'.repeat(10)}test_${n}.py::test_"quoted"`, 'passed', { phases }),
      ),
    );
  runner.onRun = () => create(15_000);
  const whole = (await client.callTool('execute_tests')).structured;
  expect(whole).toMatchObject({ summary: { total: 15_000 }, total_count: 15_000, omitted_tests: 0 });
  const { text } = await client.readResource('tests://runs/last');
  expect(JSON.stringify(text).length).toBeLessThan(4_194_304);
  expect(JSON.parse(text)).toMatchObject({ outcome: { omitted: { tests: 0 } } });
  runner.onRun = () => create(60_000);
  // Selected with a long list, which is a part of the resource.
  const node_ids = Array.from({ length: 5_000 }, (_, n) => `${'t'.repeat(190)}${n}`);
  const part = (await client.callTool('execute_tests', { node_ids })).structured as { omitted_tests: number };
  expect(part).toMatchObject({ summary: { total: 60_000 }, total_count: 60_000 - part.omitted_tests });
  expect(part.omitted_tests).toBeGreaterThan(30_000);
  expect(JSON.stringify((await client.readResource('tests://runs/last')).text).length).toBeLessThan(
    4_194_304,
  );
});

test('long commands are shortened', () => {
  const command = ['python3', ...Array<string>(5_000).fill('test_a.py::test_a')];
  const { command: kept } = fitOutcome(createResult([], { command }), 100_000);
  expect([kept.length, kept.at(-1)]).toEqual([101, '[4901 arguments omitted]']);
});

test('test processes are limited for one caller and for all', async () => {
  const runner = new FakeRunner();
  runner.onRun = untilCancelled;
  const { connect } = createFakeServer({ runner, maxRunning: 3 });
  const [ada, bob] = [connect('ada'), connect('bob')];
  const start = (client: typeof ada) => client.callTool('execute_tests', { background: true });
  const ids = [await start(ada), await start(ada)].map(
    ({ structured }) => (structured as { run_id: string }).run_id,
  );
  expect((await start(ada)).text).toContain('2 test processes of this caller are running; the limit is 2.');
  expect((await ada.callTool('discover_tests')).text).toContain(
    `Suggestion: Wait until the run ${ids[0]} has ended, or end it with cancel_run.`,
  );
  await start(bob);
  expect((await start(bob)).text).toContain('3 test processes are running; the limit is 3.');
  await ada.callTool('cancel_run', { run_id: ids[0] ?? '' });
  expect((await start(bob)).isError).toBe(false);
});

test('nothing is seen across callers', async () => {
  const { connect, runner, server } = createFakeServer();
  const updated: string[] = [];
  server.resources?.onUpdate((uri) => updated.push(uri));
  runner.onRun = () => createResult([createTest('t', 'failed')]);
  const [ada, bob, anonymous] = [connect('ada'), connect('bob'), connect()];
  const { run_id } = (await ada.callTool('execute_tests')).structured as { run_id: string };
  for (const other of [bob, anonymous]) {
    expect((await other.callTool('list_runs')).structured).toMatchObject({ total_count: 0 });
    for (const tool of ['get_run', 'cancel_run', 'rerun_failed'])
      expect((await other.callTool(tool, { run_id })).text).toContain(
        `- run_id: There is no run "${run_id}". Call list_runs.`,
      );
    const explained = await other.callTool('explain_failure', { run_id, node_id: 't' });
    expect(explained.text).toContain('There is no run');
    for (const id of [run_id, 'last'])
      await expect(other.readResource(`tests://runs/${id}`)).rejects.toMatchObject({
        code: 'UNKNOWN_RESOURCE',
      });
  }
  expect((await ada.readResource(`tests://runs/${run_id}`)).text).toBe(
    (await ada.readResource('tests://runs/last')).text,
  );
  // Subscribers of tests://runs/last are not told that another caller's run has ended.
  expect(updated).toEqual([`tests://runs/${run_id}`]);
});

test('the resource of a run has everything, and the tree has all tests by file', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = () =>
    createResult([createTest('t', 'failed', { message: 'x'.repeat(9_000) })], { stdout: 'all' });
  await client.callTool('execute_tests', { keywords: 't' });
  const run = JSON.parse((await client.readResource('tests://runs/last')).text) as object;
  expect(run).toMatchObject({
    status: 'completed',
    request: { keywords: 't' },
    outcome: { stdout: 'all', command: ['python3', '-m', 'pytest'], tests: [{ message: 'x'.repeat(9_000) }] },
  });
  runner.onDiscover = () => createDiscovery(['a.py::x', 'b.py::y', 'a.py::z']);
  const tree = JSON.parse((await client.readResource('tests://tree')).text) as object;
  expect(tree).toMatchObject({
    count: 3,
    files: [
      {
        file: 'a.py',
        count: 2,
        tests: [
          { node_id: 'a.py::x', line: 1 },
          { node_id: 'a.py::z', line: 3 },
        ],
      },
      { file: 'b.py', count: 1, tests: [{ node_id: 'b.py::y', line: 2 }] },
    ],
  });
  runner.onDiscover = () =>
    createDiscovery(Array.from({ length: 40_000 }, (_, n) => `f${n % 9}.py::${'t'.repeat(60)}${n}`));
  const large = JSON.parse((await client.readResource('tests://tree')).text) as {
    files: { tests?: unknown }[];
  };
  expect([large.files.length, large.files.some(({ tests }) => tests === undefined)]).toEqual([9, true]);
  // 30,000 files with long names, none of whose tests has room.
  runner.onDiscover = () =>
    createDiscovery(Array.from({ length: 30_000 }, (_, n) => `${'f'.repeat(90)}${n}.py::t`));
  const wide = JSON.parse((await client.readResource('tests://tree')).text) as { files: unknown[] };
  expect(wide.files.length).toBe(30_000);
  runner.onDiscover = () => createError('usage_error');
  await expect(client.readResource('tests://tree')).rejects.toThrow('usage_error');
});

test('the end of the server ends all runs and rejects new ones', async () => {
  const { client, runner, endRuns } = createFakeServer();
  runner.onRun = untilCancelled;
  const call = client.callTool('execute_tests');
  await client.callTool('execute_tests', { background: true });
  await endRuns();
  expect((await call).isError).toBe(true);
  expect((await client.callTool('execute_tests')).text).toBe('The server is shutting down.');
});
