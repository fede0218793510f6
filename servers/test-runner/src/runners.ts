import { detectRunner } from './domain/detect-runner.ts';
import type { RunnerName } from './domain/detect-runner.ts';
import { PytestRunner } from './domain/pytest/pytest-runner.ts';
import type { PytestSettings } from './domain/pytest/pytest-runner.ts';
import type { TestRunner } from './domain/test-run.ts';
import { VitestRunner } from './domain/vitest/vitest-runner.ts';

/** Settings that all runners have. */
type RunnerSettings = PytestSettings;

const CREATE: Readonly<Record<RunnerName, (settings: RunnerSettings) => TestRunner>> = {
  pytest: (settings) => new PytestRunner(settings),
  vitest: (settings) => new VitestRunner(settings),
};

export const RUNNER_NAMES: readonly RunnerName[] = ['pytest', 'vitest'];

/** The runner of a project: the given one, otherwise the one whose files the project has. */
export function createRunner(name: RunnerName | undefined, settings: RunnerSettings): TestRunner {
  return CREATE[detectRunner(settings.project, name)](settings);
}
