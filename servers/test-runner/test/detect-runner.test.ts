import { describe, expect, test } from 'vitest';
import { detectRunner, UnknownRunnerError } from '../src/domain/detect-runner.ts';
import { createProject } from './support/project.ts';

const DEPENDENCY = JSON.stringify({ devDependencies: { vitest: '^4.1.0' } });

describe('the runner of a project', () => {
  test.each<readonly [string, string]>([
    ['pytest.ini', ''],
    ['pyproject.toml', ''],
    ['conftest.py', ''],
    ['setup.cfg', '[tool:pytest]\n'],
    ['tox.ini', '[pytest]\n'],
    ['test_a.py', ''],
    ['tests/test_a.py', ''],
    ['test/a_test.py', ''],
  ])('%s is of pytest', (file, text) => {
    expect(detectRunner(createProject({ [file]: text }))).toBe('pytest');
  });

  test.each<readonly [string, string]>([
    ['vitest.config.ts', ''],
    ['vitest.config.mjs', ''],
    ['vitest.workspace.js', ''],
    ['package.json', DEPENDENCY],
    ['package.json', JSON.stringify({ dependencies: { vitest: '4' } })],
  ])('%s is of vitest', (file, text) => {
    expect(detectRunner(createProject({ [file]: text }))).toBe('vitest');
  });

  test('files of both are an error that names them', () => {
    const project = createProject({ 'package.json': DEPENDENCY, 'conftest.py': '' });
    expect(() => detectRunner(project)).toThrow(UnknownRunnerError);
    expect(() => detectRunner(project)).toThrow(
      `The project ${project} has files of both pytest (conftest.py) and vitest (package.json).`,
    );
  });

  test('files of neither are an error that names what is looked for', () => {
    const project = createProject({ 'setup.cfg': '[metadata]', 'package.json': '{}', 'README.md': '' });
    expect(() => detectRunner(project)).toThrow(
      `The project ${project} has files of neither pytest (pytest.ini, .pytest.ini, pyproject.toml, conftest.py, test_*.py) nor vitest (vitest.config.*, the dependency "vitest" in package.json).`,
    );
  });

  test('the setting decides, whatever the files are', () => {
    const project = createProject({ 'package.json': DEPENDENCY, 'conftest.py': '' });
    expect(detectRunner(project, 'vitest')).toBe('vitest');
    expect(detectRunner(createProject({}), 'pytest')).toBe('pytest');
  });
});
