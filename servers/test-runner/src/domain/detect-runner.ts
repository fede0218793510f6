import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestRunner } from './test-run.ts';

/** Folders in which tests without a configuration are looked for. */
const TEST_FOLDERS = ['.', 'test', 'tests'];
const PYTEST_FILES = ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'conftest.py', 'tests/conftest.py'];
/** Files of other tools that can have a section for pytest. */
const PYTEST_SECTIONS = [
  ['setup.cfg', '[tool:pytest]'],
  ['tox.ini', '[pytest]'],
] as const;
const VITEST_CONFIG = /^vitest\.(config|workspace|projects)\.[cm]?[jt]s$/;
const PYTEST_TESTS = /^test_.*\.py$|_test\.py$/;

export type RunnerName = TestRunner['name'];

/** The project has files of both runners, or of none, and no setting says which to use. */
export class UnknownRunnerError extends Error {
  override readonly name = 'UnknownRunnerError';
}

/** The runner of a project: the setting, otherwise the one whose files the project has. Throws `UnknownRunnerError`. */
export function detectRunner(project: string, setting?: RunnerName): RunnerName {
  if (setting !== undefined) return setting;
  const [pytest, vitest] = [findPytestFile(project), findVitestFile(project)];
  if (pytest !== undefined && vitest === undefined) return 'pytest';
  if (vitest !== undefined && pytest === undefined) return 'vitest';
  throw new UnknownRunnerError(
    pytest === undefined
      ? `The project ${project} has files of neither pytest (${PYTEST_FILES.slice(0, 4).join(', ')}, test_*.py) nor vitest (vitest.config.*, the dependency "vitest" in package.json).`
      : `The project ${project} has files of both pytest (${pytest}) and vitest (${vitest}).`,
  );
}

function findPytestFile(project: string): string | undefined {
  return (
    PYTEST_FILES.find((file) => existsSync(join(project, file))) ??
    PYTEST_SECTIONS.find(([file, section]) => readText(project, file).includes(section))?.[0] ??
    TEST_FOLDERS.flatMap((folder) => listFiles(project, folder).map((file) => join(folder, file))).find(
      (path) => PYTEST_TESTS.test(path.slice(path.lastIndexOf('/') + 1)),
    )
  );
}

function findVitestFile(project: string): string | undefined {
  return listFiles(project, '.').find((file) => VITEST_CONFIG.test(file)) ?? findDependency(project);
}

function findDependency(project: string): string | undefined {
  try {
    const manifest = JSON.parse(readText(project, 'package.json')) as Partial<Record<string, object>>;
    const fields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
    return fields.some((field) => 'vitest' in (manifest[field] ?? {})) ? 'package.json' : undefined;
  } catch {
    // No package.json, or an invalid one.
    return undefined;
  }
}

function readText(project: string, file: string): string {
  try {
    return readFileSync(join(project, file), 'utf8');
  } catch {
    return '';
  }
}

function listFiles(project: string, folder: string): readonly string[] {
  try {
    return readdirSync(join(project, folder));
  } catch {
    return [];
  }
}
