import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { PytestRunner } from '../../src/domain/pytest/pytest-runner.ts';
import type { PytestSettings } from '../../src/domain/pytest/pytest-runner.ts';
import { createFolder } from './folder.ts';

export const SAMPLE: string = fileURLToPath(new URL('../../sample', import.meta.url));

const NO_PLUGINS = 'PYTEST_DISABLE_PLUGIN_AUTOLOAD';

/** A project in a temporary folder, which is removed after the test. */
export function createProject(files: Readonly<Record<string, string>>): string {
  const folder = createFolder(files);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A runner without the environment of this machine, and without the plugins that happen to be installed for the interpreter. */
export function createRunner(
  python: string,
  project: string,
  settings: Partial<PytestSettings> = {},
): PytestRunner {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, PYTEST_PYTHON: python, [NO_PLUGINS]: '1', ...settings.environment };
  const allowedEnvironment = [NO_PLUGINS, ...(settings.allowedEnvironment ?? [])];
  return new PytestRunner({ project, ...settings, environment, allowedEnvironment });
}
