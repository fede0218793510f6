import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installDebianPackages } from './debian.ts';

const execute = promisify(execFile);

/** An interpreter that has pytest. */
export interface PytestInterpreter {
  readonly path: string;
  readonly version: string;
}

/** The interpreters of this machine that have pytest, one for each version of pytest: that of Debian, and a newer one if the machine has it. */
export async function listInterpreters(): Promise<readonly PytestInterpreter[]> {
  await installDebianPackages(['python3-pytest']);
  return findInterpreters();
}

/** An interpreter that has pytest. If there is none, Debian's `python3-pytest` is installed, which needs root. Tests are never skipped. */
export async function getInterpreter(): Promise<PytestInterpreter> {
  const [first] = await findInterpreters();
  if (first !== undefined) return first;
  // Or: python3 -m pip install pytest.
  const [installed] = await listInterpreters();
  if (installed !== undefined) return installed;
  throw new Error(
    'No pytest after the installation of python3-pytest. Set PYTEST_PYTHON to an interpreter with pytest.',
  );
}

async function findInterpreters(): Promise<readonly PytestInterpreter[]> {
  const found = new Map<string, PytestInterpreter>();
  for (const name of [process.env['PYTEST_PYTHON'], 'python3', '/usr/bin/python3']) {
    if (!name) continue;
    const interpreter = await findPytest(name);
    if (interpreter !== undefined && !found.has(interpreter.version)) {
      found.set(interpreter.version, interpreter);
    }
  }
  return [...found.values()];
}

async function findPytest(path: string): Promise<PytestInterpreter | undefined> {
  try {
    const { stdout } = await execute(path, ['-c', 'import pytest; print(pytest.__version__)']);
    return { path, version: stdout.trim() };
  } catch {
    return undefined;
  }
}
