import { describe, expect, test } from 'vitest';
import type { RunError, RunEvent, RunResult } from '../src/domain/test-run.ts';
import { createProject, createRunner, SAMPLE } from './support/project.ts';
import { listInterpreters } from './support/pytest.ts';

const interpreters = await listInterpreters();
console.log(`pytest ${interpreters.map(({ version, path }) => `${version} (${path})`).join(', ')}`);

const KINDS = 'tests/test_kinds.py';
const CART = 'tests/test_cart.py';

describe.each(interpreters)('pytest $version', ({ path, version }) => {
  test('a run reports each outcome, counts that add up, and the versions', async () => {
    const result = asResult(
      await createRunner(path, SAMPLE).run({ node_ids: [KINDS, CART], keywords: 'not slow' }),
    );
    expect(result.tests.map(({ node_id, outcome }) => [node_id, outcome])).toEqual([
      [`${KINDS}::test_parametrised[plain]`, 'passed'],
      [`${KINDS}::test_parametrised[with space]`, 'passed'],
      [`${KINDS}::test_parametrised[a::b]`, 'passed'],
      [`${KINDS}::test_parametrised[[brackets]]`, 'passed'],
      [String.raw`${KINDS}::test_parametrised[gr\xf6\xdfe]`, 'passed'],
      [`${KINDS}::test_skipped`, 'skipped'],
      [`${KINDS}::test_expected_failure`, 'xfailed'],
      [`${KINDS}::test_unexpected_pass`, 'xpassed'],
      [`${KINDS}::test_error_in_setup`, 'error'],
      [`${CART}::test_new_cart_is_empty`, 'passed'],
      [`${CART}::TestAdd::test_keeps_the_order`, 'passed'],
      [`${CART}::TestAdd::TestQuantity::test_rejects[0]`, 'passed'],
      [`${CART}::TestAdd::TestQuantity::test_rejects[-1]`, 'passed'],
      [`${CART}::test_total_counts_the_quantity`, 'failed'],
    ]);
    expect(result.summary).toMatchObject({
      total: 14,
      passed: 9,
      failed: 1,
      skipped: 1,
      xfailed: 1,
      xpassed: 1,
      errors: 1,
    });
    expect(result.exit_code).toBe(1);
    expect(result.runner).toMatchObject({ runner: 'pytest', runner_version: version });
    expect(result.runner.interpreter).toMatch(/^\/.*python/);
  });

  test('a failed test has its message, its frames, the compared values and its output', async () => {
    const project = createProject({
      'helper.py': 'def check(value):\n    assert value == ["a", "c"]\n',
      'test_a.py':
        'from helper import check\n\ndef test_a():\n    print("before")\n    check(["a", "b"])\n\ndef test_chain():\n    try:\n        {}["k"]\n    except KeyError as error:\n        raise ValueError("bad") from error\n',
    });
    const result = asResult(await createRunner(path, project).run({}));
    const [failed, chained] = result.tests;
    expect(failed).toMatchObject({
      outcome: 'failed',
      error_type: 'AssertionError',
      // pytest rewrites the assertions of test modules only.
      message: 'AssertionError',
      assertion: null,
      traceback: [
        { file: 'test_a.py', line: 5, function: 'test_a', code: 'check(["a", "b"])', in_project: true },
        {
          file: 'helper.py',
          line: 2,
          function: 'check',
          code: 'assert value == ["a", "c"]',
          in_project: true,
        },
      ],
      captured: [{ name: 'Captured stdout call', text: 'before\n' }],
    });
    expect(failed?.phases.map(({ phase, outcome }) => [phase, outcome])).toEqual([
      ['setup', 'passed'],
      ['call', 'failed'],
      ['teardown', 'passed'],
    ]);
    expect(chained).toMatchObject({
      error_type: 'ValueError',
      message: 'ValueError: bad',
      causes: [{ type: 'KeyError', message: "'k'", traceback: [{ file: 'test_a.py', line: 9 }] }],
    });
  });

  test('the exceptions of a group are causes, with what led to them', async () => {
    const project = createProject({
      'test_a.py': [
        'try: Group = ExceptionGroup',
        'except NameError: from exceptiongroup import ExceptionGroup as Group',
        'def fail(error): raise error',
        'def test_group():',
        '    errors = []',
        '    for name in ["one", "two"]:',
        '        try: fail(KeyError(name))',
        '        except KeyError as error: errors.append(error)',
        '    try: fail(OSError("earlier"))',
        '    except OSError as error: raise Group("both", errors) from error',
      ].join('\n'),
    });
    const result = asResult(await createRunner(path, project).run({}));
    expect(result.tests).toMatchObject([
      {
        error_type: 'ExceptionGroup',
        traceback: [{ file: 'test_a.py', line: 10 }],
        causes: [
          { type: 'KeyError', message: "'one'", traceback: [{ line: 7 }, { line: 3, function: 'fail' }] },
          { type: 'KeyError', message: "'two'", traceback: [{ line: 7 }, { line: 3, function: 'fail' }] },
          { type: 'OSError', message: 'earlier', traceback: [{ line: 9 }, { line: 3, function: 'fail' }] },
        ],
      },
    ]);
  });

  test('compared values belong to the assertion that failed, not to an earlier one', async () => {
    const project = createProject({
      'test_a.py': [
        'import pytest',
        'def test_values():',
        '    assert {"a": 1} == {"a": 2}',
        'def test_earlier():',
        '    with pytest.raises(AssertionError):',
        '        assert 1 == 2',
        '    assert False',
        'def test_without_explanation():',
        '    assert 3 < 2',
      ].join('\n'),
    });
    const result = asResult(await createRunner(path, project).run({}));
    const [values, earlier, plain] = result.tests.map(({ assertion }) => assertion);
    expect(values).toMatchObject({ operator: '==', left: "{'a': 1}", right: "{'a': 2}" });
    expect(values?.diff.slice(0, 1)).toEqual(["{'a': 1} == {'a': 2}"]);
    expect(earlier).toBeNull();
    expect(plain).toEqual({ operator: '<', left: '3', right: '2', diff: [] });
  });

  test('ids come back exactly and can be sent back, in any order', async () => {
    const project = createProject({
      'pytest.ini': '[pytest]\ndisable_test_id_escaping_and_forfeit_all_rights_to_community_support = true\n',
      'ünï côde/test_ä b.py':
        'import pytest\n@pytest.mark.parametrize("x", ["a b", "[x]", "c::d", "größe ✓", "-k", "@f", "a/b"])\ndef test_ö(x):\n    pass\n',
    });
    const runner = createRunner(path, project);
    const found = await runner.discover({});
    const ids = 'count' in found ? found.tests.map(({ node_id }) => node_id) : [];
    expect(ids).toEqual(
      ['a b', '[x]', 'c::d', 'größe ✓', '-k', '@f', 'a/b'].map((id) => `ünï côde/test_ä b.py::test_ö[${id}]`),
    );
    const forwards = asResult(await runner.run({ node_ids: ids }));
    expect(forwards.tests.map(({ node_id }) => node_id)).toEqual(ids);
    const backwards = asResult(await runner.run({ node_ids: ids.toReversed() }));
    expect(backwards.tests.map(({ node_id }) => node_id)).toEqual(ids.toReversed());
  });

  test('ids are relative to the project, whatever folder has the configuration', async () => {
    const project = createProject({
      'sub/pytest.ini': '[pytest]\n',
      'sub/test_a.py': 'def test_a(): pass\n',
    });
    const result = asResult(await createRunner(path, project).run({ node_ids: ['sub/test_a.py'] }));
    expect(result.tests.map(({ node_id }) => node_id)).toEqual(['sub/test_a.py::test_a']);
  });

  test('a module that skips itself counts as one skipped test', async () => {
    const project = createProject({
      'test_a.py':
        'import pytest\npytest.importorskip("missing_module")\ndef test_a(): pass\ndef test_b(): pass\n',
      'test_c.py': 'def test_c(): pass\n',
    });
    const events: RunEvent[] = [];
    const runner = createRunner(path, project);
    const result = asResult(await runner.run({}, { onEvent: (event) => events.push(event) }));
    expect(result.summary).toMatchObject({ total: 2, passed: 1, skipped: 1 });
    expect(result.tests[0]).toMatchObject({
      node_id: 'test_a.py',
      outcome: 'skipped',
      message: "Skipped: could not import 'missing_module': No module named 'missing_module'",
    });
    expect(events.at(-1)).toMatchObject({ type: 'test_finished', finished: 1, total: 1 });
  });

  test('discovery has nested classes, and collection errors with file and line', async () => {
    const found = await createRunner(path, SAMPLE).discover({});
    expect(found).toMatchObject({
      kind: 'result',
      count: 15,
      collection_errors: [
        {
          file: 'tests/test_broken.py',
          line: 3,
          type: 'ModuleNotFoundError',
          message: "No module named 'warehouse'",
        },
      ],
      runner: { runner_version: version },
    });
    expect(found.tests).toContainEqual({
      node_id: `${CART}::TestAdd::TestQuantity::test_rejects[0]`,
      module: 'test_cart',
      class_path: ['TestAdd', 'TestQuantity'],
      function: 'test_rejects',
      file: CART,
      line: 17,
    });
  });

  test('a conftest.py that cannot be imported is an error with file and line', async () => {
    const project = createProject({
      'lib/db.py': 'def connect():\n    raise OSError("no database")\n',
      'lib/__init__.py': '',
      'tests/conftest.py': 'import pytest\nfrom lib import db\ndb.connect()\n',
      'tests/test_a.py': 'def test_a(): pass\n',
    });
    const runner = createRunner(path, project);
    const expected = {
      kind: 'error',
      exit_code: 4,
      reason: 'usage_error',
      message: 'pytest ran no tests: 1 collection error (exit code 4). Fix the files, or run other files.',
      collection_errors: [
        { node_id: 'tests', file: 'lib/db.py', line: 2, type: 'OSError', message: 'no database' },
      ],
    };
    expect(await runner.run({ node_ids: ['tests'] })).toMatchObject(expected);
    expect(await runner.discover({ path: 'tests' })).toMatchObject(expected);
  });

  test('discovery honours path and pattern', async () => {
    const project = createProject({
      'a/check_one.py': 'def test_one(): pass\n',
      'a/test_two.py': 'def test_two(): pass\n',
      'b/check_three.py': 'def test_three(): pass\n',
      'b/syntax_test.py': 'def test_x():\n    return (\n',
    });
    const runner = createRunner(path, project);
    const list = async (request: object) =>
      (await runner.discover(request)).tests.map(({ node_id }) => node_id);
    expect(await list({ pattern: 'check_*.py' })).toEqual([
      'a/check_one.py::test_one',
      'b/check_three.py::test_three',
    ]);
    expect(await list({ path: 'a', pattern: 'check_*.py' })).toEqual(['a/check_one.py::test_one']);
    expect(await list({ path: 'a' })).toEqual(['a/test_two.py::test_two']);
    const broken = await runner.discover({ path: 'b' });
    expect(broken.collection_errors).toMatchObject([
      { file: 'b/syntax_test.py', line: 2, type: 'SyntaxError' },
    ]);
  });

  test('markers, keywords, failfast, maxfail, verbosity and show_capture reach pytest', async () => {
    const project = createProject({
      'pytest.ini': '[pytest]\nmarkers = m\n',
      'test_a.py':
        'import pytest\n@pytest.mark.m\ndef test_marked(): pass\ndef test_b():\n    print("secret", "text")\n    assert 0\ndef test_c(): assert 0\ndef test_d(): assert 0\n@pytest.mark.parametrize("n", ["-q"])\ndef test_e(n): pass\n',
    });
    const runner = createRunner(path, project);
    const names = async (request: object) =>
      asResult(await runner.run(request)).tests.map(({ node_id }) => node_id.slice('test_a.py::'.length));
    expect(await names({ markers: 'm' })).toEqual(['test_marked']);
    expect(await names({ keywords: '-q' })).toEqual(['test_e[-q]']);
    expect(await names({ failfast: true })).toEqual(['test_marked', 'test_b']);
    expect(await names({ maxfail: 2, failfast: false })).toEqual(['test_marked', 'test_b', 'test_c']);
    const quiet = asResult(await runner.run({ verbosity: -2, show_capture: false, keywords: 'test_b' }));
    expect(quiet.stdout).not.toContain('secret text');
    expect(quiet.stdout).not.toContain('test session starts');
    expect(quiet.tests[0]?.captured).toEqual([]);
    const shown = asResult(await runner.run({ verbosity: 2, show_capture: true, keywords: 'test_b' }));
    expect(shown.stdout).toContain('secret text');
    expect(shown.tests[0]?.captured).toEqual([{ name: 'Captured stdout call', text: 'secret text\n' }]);
    expect(shown.stdout).toContain('test_a.py::test_b FAILED');
  });

  test('failfast: false, and a discovery, go on after a failure where the project stops at the first', async () => {
    const project = createProject({
      'pytest.ini': '[pytest]\naddopts = -x\n',
      'test_a.py': 'import missing_module\n',
      'test_b.py': 'def test_b(): assert 0\ndef test_c(): pass\n',
    });
    const runner = createRunner(path, project);
    const run = async (request: object) =>
      asResult(await runner.run({ node_ids: ['test_b.py'], ...request })).summary.total;
    expect(await run({})).toBe(1);
    expect(await run({ failfast: false })).toBe(2);
    const found = await runner.discover({});
    expect(found).toMatchObject({ count: 2, collection_errors: [{ file: 'test_a.py' }] });
  });

  test('progress arrives while the run goes on', async () => {
    const events: RunEvent[] = [];
    const runner = createRunner(path, SAMPLE);
    await runner.run(
      { node_ids: [`${CART}::test_new_cart_is_empty`] },
      { onEvent: (event) => events.push(event) },
    );
    expect(events).toMatchObject([
      { type: 'collected', total: 1 },
      { type: 'test_started', node_id: `${CART}::test_new_cart_is_empty` },
      { type: 'test_finished', finished: 1, total: 1, test: { outcome: 'passed' } },
    ]);
  });

  test('a failed teardown is an error, a strict unexpected pass a failure, a warning data', async () => {
    const project = createProject({
      'test_a.py':
        'import pytest, warnings\n@pytest.fixture\ndef f():\n    yield\n    print("late")\n    1 / 0\ndef test_teardown(f): pass\ndef test_both(f): assert 0\n@pytest.mark.xfail(strict=True, reason="r")\ndef test_strict(): pass\ndef test_warns(): warnings.warn("old", DeprecationWarning)\n',
    });
    const result = asResult(await createRunner(path, project).run({}));
    expect(result.tests.map(({ outcome }) => outcome)).toEqual(['error', 'failed', 'failed', 'passed']);
    expect(result.tests[0]).toMatchObject({ message: 'ZeroDivisionError: division by zero' });
    expect(result.tests[0]?.captured).toEqual([{ name: 'Captured stdout teardown', text: 'late\n' }]);
    expect(result.warnings).toMatchObject([
      {
        category: 'DeprecationWarning',
        message: 'old',
        file: 'test_a.py',
        line: 11,
        node_id: 'test_a.py::test_warns',
      },
    ]);
  });

  test('a test that replaces functions of os, or deletes its folder, has its outcome', async () => {
    const project = createProject({
      'test_a.py': [
        'import os',
        'def fail(*_): raise RuntimeError("replaced")',
        'def test_getpid(monkeypatch):',
        '    monkeypatch.setattr(os, "getpid", lambda: 42)',
        '    assert 1 == 2',
        'def test_deleted(tmp_path):',
        '    os.chdir(tmp_path)',
        '    tmp_path.rmdir()',
        '    exec("assert 1 == 2")',
        'def test_relpath(monkeypatch):',
        '    monkeypatch.setattr(os.path, "relpath", fail)',
        '    assert 1 == 2',
        'write = os.write',
        'def test_write():',
        '    os.write = fail',
        // pytest 9.1 writes to a file at the end of the run.
        'def test_last():',
        '    os.write = write',
      ].join('\n'),
    });
    const result = asResult(await createRunner(path, project).run({}));
    expect(result.tests.map(({ node_id, outcome }) => [node_id, outcome])).toEqual([
      ['test_a.py::test_getpid', 'failed'],
      ['test_a.py::test_deleted', 'failed'],
      ['test_a.py::test_relpath', 'failed'],
      ['test_a.py::test_write', 'passed'],
      ['test_a.py::test_last', 'passed'],
    ]);
    expect(result.tests[1]?.traceback.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'test_a.py:9',
      '<string>:1',
    ]);
  });

  test('a test that replaces parts of json, or the output streams, ends only itself', async () => {
    const project = createProject({
      'test_a.py': [
        'import json, os, sys, threading',
        'def fail(*_): raise RuntimeError("replaced")',
        'def test_json(monkeypatch):',
        '    monkeypatch.setattr(json.JSONEncoder, "encode", fail)',
        '    monkeypatch.setattr(json.encoder, "c_make_encoder", None)',
        '    monkeypatch.setattr(json.encoder, "encode_basestring_ascii", fail)',
        '    assert 1 == 2',
        'def test_streams():',
        '    sys.stdout = sys.stderr = None',
        '    os.close(0)',
        '    assert 1 == 2',
        'def test_threads():',
        '    for _ in range(20): threading.Thread(target=lambda: None).start()',
      ].join('\n'),
    });
    const result = asResult(await createRunner(path, project).run({}));
    expect(result.tests.map(({ node_id, outcome }) => [node_id, outcome])).toEqual([
      ['test_a.py::test_json', 'failed'],
      ['test_a.py::test_streams', 'failed'],
      ['test_a.py::test_threads', 'passed'],
    ]);
  });

  describe('exit codes', () => {
    test('0 and 5 are results', async () => {
      const runner = createRunner(path, SAMPLE);
      expect(await runner.run({ node_ids: [CART], keywords: 'empty' })).toMatchObject({
        kind: 'result',
        exit_code: 0,
      });
      expect(await runner.run({ node_ids: [CART], keywords: 'nothing' })).toMatchObject({
        kind: 'result',
        exit_code: 5,
        summary: { total: 0 },
      });
    });

    test('a code of the project, set at the end of the run, is a result; a crash at the end is an error', async () => {
      const atEnd = (code: string) => ({
        'conftest.py': `import atexit, os\ndef pytest_sessionfinish(session): ${code}\n`,
        'test_a.py': 'def test_a(): pass\n',
      });
      const custom = createProject(atEnd('session.exitstatus = 42'));
      expect(asResult(await createRunner(path, custom).run({}))).toMatchObject({
        exit_code: 42,
        summary: { total: 1, passed: 1 },
      });
      const crash = createProject(atEnd('atexit.register(os.abort)'));
      expect(asError(await createRunner(path, crash).run({})).message).toBe(
        'pytest ended with signal SIGABRT. See stdout and stderr.',
      );
    });

    test('2 (collection errors) is an error with the errors as data', async () => {
      const error = asError(await createRunner(path, SAMPLE).run({}));
      expect(error).toMatchObject({
        exit_code: 2,
        reason: 'interrupted',
        collection_errors: [{ file: 'tests/test_broken.py', line: 3 }],
      });
      expect(error.stdout).toContain('1 error');
      expect(error.command.slice(1, 3)).toEqual(['-m', 'pytest']);
      expect(error.duration).toBeGreaterThan(0);
    });

    test('3 and 4 are errors', async () => {
      const internal = createProject({
        'conftest.py': 'def pytest_runtestloop(): 1 / 0\n',
        'test_a.py': 'def test_a(): pass\n',
      });
      expect(await createRunner(path, internal).run({})).toMatchObject({
        exit_code: 3,
        reason: 'internal_error',
      });
      const usage = asError(await createRunner(path, SAMPLE).run({ node_ids: [`${CART}::test_missing`] }));
      expect(usage).toMatchObject({ exit_code: 4, reason: 'usage_error' });
      expect(usage.stderr).toContain('test_missing');
    });

    test('a test that ends the process is an error, whatever its exit code', async () => {
      const project = createProject({
        'test_a.py':
          'import os\ndef test_ok(): pass\ndef test_exit_0(): os._exit(0)\ndef test_exit_4(): os._exit(4)\ndef test_abort(): os.abort()\n',
      });
      const runner = createRunner(path, project);
      for (const code of [0, 4]) {
        expect(await runner.run({ keywords: `ok or exit_${code}` })).toMatchObject({
          kind: 'error',
          reason: 'ended_early',
          exit_code: code,
          summary: { total: 1, passed: 1 },
          running: [`test_a.py::test_exit_${code}`],
        });
      }
      expect(asError(await runner.run({ keywords: 'abort' })).message).toBe(
        'pytest ended with signal SIGABRT before the end of the run while test_a.py::test_abort was running. See stdout and stderr.',
      );
    });
  });
});

function asResult(outcome: RunResult | RunError): RunResult {
  if (outcome.kind === 'error') throw new Error(`${outcome.message}\n${outcome.stdout}\n${outcome.stderr}`);
  return outcome;
}

function asError(outcome: RunResult | RunError): RunError {
  if (outcome.kind === 'result') throw new Error(`The run ended with ${outcome.exit_code}.`);
  return outcome;
}
