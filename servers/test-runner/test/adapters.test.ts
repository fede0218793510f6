import { expect, test } from 'vitest';
import {
  InvalidRequestError,
  ProjectMissingError,
  RunnerUnavailableError,
} from '../src/domain/request-errors.ts';
import type { RunView } from '../src/views/run-view.ts';
import { createFakeServer } from './support/connect.ts';
import {
  createDiscovery,
  createError,
  createResult,
  createTest,
  FakeRunner,
  untilCancelled,
} from './support/fake-runner.ts';

const FAILED = createTest('test_a.py::test_b', 'failed', {
  error_type: 'AssertionError',
  message: 'assert 1 == 2',
  phases: [
    { phase: 'setup', outcome: 'passed', duration: 0, message: null },
    { phase: 'call', outcome: 'failed', duration: 0, message: 'assert 1 == 2' },
  ],
  traceback: [
    { file: 'test_a.py', line: 7, function: 'test_b', code: 'check(1)', in_project: true },
    { file: '/lib/site-packages/x.py', line: 1, function: 'x', code: 'y()', in_project: false },
    { file: 'checks.py', line: 3, function: 'check', code: 'assert value == 2', in_project: true },
  ],
  assertion: { operator: '==', left: '1', right: '2', diff: ['1 == 2'] },
  captured: [{ name: 'Captured stdout call', text: 'hello\n' }],
});
/** Those of the fake runner. */
const VERSIONS = {
  interpreter: '/usr/bin/python3',
  interpreter_version: '3.11.2',
  runner: 'pytest',
  runner_version: '7.2.1',
};
const PASSED = createTest('test_a.py::test_a', 'passed');

const asView = (structured: unknown): RunView => structured as RunView;

test('execute_tests passes every parameter to the domain', async () => {
  const { client, runner } = createFakeServer();
  const request = {
    node_ids: ['tests/test_a.py::test_x[a b]'],
    markers: 'not slow',
    keywords: 'cart',
    verbosity: -2,
    maxfail: 3,
    show_capture: false,
    timeout: 60,
  };
  await client.callTool('execute_tests', request);
  await client.callTool('execute_tests', { failfast: true });
  expect(runner.requests).toEqual([request, { failfast: true }]);
});

test('execute_tests returns failed tests first, with place and message, and counts', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = () => createResult([PASSED, FAILED]);
  const { structured, isError } = await client.callTool('execute_tests');
  expect(isError).toBe(false);
  expect(structured).toMatchObject({
    status: 'completed',
    exit_code: 1,
    summary: { total: 2, passed: 1, failed: 1 },
    total_count: 2,
    returned_count: 2,
    has_more: false,
    next_offset: null,
    tests: [
      { node_id: 'test_a.py::test_b', outcome: 'failed', message: 'assert 1 == 2', location: 'checks.py:3' },
      { node_id: 'test_a.py::test_a', outcome: 'passed', message: null, location: null },
    ],
    runner: { interpreter: '/usr/bin/python3', runner_version: '7.2.1' },
    uri: expect.stringMatching(/^tests:\/\/runs\/[\da-f-]{36}$/) as unknown,
  });
});

test('a run that does not come to its end is an error with all that is known', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = () => createError('timeout', { message: 'The run was ended after 3 s.', stdout: 'so far' });
  const { isError, raw, structured } = await client.callTool('execute_tests', { timeout: 3 });
  expect(isError).toBe(true);
  expect(structured).toBeUndefined();
  const [message, data] = raw.content.map((block) => (block.type === 'text' ? block.text : ''));
  expect(message).toBe('The run was ended after 3 s.');
  expect(JSON.parse(data ?? '')).toMatchObject({
    status: 'error',
    reason: 'timeout',
    exit_code: -1,
    stdout: 'so far',
    runner: VERSIONS,
  });
});

test('each test is one progress update that names the run', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = (_, { onEvent }) => {
    onEvent?.({ type: 'collected', total: 2 });
    onEvent?.({ type: 'test_started', node_id: PASSED.node_id });
    onEvent?.({ type: 'test_finished', test: PASSED, finished: 1, total: 2 });
    onEvent?.({ type: 'collected', total: 2 });
    onEvent?.({ type: 'test_finished', test: FAILED, finished: 2, total: 2 });
    return createResult([PASSED, FAILED]);
  };
  const { progress, structured } = await client.callTool('execute_tests');
  const id = asView(structured).run_id;
  expect(progress).toEqual([
    { progress: 0, total: 2, message: `Run ${id}: 2 tests collected` },
    { progress: 1, total: 2, message: `Run ${id}: 1 of 2, test_a.py::test_a passed` },
    { progress: 2, total: 2, message: `Run ${id}: 2 of 2, test_a.py::test_b failed` },
  ]);
  expect(asView(structured).finished_tests).toBe(2);
});

test('errors of the domain become field errors and messages', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = () => {
    throw new InvalidRequestError([{ path: ['node_ids', 1], message: 'is outside of the project folder.' }]);
  };
  expect((await client.callTool('execute_tests', { node_ids: ['a', 'b'] })).text).toBe(
    "Invalid arguments for tool 'execute_tests'.\n- node_ids[1]: is outside of the project folder.",
  );
  expect((await client.callTool('execute_tests', { background: true })).text).toContain('- node_ids[1]: is');
  expect((await client.callTool('list_runs')).structured).toMatchObject({ total_count: 0 });
  runner.onRun = () => {
    throw new RunnerUnavailableError('/x/python', 'The interpreter /x/python has no pytest.');
  };
  const unavailable = await client.callTool('execute_tests');
  expect([unavailable.isError, unavailable.text]).toEqual([true, 'The interpreter /x/python has no pytest.']);
  expect((await client.callTool('get_run')).structured).toMatchObject({
    status: 'error',
    problem: 'The interpreter /x/python has no pytest.',
  });
});

test('a removed project folder is an error that names it', async () => {
  const { client, runner } = createFakeServer();
  runner.onDiscover = () => {
    throw new ProjectMissingError('/x/project');
  };
  expect((await client.callTool('discover_tests')).text).toBe(
    'The project folder /x/project does not exist any more. Restore it, or start the server with another folder.',
  );
});

test('an unexpected error of the domain is not shown', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = () => {
    throw new Error('secret path');
  };
  const { isError, text } = await client.callTool('execute_tests');
  expect(isError).toBe(true);
  expect(text).not.toContain('secret path');
});

test('discover_tests passes path and pattern, and returns pages', async () => {
  const { client, runner } = createFakeServer();
  runner.onDiscover = () => createDiscovery(['a.py::x', 'a.py::y', 'b.py::z']);
  const { structured } = await client.callTool('discover_tests', {
    path: 'tests',
    pattern: 'x_*.py',
    limit: 2,
  });
  expect(runner.requests).toEqual([{ path: 'tests', pattern: 'x_*.py' }]);
  expect(structured).toMatchObject({
    count: 3,
    total_count: 3,
    returned_count: 2,
    has_more: true,
    next_offset: 2,
    tests: [
      { node_id: 'a.py::x', class: 'TestA::TestB', file: 'a.py', line: 1 },
      { node_id: 'a.py::y', function: 'test_x' },
    ],
  });
  const next = await client.callTool('discover_tests', { offset: 2 });
  expect(next.structured).toMatchObject({
    tests: [{ node_id: 'b.py::z' }],
    has_more: false,
    next_offset: null,
  });
  const broken = { node_id: '', file: 'conftest.py', line: 1, type: 'E', message: 'm', traceback: [] };
  runner.onDiscover = () =>
    createError('usage_error', {
      message: 'pytest ran no tests.',
      stderr: 'e',
      collection_errors: [broken],
    });
  const { isError, raw } = await client.callTool('discover_tests');
  expect(isError).toBe(true);
  const [message, data] = raw.content.map((block) => (block.type === 'text' ? block.text : ''));
  expect(message).toBe('pytest ran no tests.');
  expect(JSON.parse(data ?? '')).toEqual({
    exit_code: -1,
    reason: 'usage_error',
    collection_errors: [{ node_id: '', file: 'conftest.py', line: 1, type: 'E', message: 'm' }],
    collection_error_count: 1,
    runner: VERSIONS,
    stdout: '',
    stderr: 'e',
  });
});

test('every result names the interpreter and the version of the runner', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = () => createResult([FAILED]);
  const run = { structuredContent: { runner: VERSIONS } };
  expect((await client.callTool('discover_tests')).raw).toMatchObject(run);
  expect((await client.callTool('execute_tests')).raw).toMatchObject(run);
  expect((await client.callTool('rerun_failed')).raw).toMatchObject(run);
  expect((await client.callTool('get_run')).raw).toMatchObject(run);
  expect((await client.callTool('cancel_run', { run_id: 'last' })).raw).toMatchObject(run);
  expect((await client.callTool('explain_failure', { node_id: FAILED.node_id })).raw).toMatchObject(run);
  expect((await client.callTool('list_runs')).raw).toMatchObject({
    structuredContent: { runs: [{ runner: VERSIONS }, { runner: VERSIONS }] },
  });
});

test('rerun_failed runs failed tests, errors, tests that were running and files that were not collected', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = () =>
    createError('timeout', {
      tests: [PASSED, FAILED, createTest('test_a.py::test_e', 'error'), createTest('s', 'skipped')],
      running: ['test_a.py::test_r'],
      collection_errors: [
        {
          node_id: 'test_c.py',
          file: 'test_c.py',
          line: 1,
          type: 'SyntaxError',
          message: 'm',
          traceback: [],
        },
      ],
    });
  const first = asView(JSON.parse((await client.callTool('execute_tests')).text.split('\n')[1] ?? ''));
  runner.onRun = () => createResult([createTest('test_a.py::test_b', 'passed')]);
  await client.callTool('rerun_failed', { timeout: 9, verbosity: 1 });
  expect(runner.requests[1]).toEqual({
    node_ids: ['test_a.py::test_b', 'test_a.py::test_e', 'test_a.py::test_r', 'test_c.py'],
    timeout: 9,
    verbosity: 1,
  });
  const none = await client.callTool('rerun_failed');
  expect(none.text).toMatch(/- run_id: No test failed in the run [\da-f-]{36}\. Call execute_tests\.$/);
  await client.callTool('rerun_failed', { run_id: first.run_id });
  expect(runner.requests).toHaveLength(3);
});

test('rerun_failed names the run, not an argument that it does not have, if the tests are gone', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = () => createResult([FAILED]);
  await client.callTool('execute_tests');
  runner.onRun = () => {
    throw new InvalidRequestError([
      { path: ['node_ids', 0], message: 'No such file or folder in the project: "test_a.py".' },
      { path: ['timeout'], message: 'Expected an integer.' },
    ]);
  };
  expect((await client.callTool('rerun_failed', { timeout: 9 })).text).toBe(
    "Invalid arguments for tool 'rerun_failed'.\n" +
      '- run_id: The failed tests cannot be selected: No such file or folder in the project: "test_a.py". Call execute_tests.\n' +
      '- timeout: Expected an integer.',
  );
});

test('list_runs and get_run return pages, and get_run selects outcomes', async () => {
  const { client, runner, clock } = createFakeServer();
  const tests = Array.from({ length: 120 }, (_, index) => createTest(`t.py::t${index}`, 'passed'));
  runner.onRun = () => createResult([...tests, FAILED]);
  const big = asView((await client.callTool('execute_tests')).structured);
  expect([big.total_count, big.returned_count, big.next_offset]).toEqual([121, 50, 50]);
  const second = asView((await client.callTool('get_run', { offset: 50, limit: 200 })).structured);
  expect([second.returned_count, second.tests[0]?.node_id, second.has_more]).toEqual([
    71,
    't.py::t49',
    false,
  ]);
  const failed = asView((await client.callTool('get_run', { outcomes: ['failed', 'error'] })).structured);
  expect(failed.tests.map(({ node_id }) => node_id)).toEqual(['test_a.py::test_b']);
  clock.advance(60_000);
  const last = asView((await client.callTool('execute_tests')).structured);
  const { structured } = await client.callTool('list_runs', { limit: 1 });
  expect(structured).toMatchObject({ total_count: 2, next_offset: 1, runs: [{ run_id: last.run_id }] });
});

test('a page ends before it is too large', async () => {
  const { client, runner } = createFakeServer();
  const tests = Array.from({ length: 200 }, (_, n) =>
    createTest(`t.py::t${n}`, 'failed', { message: 'é'.repeat(900) }),
  );
  runner.onRun = () => createResult(tests);
  await client.callTool('execute_tests');
  const { raw, structured } = await client.callTool('get_run', { limit: 200 });
  expect(asView(structured).returned_count).toBeGreaterThan(20);
  expect(asView(structured)).toMatchObject({
    has_more: true,
    next_offset: asView(structured).returned_count,
  });
  expect(Buffer.byteLength(JSON.stringify(raw))).toBeLessThan(120_000);
});

test('background returns immediately; get_run and cancel_run see the run', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = untilCancelled;
  const started = asView((await client.callTool('execute_tests', { background: true })).structured);
  expect(started).toMatchObject({ status: 'running', summary: null, total_count: 0 });
  expect((await client.callTool('explain_failure', { node_id: 'x' })).text).toContain(
    `- node_id: The run ${started.run_id} has not ended yet.`,
  );
  expect((await client.callTool('rerun_failed')).text).toContain('has not ended yet.');
  const cancelled = await client.callTool('cancel_run', { run_id: started.run_id });
  expect(cancelled.structured).toMatchObject({ status: 'cancelled', exit_code: -1 });
  expect((await client.callTool('cancel_run', { run_id: started.run_id })).structured).toMatchObject({
    status: 'cancelled',
  });
});

test('a cancelled call cancels its run', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = untilCancelled;
  const controller = new AbortController();
  const call = client.callTool('execute_tests', {}, { signal: controller.signal });
  await expect.poll(() => runner.requests).toHaveLength(1);
  controller.abort();
  expect((await call).isError).toBe(true);
  await expect
    .poll(async () => (await client.callTool('get_run')).structured)
    .toMatchObject({ status: 'cancelled' });
});

test('explain_failure returns the frames of the project, the values, the difference and the output', async () => {
  const { client, runner } = createFakeServer();
  runner.onRun = () =>
    createResult([FAILED, PASSED], {
      collection_errors: [
        {
          node_id: 'c.py',
          file: 'c.py',
          line: 4,
          type: 'SyntaxError',
          message: 'invalid syntax',
          traceback: [],
        },
      ],
    });
  const run = asView((await client.callTool('execute_tests')).structured);
  const { structured } = await client.callTool('explain_failure', { node_id: 'test_a.py::test_b' });
  expect(structured).toEqual({
    run_id: run.run_id,
    node_id: 'test_a.py::test_b',
    outcome: 'failed',
    phase: 'call',
    error_type: 'AssertionError',
    message: 'assert 1 == 2',
    other_frames: 1,
    causes: [],
    runner: VERSIONS,
    frames: [
      { file: 'test_a.py', line: 7, function: 'test_b', code: 'check(1)' },
      { file: 'checks.py', line: 3, function: 'check', code: 'assert value == 2' },
    ],
    assertion: { operator: '==', left: '1', right: '2' },
    diff: ['1 == 2'],
    captured: [{ name: 'Captured stdout call', text: 'hello\n' }],
  });
  expect((await client.callTool('explain_failure', { node_id: 'c.py' })).structured).toMatchObject({
    phase: 'collect',
    error_type: 'SyntaxError',
    frames: [{ file: 'c.py', line: 4 }],
  });
  const message = async (node_id: string): Promise<string> =>
    (await client.callTool('explain_failure', { node_id, run_id: run.run_id })).text;
  expect(await message('test_a.py::test_a')).toContain(
    `- node_id: "test_a.py::test_a" passed in the run ${run.run_id}. Failed: "test_a.py::test_b", "c.py".`,
  );
  expect(await message('nope')).toContain(`- node_id: The run ${run.run_id} has no test "nope".`);
});

test('a long failure fits into a result', async () => {
  const { client, runner } = createFakeServer();
  const long = createTest('t', 'failed', {
    message: 'm'.repeat(16_000),
    assertion: {
      operator: '==',
      left: 'l'.repeat(2_000),
      right: 'r',
      diff: Array<string>(200).fill('d'.repeat(2_000)),
    },
    captured: Array.from({ length: 6 }, () => ({ name: 'n', text: 'o'.repeat(16_000) })),
  });
  runner.onRun = () => createResult([long]);
  await client.callTool('execute_tests');
  const { isError, raw, structured } = await client.callTool('explain_failure', { node_id: 't' });
  expect(isError).toBe(false);
  expect((structured as { diff: string[] }).diff.at(-1)).toBe('[140 lines omitted]');
  expect(JSON.stringify(raw).length).toBeLessThan(200_000);
});

test('only the parameters of the runner are advertised and accepted', async () => {
  const runner = new FakeRunner(
    'vitest',
    new Set(['node_ids', 'keywords', 'maxfail', 'timeout', 'path', 'pattern']),
  );
  const { client } = createFakeServer({ runner });
  const tools = await client.listTools();
  const parametersOf = (name: string): string[] =>
    Object.keys(tools.find((each) => each.name === name)?.inputSchema['properties'] ?? {});
  expect(parametersOf('execute_tests')).toEqual(['node_ids', 'keywords', 'maxfail', 'timeout', 'background']);
  expect(parametersOf('rerun_failed')).toEqual(['run_id', 'maxfail', 'timeout', 'background']);
  expect(parametersOf('discover_tests')).toEqual(['path', 'pattern', 'limit', 'offset']);
  expect((await client.callTool('execute_tests', { markers: 'slow' })).text).toContain(
    '- markers: is not a known argument.',
  );
});

test('tools have the names of the methods', async () => {
  const { client } = createFakeServer();
  expect((await client.listTools()).map(({ name }) => name)).toEqual([
    'execute_tests',
    'rerun_failed',
    'discover_tests',
    'list_runs',
    'get_run',
    'cancel_run',
    'explain_failure',
  ]);
});
