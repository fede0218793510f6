import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExpectStatic } from 'vitest';
import { callTool, connectHttp, connectStdio, startHttp, watchTool } from '../support/clients.ts';
import type { HttpProcess, OfficialClient } from '../support/clients.ts';
import { createFolder } from '../support/folder.ts';
import { createMarker, REPORT } from '../support/processes.ts';

/** `reached` creates a file in the project: the test waits for it. */
const SETUP = `${REPORT}
def reached(place):
    open("reached-" + place, "w").close()
`;

const project = createFolder({
  'test_forks.py': `${SETUP}
def test_forks():
    for _ in range(100):
        survive()
`,
  'test_prints.py': `${SETUP}
def test_prints(capfd):
    with capfd.disabled():
        for _ in range(1000):
            sys.stdout.write("x" * 1_000_000)
`,
  'test_hangs.py': `${SETUP}
import pytest
@pytest.mark.parametrize("place", ["test", "timeout", "eof", "SIGTERM", "SIGKILL"])
def test_hangs(place):
    survive()
    survive_unmarked()
    reached(place)
    hang()
`,
  'test_kills.py': `${SETUP}
def test_kills():
    survive()
    os.kill(os.getppid(), signal.SIGKILL)
    hang()
`,
  'collection/test_hangs.py': `${SETUP}
survive()
reached("collection")
hang()
`,
  'end/conftest.py': `${SETUP}
def pytest_sessionfinish():
    survive()
    reached("end")
    hang()
`,
  'end/test_a.py': 'def test_a(): pass\n',
});

const toHanging = (place: string): string => `test_hangs.py::test_hangs[${place}]`;

const marker = createMarker();
const PASSED = ['--pass-env', 'ATTACK_ID'];
let http: HttpProcess;
let client: OfficialClient;
beforeAll(async () => {
  http = await startHttp([project, '--max-runs', '8', ...PASSED], marker.environment);
  client = await connectHttp('v2', http.url);
});
afterAll(async () => {
  await client.close();
  await http.stop();
  rmSync(project, { recursive: true, force: true });
});

/** Processes that runs of the server over HTTP have left. */
const listLeft = (): readonly number[] => marker.listProcesses().filter((pid) => pid !== http.child.pid);

/** A server of its own, so that attacks go on at the same time and each sees only its own processes. */
async function startOwn() {
  const own = createMarker();
  const started = await connectStdio('v2', [project, ...PASSED], own.environment);
  const listOwn = (): readonly number[] => own.listProcesses().filter((pid) => pid !== started.pid);
  return { ...started, listProcesses: own.listProcesses, listLeft: listOwn };
}

function takeReached(place: string): boolean {
  const path = join(project, `reached-${place}`);
  const isThere = existsSync(path);
  rmSync(path, { force: true });
  return isThere;
}

/** `own`: of the test, if it is concurrent. */
async function waitUntilReached(place: string, own: Pick<ExpectStatic, 'poll'> = expect): Promise<void> {
  await own.poll(() => takeReached(place)).toBe(true);
}

describe.concurrent('a server survives, and leaves no process:', () => {
  test('100 processes that leave their session are ended with the run', async () => {
    const own = await startOwn();
    const { data } = await callTool(own.client, 'execute_tests', { node_ids: ['test_forks.py'] });
    expect(data).toMatchObject({ status: 'completed', summary: { passed: 1 } });
    expect(own.listLeft()).toEqual([]);
    await close(own);
  });

  test('a test that hangs is ended by the timeout', async () => {
    const own = await startOwn();
    const { isError, data } = await callTool(own.client, 'execute_tests', {
      node_ids: [toHanging('timeout')],
      timeout: 3,
    });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ status: 'error', reason: 'timeout', exit_code: -1 });
    expect(own.listLeft()).toEqual([]);
    await close(own);
  });

  test('a test that kills its parent ends only its run', async () => {
    const own = await startOwn();
    const { isError, data } = await callTool(own.client, 'execute_tests', { node_ids: ['test_kills.py'] });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ status: 'error', exit_code: 137 });
    expect(own.listLeft()).toEqual([]);
    await close(own);
  });

  test.for(['eof', 'SIGTERM', 'SIGKILL'] as const)(
    '%s ends the server and all processes',
    async (way, { expect }) => {
      const own = await startOwn();
      const args = { node_ids: [toHanging(way)], background: true };
      await callTool(own.client, 'execute_tests', args);
      await waitUntilReached(way, expect);
      // The server, the supervisor, pytest, and the process in another session.
      expect(own.listProcesses().length).toBe(4);
      if (way !== 'eof') process.kill(own.pid, way);
      await own.client.close();
      await expect.poll(() => own.listProcesses()).toEqual([]);
    },
  );
});

/** The server still answers, and ends with its client. */
async function close({ client: own }: { readonly client: OfficialClient }): Promise<void> {
  expect((await callTool(own, 'list_runs')).data['total_count']).toBe(1);
  await own.close();
}

test('1 GB of output is bounded in the result, and in the memory of the server', async () => {
  const { data } = await callTool(client, 'execute_tests', { node_ids: ['test_prints.py'] });
  expect(data).toMatchObject({ status: 'completed', summary: { passed: 1 } });
  expect((data['stdout'] as string).length).toBeLessThan(5_000);
  const status = readFileSync(`/proc/${http.child.pid}/status`, 'utf8');
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
  expect(peak).toBeGreaterThan(10_000);
  expect(peak).toBeLessThan(400_000);
});

test('cancel during the collection, a test and the end of a run ends all processes', async () => {
  const controller = new AbortController();
  const places = { collection: 'collection/test_hangs.py', test: toHanging('test'), end: 'end/test_a.py' };
  const calls = Object.values(places).map((id) =>
    watchTool(client, { name: 'execute_tests', args: { node_ids: [id] }, signal: controller.signal }),
  );
  const settled = Promise.allSettled(calls);
  for (const place of Object.keys(places)) await waitUntilReached(place);
  // Of each run the supervisor, pytest, and the process in another session.
  expect(listLeft().length).toBe(9);
  controller.abort();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect.poll(() => listLeft()).toEqual([]);
  // The server notices the end of its processes a moment later.
  const states = async (): Promise<readonly string[]> => {
    const { data } = await callTool(client, 'list_runs', { limit: 3 });
    return (data['runs'] as { status: string }[]).map(({ status }) => status);
  };
  await expect.poll(states).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('cancel_run ends all processes before it returns', async () => {
  const args = { node_ids: [toHanging('test')], background: true };
  const { data } = await callTool(client, 'execute_tests', args);
  await waitUntilReached('test');
  const cancelled = await callTool(client, 'cancel_run', { run_id: data['run_id'] });
  expect(cancelled.data).toMatchObject({ status: 'cancelled' });
  expect(listLeft()).toEqual([]);
});

test('a call that is cancelled at once runs no test', async () => {
  const signal = AbortSignal.abort();
  const args = { node_ids: [toHanging('test')] };
  await expect(watchTool(client, { name: 'execute_tests', args, signal })).rejects.toThrow();
  await expect.poll(() => listLeft()).toEqual([]);
});

test('the server still answers', async () => {
  expect((await callTool(client, 'list_runs')).data['total_count']).toBeGreaterThan(4);
});
