import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { PytestRunner } from '../../src/domain/pytest/pytest-runner.ts';
import type { PytestSettings } from '../../src/domain/pytest/pytest-runner.ts';

export const SAMPLE: string = fileURLToPath(new URL('../../sample', import.meta.url));

const NO_PLUGINS = 'PYTEST_DISABLE_PLUGIN_AUTOLOAD';

/** A project in a temporary folder, which is removed after the test. */
export function createProject(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'test-run-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
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
