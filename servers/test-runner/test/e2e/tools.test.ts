import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callTool, connectHttp, connectStdio, startHttp, VERSIONS, watchTool } from '../support/clients.ts';
import type { HttpProcess, OfficialClient } from '../support/clients.ts';
import { createFolder } from '../support/folder.ts';
import { addHostileLinks, HOSTILE, HOSTILE_FILES } from '../support/hostile.ts';
import { getInterpreter } from '../support/pytest.ts';

const { version: pytestVersion } = await getInterpreter();

const outer = createFolder({
  ...HOSTILE_FILES,
  'project/pytest.ini': '[pytest]\nmarkers = m\n',
  'project/tests/test_a.py': [
    'import pytest',
    '@pytest.mark.m',
    'def test_ok(): pass',
    'def test_values():',
    '    print("seen")',
    '    assert [1, 2] == [1, 3]',
    '@pytest.mark.parametrize("x", ["a b", "c::d", "[e]"])',
    'def test_id(x): pass',
  ].join('\n'),
});
const project = addHostileLinks(outer);
const A = 'tests/test_a.py';

let http: HttpProcess;
beforeAll(async () => {
  http = await startHttp([project, '--max-timeout', '60', '--timeout', '60']);
});
afterAll(async () => {
  await http.stop();
  rmSync(outer, { recursive: true, force: true });
});

const WAYS = VERSIONS.flatMap((version) =>
  (['stdio', 'http'] as const).map((transport) => ({ version, transport })),
);

/** Calls that no tool accepts, and a part of the message. */
const BAD: readonly (readonly [tool: string, message: string, args: Readonly<Record<string, unknown>>])[] = [
  ['execute_tests', '- verbosity: ', { verbosity: 3 }],
  ['execute_tests', '- verbosity: ', { verbosity: 0.5 }],
  ['execute_tests', '- maxfail: ', { maxfail: 0 }],
  ['execute_tests', '- maxfail: Use either failfast or maxfail, not both.', { failfast: true, maxfail: 2 }],
  ['execute_tests', '- timeout: ', { timeout: 61 }],
  ['execute_tests', '- timeout: ', { timeout: 0 }],
  ['execute_tests', '- node_ids: ', { node_ids: 'tests' }],
  ['execute_tests', '- node_ids[0]: ', { node_ids: [1] }],
  ['execute_tests', '- node_ids: ', { node_ids: Array<string>(5_001).fill('tests') }],
  ['execute_tests', '- markers: ', { markers: '' }],
  ['execute_tests', '- keywords: NUL characters are not allowed.', { keywords: 'a\0b' }],
  ['execute_tests', '- show_capture: ', { show_capture: 'yes' }],
  ['execute_tests', '- background: ', { background: 1 }],
  ['execute_tests', '- rootdir: is not a known argument.', { rootdir: '/' }],
  ['discover_tests', 'is outside of the project folder.', { path: '../secret' }],
  ['discover_tests', '- pattern: Quotes and backslashes', { pattern: '" -p x' }],
  ['discover_tests', '- limit: ', { limit: 0 }],
  ['discover_tests', '- node_ids: is not a known argument.', { node_ids: ['x'] }],
  ['rerun_failed', '- run_id: There is no run "nope". Call list_runs.', { run_id: 'nope' }],
  ['rerun_failed', '- node_ids: is not a known argument.', { node_ids: ['x'] }],
  ['rerun_failed', '- maxfail: Use either failfast or maxfail, not both.', { failfast: true, maxfail: 1 }],
  ['list_runs', '- offset: ', { offset: -1 }],
  ['get_run', '- run_id: There is no run', { run_id: '../../etc/passwd' }],
  ['get_run', '- outcomes[0]: ', { outcomes: ['green'] }],
  ['cancel_run', '- run_id: ', {}],
  ['cancel_run', '- run_id: ', { run_id: 'x'.repeat(101) }],
  ['explain_failure', '- node_id: ', {}],
  ['explain_failure', '- run_id: There is no run "nope"', { node_id: 'x', run_id: 'nope' }],
];

describe.each(WAYS)('the official client $version over $transport', ({ version, transport }) => {
  let client: OfficialClient;
  beforeAll(async () => {
    client =
      transport === 'http'
        ? await connectHttp(version, http.url)
        : (await connectStdio(version, [project, '--max-timeout', '60'])).client;
  });
  afterAll(() => client.close());

  test('every tool returns its facts', async () => {
    const found = await callTool(client, 'discover_tests', { path: 'tests', pattern: 'test_*.py' });
    expect(found.data).toMatchObject({ count: 5, collection_error_count: 0 });
    const ids = (found.data['tests'] as { node_id: string }[]).map(({ node_id }) => node_id);
    expect(ids).toEqual(['ok', 'values', 'id[a b]', 'id[c::d]', 'id[[e]]'].map((id) => `${A}::test_${id}`));

    const messages: string[] = [];
    const run = await watchTool(client, {
      name: 'execute_tests',
      args: { node_ids: ids, verbosity: 1, show_capture: true, maxfail: 5 },
      onMessage: (message) => messages.push(message),
    });
    expect(run.data).toMatchObject({
      status: 'completed',
      exit_code: 1,
      collected_tests: 5,
      finished_tests: 5,
      summary: { total: 5, passed: 4, failed: 1 },
      runner: {
        runner: 'pytest',
        runner_version: pytestVersion,
        interpreter: expect.stringMatching(/^\//) as unknown,
      },
    });
    const { run_id, stdout } = run.data as { run_id: string; stdout: string };
    expect(stdout).toContain('test_values FAILED');
    // Client v1 drops progress that arrives together with the result.
    expect(messages[0]).toBe(`Run ${run_id}: 5 tests collected`);
    if (version === 'v2') expect(messages.at(-1)).toBe(`Run ${run_id}: 5 of 5, ${A}::test_id[[e]] passed`);

    const explained = await callTool(client, 'explain_failure', { node_id: `${A}::test_values` });
    expect(explained.data).toMatchObject({
      run_id,
      error_type: 'AssertionError',
      phase: 'call',
      frames: [{ file: A, line: 6, function: 'test_values', code: 'assert [1, 2] == [1, 3]' }],
      assertion: { operator: '==', left: '[1, 2]', right: '[1, 3]' },
      captured: [{ name: 'Captured stdout call', text: 'seen\n' }],
    });
    const again = await callTool(client, 'rerun_failed', { run_id });
    expect(again.data).toMatchObject({ summary: { total: 1, failed: 1 } });
    const state = await callTool(client, 'get_run', { run_id, outcomes: ['failed'] });
    expect(state.data).toMatchObject({ total_count: 1, tests: [{ location: `${A}:6` }] });
    expect((await callTool(client, 'cancel_run', { run_id })).data).toMatchObject({ status: 'completed' });
    expect((await callTool(client, 'list_runs', { limit: 1 })).data).toMatchObject({ returned_count: 1 });
    const { contents } = await client.readResource({ uri: `tests://runs/${run_id}` });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('"operator":"=="') as unknown });
  });

  test.each(BAD)('%s rejects an invalid call: %s', async (tool, message, args) => {
    const { text, isError } = await callTool(client, tool, args);
    expect(isError).toBe(true);
    expect(text).toContain(`Invalid arguments for tool '${tool}'.`);
    expect(text).toContain(message);
  });

  test('an unknown tool is an error of the protocol', async () => {
    await expect(client.callTool({ name: 'run_shell', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
  });
});

describe('hostile arguments over HTTP', () => {
  let client: OfficialClient;
  beforeAll(async () => {
    client = await connectHttp('v2', http.url);
  });
  afterAll(() => client.close());

  test('30 and more are tried', () => expect(HOSTILE.length).toBeGreaterThanOrEqual(30));

  test.each(HOSTILE)('%j starts no process', async (id, message) => {
    const before = (await callTool(client, 'list_runs', { limit: 1 })).data['total_count'];
    const { text, isError } = await callTool(client, 'execute_tests', { node_ids: [id] });
    if (message === 'ok') {
      // No such test: an error of pytest, not of its options.
      expect([isError, text.split('\n')[0]]).toEqual([
        true,
        'pytest rejected its arguments or its configuration (exit code 4). See stderr.',
      ]);
      return;
    }
    expect(isError).toBe(true);
    expect(text).toContain('- node_ids[0]: ');
    const discovered = await callTool(client, 'discover_tests', { path: id });
    expect(discovered.isError).toBe(true);
    expect((await callTool(client, 'list_runs', { limit: 1 })).data['total_count']).toBe(before);
  });

  test('a resource outside of the runs is unknown', async () => {
    for (const uri of [
      'tests://runs/..',
      'tests://runs/%2e%2e%2fetc',
      'tests://secret',
      'file:///etc/passwd',
    ])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
  });
});
