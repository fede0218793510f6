import { PytestRunner } from './domain/pytest/pytest-runner.ts';
import type { PytestSettings } from './domain/pytest/pytest-runner.ts';
import type { TestRunner } from './domain/test-run.ts';

export type RunnerName = TestRunner['name'];

/** Settings that all runners have. */
export type RunnerSettings = PytestSettings;

const CREATE: Readonly<Partial<Record<RunnerName, (settings: RunnerSettings) => TestRunner>>> = {
  pytest: (settings) => new PytestRunner(settings),
};

export const RUNNER_NAMES = Object.keys(CREATE) as readonly RunnerName[];

/** The runner of a project: the given one, else the one that its files point to. */
export function createRunner(name: RunnerName | undefined, settings: RunnerSettings): TestRunner {
  const create = CREATE[name ?? 'pytest'];
  if (create === undefined) throw new Error(`There is no runner "${name}".`);
  return create(settings);
}
