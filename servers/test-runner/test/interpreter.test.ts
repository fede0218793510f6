import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findInterpreter } from '../src/domain/pytest/interpreter.ts';
import { RunnerUnavailableError } from '../src/domain/request-errors.ts';
import { createProject, createRunner } from './support/project.ts';
import { getInterpreter } from './support/pytest.ts';

const { path: python } = await getInterpreter();

test('the interpreter is PYTEST_PYTHON, .venv, venv, VIRTUAL_ENV or python3, in this order', () => {
  const all = createProject({ '.venv/bin/python': '', 'venv/bin/python': '' });
  const second = createProject({ 'venv/bin/python': '' });
  const none = createProject({});
  const environment = { PYTEST_PYTHON: '/opt/python', VIRTUAL_ENV: join(all, 'venv') };
  expect(findInterpreter(all, environment)).toBe('/opt/python');
  expect(findInterpreter(all, { ...environment, PYTEST_PYTHON: '' })).toBe(join(all, '.venv/bin/python'));
  expect(findInterpreter(second, { VIRTUAL_ENV: join(all, 'venv') })).toBe(join(second, 'venv/bin/python'));
  expect(findInterpreter(none, { VIRTUAL_ENV: join(all, 'venv') })).toBe(join(all, 'venv/bin/python'));
  expect(findInterpreter(none, { VIRTUAL_ENV: join(none, 'venv') })).toBe('python3');
});

test('python3 of PATH can be a script of a version manager; results name the program that it starts', async () => {
  const project = createProject({
    'bin/python3': `#!/bin/sh\nexec "${python}" "$@"\n`,
    'test_a.py': 'def test_a(): pass\n',
  });
  chmodSync(join(project, 'bin/python3'), 0o755);
  const runner = createRunner('', project, { environment: { PATH: join(project, 'bin') } });
  const result = await runner.run({});
  expect(result).toMatchObject({
    kind: 'result',
    summary: { total: 1, passed: 1 },
    runner: { interpreter: python },
  });
  expect(result.command[0]).toBe('python3');
});

test('an interpreter without pytest is an error that names it and the installation', async () => {
  const project = createProject({ 'test_a.py': 'def test_a(): pass\n' });
  execFileSync(python, ['-m', 'venv', '--without-pip', join(project, '.venv')]);
  const error: unknown = await createRunner('', project)
    .run({})
    .catch((reason: unknown) => reason);
  const interpreter = join(project, '.venv/bin/python');
  expect(error).toBeInstanceOf(RunnerUnavailableError);
  expect(error).toMatchObject({
    interpreter,
    message: `The interpreter ${interpreter} has no pytest. Run \`${interpreter} -m pip install pytest\`, or set PYTEST_PYTHON to the interpreter of the project.`,
  });
});

test('an interpreter that is no Python 3.7 is an error that names it and its last words', async () => {
  const project = createProject({
    'test_a.py': 'def test_a(): pass\n',
    python2: '#!/bin/sh\necho "Unknown option: -I" >&2\necho "usage: python [option]" >&2\nexit 2\n',
  });
  const path = join(project, 'python2');
  chmodSync(path, 0o755);
  const runner = createRunner(path, project);
  for (const run of [() => runner.run({}), () => runner.discover({})]) {
    const error: unknown = await run().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RunnerUnavailableError);
    expect(error).toHaveProperty(
      'message',
      `The interpreter ${path} cannot run pytest (exit code 2: usage: python [option]). Set PYTEST_PYTHON to Python 3.7 or newer with pytest.`,
    );
  }
});

test('an interpreter that cannot be started is an error that names it', async () => {
  const project = createProject({ 'not-executable': '' });
  chmodSync(join(project, 'not-executable'), 0o644);
  for (const path of ['/missing/python', join(project, 'not-executable')]) {
    await expect(createRunner(path, project).run({})).rejects.toThrow(
      new RegExp(`^Cannot start the interpreter ${path} `),
    );
  }
});

test('tests get listed variables of the server only', async () => {
  const project = createProject({
    'test_a.py': 'import os\ndef test_a():\n    print(",".join(sorted(os.environ)))\n    assert 0\n',
  });
  const environment = {
    LANG: 'C.UTF-8',
    SECRET: 's',
    ALLOWED: 'a',
    PYTEST_ADDOPTS: '--version',
    PYTEST_PLUGINS: 'missing',
    PYTHONSTARTUP: 'x',
    PYTHONPATH: '/x',
  };
  const runner = createRunner(python, project, { environment, allowedEnvironment: ['ALLOWED'] });
  const result = await runner.run({});
  const names = result.tests[0]?.captured[0]?.text.trim().split(',') ?? [];
  // A version manager may add variables of its own.
  const known = names.filter((name) => name in environment || /^(PYTEST|PYTHON|TEST_RUN|HOME)/.test(name));
  expect(known).toEqual([
    'ALLOWED',
    'HOME',
    'LANG',
    'PYTEST_CURRENT_TEST',
    'PYTEST_DISABLE_PLUGIN_AUTOLOAD',
    ...(names.includes('PYTEST_VERSION') ? ['PYTEST_VERSION'] : []),
    'PYTHONPATH',
    'TEST_RUN_ID',
  ]);
});

test('allowed PYTEST and PYTHON variables reach pytest', async () => {
  const project = createProject({
    'lib/extra.py': '',
    'test_x.py': 'def test_a():\n    import extra\ndef test_b(): pass\n',
  });
  const environment = { PYTHONPATH: join(project, 'lib'), PYTEST_ADDOPTS: '-k test_a' };
  const allowedEnvironment = ['PYTHONPATH', 'PYTEST_ADDOPTS'];
  const result = await createRunner(python, project, { environment, allowedEnvironment }).run({});
  expect(result.summary).toMatchObject({ total: 1, passed: 1 });
});
