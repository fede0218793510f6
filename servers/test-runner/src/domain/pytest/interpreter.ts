import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RunnerUnavailableError } from '../request-errors.ts';
import { runSupervised } from '../process/run-supervised.ts';
import type { SupervisedCommand } from '../process/run-supervised.ts';

/** Exits with 0 if the interpreter can import pytest, otherwise with 3. */
const PROBE = `
try:
    import pytest
except ImportError:
    raise SystemExit(3)
`;

const MAX_REASON = 200;

/**
 * The Python interpreter of a project: `PYTEST_PYTHON`, `.venv`, `venv`, `VIRTUAL_ENV`, `python3`, in this order. The first that exists is
 * used, even without pytest: tests that pass with another interpreter prove nothing about the project.
 */
export function findInterpreter(project: string, environment: NodeJS.ProcessEnv): string {
  const { PYTEST_PYTHON: configured, VIRTUAL_ENV: active } = environment;
  if (configured !== undefined && configured !== '') return configured;
  const folders = [join(project, '.venv'), join(project, 'venv'), ...(active ? [active] : [])];
  const paths = folders.map((folder) => join(folder, 'bin', 'python'));
  return paths.find((path) => existsSync(path)) ?? 'python3';
}

/** Throws if the interpreter cannot import pytest. Called after a run without events, so that runs with pytest do not wait for it. */
export async function assertPytest(command: Omit<SupervisedCommand, 'args' | 'onLine'>): Promise<void> {
  const { interpreter } = command;
  const { exitCode, stderr } = await runSupervised({ ...command, args: ['-c', PROBE] });
  if (exitCode === 3) {
    throw new RunnerUnavailableError(
      interpreter,
      `The interpreter ${interpreter} has no pytest. Run \`${interpreter} -m pip install pytest\`, or set PYTEST_PYTHON to the interpreter of the project.`,
    );
  }
  if (exitCode > 0) {
    // Older versions do not have the options and functions that the supervisor needs.
    const reason = stderr.trim().split('\n').at(-1)?.slice(0, MAX_REASON) ?? '';
    throw new RunnerUnavailableError(
      interpreter,
      `The interpreter ${interpreter} cannot run pytest (exit code ${exitCode}: ${reason}). Set PYTEST_PYTHON to Python 3.7 or newer with pytest.`,
    );
  }
}

/** The error for an interpreter that cannot be started. */
export function toInterpreterError(python: string, error: unknown): RunnerUnavailableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new RunnerUnavailableError(
    python,
    `Cannot start the interpreter ${python} (${reason}). Install Python, or set PYTEST_PYTHON to the interpreter of the project.`,
  );
}
