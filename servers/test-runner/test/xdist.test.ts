/** Projects whose configuration distributes tests to the workers of pytest-xdist. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunEvent } from '../src/domain/test-run.ts';
import { installDebianPackages } from './support/debian.ts';
import { createProject, createRunner } from './support/project.ts';

await installDebianPackages(['python3-pytest', 'python3-pytest-xdist']);

const INI = '[pytest]\naddopts = -n2 -p xdist.plugin\n';

function createDistributed(files: Readonly<Record<string, string>>) {
  return createRunner('/usr/bin/python3', createProject({ 'pytest.ini': INI, ...files }));
}

test('tests in workers have their details, and progress has the total', async () => {
  const runner = createDistributed({
    'test_a.py': 'import pytest\n@pytest.mark.parametrize("n", range(10))\ndef test_ok(n): pass\n',
    'test_b.py': 'def test_values():\n    print("seen")\n    assert [1] == [2]\n',
    'test_c.py': 'import pytest\npytest.skip("not here", allow_module_level=True)\n',
  });
  const events: RunEvent[] = [];
  const result = await runner.run({}, { onEvent: (event) => events.push(event) });
  expect(result).toMatchObject({
    kind: 'result',
    exit_code: 1,
    summary: { total: 12, passed: 10, failed: 1, skipped: 1 },
  });
  expect(result.tests.find(({ outcome }) => outcome === 'failed')).toMatchObject({
    node_id: 'test_b.py::test_values',
    assertion: { operator: '==', left: '[1]', right: '[2]' },
    traceback: [{ file: 'test_b.py', line: 3, in_project: true }],
    captured: [{ name: 'Captured stdout call', text: 'seen\n' }],
  });
  expect(events[0]).toEqual({ type: 'collected', total: 11 });
  expect(events.at(-1)).toMatchObject({ type: 'test_finished', finished: 11, total: 11 });
});

test('the end of a test is reported while the other worker is silent', async () => {
  const project = createProject({
    'pytest.ini': INI,
    'test_a.py': [
      'import os, time',
      'def wait_for(file):',
      '    end = time.monotonic() + 20',
      '    while not os.path.exists(file):',
      '        assert time.monotonic() < end',
      '        time.sleep(0.01)',
      'def test_first(): wait_for("started")',
      'def test_second():',
      '    open("started", "w").close()',
      '    wait_for("reported")',
    ].join('\n'),
  });
  const onEvent = ({ type }: RunEvent): void => {
    if (type === 'test_finished') writeFileSync(join(project, 'reported'), '');
  };
  const result = await createRunner('/usr/bin/python3', project).run({}, { onEvent });
  expect(result).toMatchObject({ kind: 'result', summary: { total: 2, passed: 2 } });
});

test('a test that ends its worker has failed, and the others run', async () => {
  const runner = createDistributed({
    'test_a.py': 'import os\ndef test_ok(): pass\ndef test_ends(): os._exit(3)\ndef test_next(): pass\n',
  });
  const result = await runner.run({});
  expect(result).toMatchObject({ kind: 'result', exit_code: 1, summary: { total: 3, passed: 2, failed: 1 } });
  expect(result.tests.find(({ outcome }) => outcome === 'failed')).toMatchObject({
    node_id: 'test_a.py::test_ends',
    message: expect.stringMatching(/^worker 'gw\d' crashed while running 'test_a.py::test_ends'$/) as unknown,
  });
});

test('a file that no worker can collect is one collection error', async () => {
  const runner = createDistributed({
    'test_a.py': '\nimport missing_module\n',
    'test_b.py': 'def test_b(): pass\n',
  });
  expect(await runner.run({})).toMatchObject({
    // The exit code that pytest-xdist gives.
    kind: 'result',
    exit_code: 1,
    collection_errors: [{ node_id: 'test_a.py', file: 'test_a.py', line: 2, type: 'ModuleNotFoundError' }],
  });
});

test('ids are those of pytest, also if workers run groups of tests, so that they can be sent back', async () => {
  const runner = createDistributed({
    'pytest.ini': `${INI.trim()} --dist loadgroup\n`,
    'a@b/test_a.py': [
      'import pytest',
      '@pytest.mark.xdist_group("g")',
      'def test_in_group(): assert 0',
      '@pytest.mark.xdist_group("g")',
      '@pytest.mark.parametrize("x", ["c@d"])',
      'def test_parameter(x): assert 0',
      'def test_alone(): assert 0',
    ].join('\n'),
  });
  const ids = ['test_alone', 'test_in_group', 'test_parameter[c@d]'].map((name) => `a@b/test_a.py::${name}`);
  const run = async (request: object) =>
    (await runner.run(request)).tests.map(({ node_id }) => node_id).toSorted();
  expect(await run({})).toEqual(ids);
  expect(await run({ node_ids: ids })).toEqual(ids);
});
