import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from 'toolwright';
import { connectTestClient } from 'toolwright/testing';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import type { PytestSettings } from '../src/domain/pytest/pytest-runner.ts';
import { createTestRunnerServer } from '../src/server.ts';
import { createMarker, createReporting, isAlive, REPORT } from './support/processes.ts';
import { createProject, createRunner } from './support/project.ts';
import { getInterpreter } from './support/pytest.ts';

const { path: python } = await getInterpreter();
const GRACE_MS = 100;

/** A runner for one module of tests, whose processes are marked. */
async function createAttack(code: string, limits: PytestSettings['limits'] = {}) {
  const clock = new FakeClock();
  const marker = createMarker();
  const reporting = await createReporting();
  const environment = { ...marker.environment, ATTACK_PORT: reporting.port };
  const project = createProject({ 'test_a.py': `${REPORT}\n${code}` });
  const runner = createRunner(python, project, {
    environment,
    allowedEnvironment: marker.allowedEnvironment,
    limits: { graceMs: GRACE_MS, ...limits },
    schedule: (callback, delayMs) => clock.schedule(callback, delayMs),
  });
  return { clock, runner, project, environment, reporting, listProcesses: marker.listProcesses };
}

test('a test that hangs and ignores SIGTERM is ended by the timeout', async () => {
  const { runner, clock, reporting, listProcesses } = await createAttack(
    'def test_ok(): pass\ndef test_hang():\n    report("running")\n    hang()',
  );
  const reported = reporting.waitForText();
  const run = runner.run({ timeout: 3 });
  await reported;
  clock.advance(2_999);
  expect(listProcesses().length).toBe(2);
  clock.advance(1);
  const error = await run;
  expect(error).toMatchObject({
    kind: 'error',
    reason: 'timeout',
    exit_code: -1,
    message:
      'The run was ended after 3 s while test_a.py::test_hang was running. Raise timeout, or run fewer tests.',
    summary: { total: 1, passed: 1 },
    running: ['test_a.py::test_hang'],
  });
  expect(listProcesses()).toEqual([]);
});

test('cancel during a test ends it and all its processes', async () => {
  const { runner, reporting, listProcesses } = await createAttack(
    'def test_a():\n    survive()\n    subprocess.Popen(["sleep", "1000"])\n    report("running")\n    hang()',
  );
  const controller = new AbortController();
  const reported = reporting.waitForText();
  const run = runner.run({}, { signal: controller.signal });
  await reported;
  // The supervisor, pytest, the process in another session, and sleep.
  expect(listProcesses().length).toBe(4);
  controller.abort();
  expect(await run).toMatchObject({ kind: 'error', reason: 'cancelled', running: ['test_a.py::test_a'] });
  expect(listProcesses()).toEqual([]);
});

test.each(['run', 'discover'] as const)('cancel during collection ends %s', async (method) => {
  const { runner, reporting, listProcesses } = await createAttack('survive()\nreport("collecting")\nhang()');
  const controller = new AbortController();
  const reported = reporting.waitForText();
  const run = runner[method]({}, { signal: controller.signal });
  await reported;
  expect(listProcesses().length).toBe(3);
  controller.abort();
  expect(await run).toMatchObject({ kind: 'error', reason: 'cancelled', running: [] });
  expect(listProcesses()).toEqual([]);
});

test('cancel before the start runs no test', async () => {
  const { runner, listProcesses } = await createAttack('def test_a(): hang()');
  const events: unknown[] = [];
  const outcome = await runner.run(
    {},
    { signal: AbortSignal.abort(), onEvent: (event) => events.push(event) },
  );
  expect(outcome).toMatchObject({ kind: 'error', reason: 'cancelled' });
  expect(events).toEqual([]);
  expect(listProcesses()).toEqual([]);
});

test('a test can kill its parent, but not the server', async () => {
  const { runner, listProcesses } = await createAttack(
    'def test_a():\n    survive()\n    os.kill(os.getppid(), signal.SIGKILL)\n    hang()',
  );
  expect(await runner.run({})).toMatchObject({
    kind: 'error',
    reason: 'ended_early',
    exit_code: 137,
    running: ['test_a.py::test_a'],
  });
  expect(listProcesses()).toEqual([]);
});

test('a test that sends signals to its parent and to its process group ends only itself', async () => {
  const { runner, reporting, listProcesses } = await createAttack(
    'def test_a():\n    report(survive_unmarked())\n    os.kill(os.getppid(), signal.SIGTERM)\n    os.killpg(0, signal.SIGKILL)',
  );
  const reported = reporting.waitForText();
  expect(await runner.run({})).toMatchObject({ kind: 'error', reason: 'ended_early', exit_code: 137 });
  // Only the supervisor can find it.
  expect(isAlive(Number(await reported))).toBe(false);
  expect(listProcesses()).toEqual([]);
});

test('processes that a finished run leaves are ended, also in other sessions and with another environment', async () => {
  const { runner, listProcesses } = await createAttack(
    [
      'def test_marked(): print(survive()); assert 0',
      'def test_unmarked(): print(survive_unmarked()); assert 0',
      'def test_many():',
      '    for _ in range(50): survive()',
    ].join('\n'),
  );
  const result = await runner.run({});
  expect(result).toMatchObject({ kind: 'result', summary: { failed: 2, passed: 1 } });
  const pids = result.tests.slice(0, 2).map(({ captured }) => Number(captured[0]?.text));
  expect(pids.every((pid) => pid > 1)).toBe(true);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(listProcesses()).toEqual([]);
});

test('a hook that hangs at the end of a run does not hide the end of the last test', async () => {
  const { runner, project, reporting } = await createAttack('def test_a(): pass\ndef test_b(): pass');
  const hook = 'def pytest_sessionfinish():\n    report("ending")\n    hang()\n';
  writeFileSync(join(project, 'conftest.py'), `${REPORT}\n${hook}`);
  const controller = new AbortController();
  const reported = reporting.waitForText();
  const run = runner.run({}, { signal: controller.signal });
  await reported;
  controller.abort();
  expect(await run).toMatchObject({
    kind: 'error',
    reason: 'cancelled',
    summary: { total: 2, passed: 2 },
    running: [],
  });
});

test.each([false, true])(
  'a process that is replaced by its child again and again is ended, in sessions of its own: %s',
  async (leaves) => {
    const { runner, reporting, listProcesses } = await createAttack(
      `def test_a(): hop(${leaves ? 'True' : 'False'})`,
    );
    const ended = reporting.waitForEnd();
    expect(await runner.run({})).toMatchObject({ kind: 'result', summary: { passed: 1 } });
    expect(await ended).toBe('');
    expect(listProcesses()).toEqual([]);
  },
);

test('a forked child that returns into pytest reports nothing', async () => {
  const { runner, listProcesses } = await createAttack('def test_a(): os.fork()\ndef test_b(): pass');
  const result = await runner.run({});
  expect(result.tests.map(({ node_id, outcome }) => [node_id, outcome])).toEqual([
    ['test_a.py::test_a', 'passed'],
    ['test_a.py::test_b', 'passed'],
  ]);
  expect(listProcesses()).toEqual([]);
});

test('a test that closes low descriptors does not end the events', async () => {
  const { runner } = await createAttack('def test_a(): os.closerange(3, 50)\ndef test_b(): pass');
  expect((await runner.run({})).tests.map(({ node_id }) => node_id)).toEqual([
    'test_a.py::test_a',
    'test_a.py::test_b',
  ]);
});

test('100 MB of output are bounded, captured or not', async () => {
  const { runner } = await createAttack(
    [
      'def test_captured():',
      '    for _ in range(100): print("x" * 1_000_000)',
      '    assert 0, "y" * 1_000_000',
      'def test_direct(capfd):',
      '    with capfd.disabled():',
      '        for _ in range(100): sys.stderr.write("z" * 1_000_000)',
    ].join('\n'),
  );
  const result = await runner.run({});
  expect(result.summary).toMatchObject({ total: 2, passed: 1, failed: 1 });
  expect(result.stdout.length).toBeLessThan(201_000);
  expect(result.stderr).toMatch(/^z{100000}\n\[99800000 bytes omitted\]\nz{100000}$/);
  expect(result.tests[0]?.captured[0]?.text.length).toBeLessThan(17_000);
  expect(result.tests[0]?.message?.length).toBeLessThan(17_000);
});

test('events that a test makes up are no harm to the results that tools return', async () => {
  const forged = [
    { event: 'session', interpreter: 5, interpreter_version: [], runner_version: {} },
    { event: 'collected', total: 'many' },
    { event: 'started', node_id: ['x'] },
    { event: 'started', node_id: 'x' },
    {
      event: 'phase',
      node_id: 'x',
      phase: 'call',
      outcome: 'failed',
      traceback: 5,
      captured: null,
      message: {},
    },
    { event: 'finished', node_id: 'x' },
    { event: 'collection_error', node_id: 7 },
    { event: 'warning', message: null },
    { event: 'problem', message: [] },
    { event: '__proto__' },
    { event: 'toString' },
  ];
  const lines = forged.map((event) => `${JSON.stringify(event)}\n`).join('');
  const { runner } = await createAttack(
    [
      'def test_a():',
      '    for number in range(3, 200):',
      '        try:',
      `            os.write(number, ${JSON.stringify(lines)}.encode())`,
      '        except OSError: pass',
    ].join('\n'),
  );
  const { server } = createTestRunnerServer({ runner, logger: silentLogger });
  const client = connectTestClient(server);
  onTestFinished(() => client.close());
  const run = { status: 'completed', summary: { total: 2, passed: 1, errors: 1 }, collected_tests: 1 };
  expect((await client.callTool('execute_tests')).structured).toMatchObject(run);
  expect((await client.callTool('get_run')).structured).toMatchObject({
    ...run,
    tests: [
      { node_id: 'x', outcome: 'error', message: 'The test ended without a report.' },
      { node_id: 'test_a.py::test_a', outcome: 'passed' },
    ],
    collection_errors: [],
    runner: { runner: 'pytest', interpreter: expect.stringMatching(/^\//) as unknown },
  });
  expect((await client.callTool('list_runs')).structured).toMatchObject({ runs: [run] });
});

test('a run that reports more events than the limit is ended', async () => {
  const { runner, listProcesses } = await createAttack(
    'import pytest\n@pytest.mark.parametrize("n", range(1000))\ndef test_a(n): pass',
    { eventBytes: 50_000 },
  );
  const error = await runner.run({});
  expect(error).toMatchObject({ kind: 'error', reason: 'too_many_events' });
  expect(listProcesses()).toEqual([]);
});

test('the address space of tests is bounded', async () => {
  const { runner } = await createAttack('def test_a(): bytearray(2_000_000_000)', {
    memoryBytes: 1_000_000_000,
  });
  expect((await runner.run({})).tests).toMatchObject([{ outcome: 'failed', error_type: 'MemoryError' }]);
});

test('nothing is left when the server is killed', async () => {
  const { project, environment, reporting, listProcesses } = await createAttack(
    'def test_a():\n    survive()\n    report("running")\n    hang()',
  );
  const jiti = join(dirname(createRequire(import.meta.url).resolve('jiti/package.json')), 'lib/jiti-cli.mjs');
  const script = fileURLToPath(new URL('support/serve.ts', import.meta.url));
  const reported = reporting.waitForText();
  const server = spawn(process.execPath, [jiti, script, project], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTEST_PYTHON: python, ...environment },
    stdio: 'inherit',
  });
  await reported;
  // The server, the supervisor, pytest, and the process in another session.
  expect(listProcesses().length).toBe(4);
  server.kill('SIGKILL');
  await once(server, 'exit');
  await expect.poll(() => listProcesses()).toEqual([]);
});
