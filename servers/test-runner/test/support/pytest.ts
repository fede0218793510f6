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

async function findPytest(name: string): Promise<PytestInterpreter | undefined> {
  try {
    // The program itself: a version manager can have a script of that name, which takes longer to start than Python.
    const code = 'import pytest, sys; print(pytest.__version__, sys.executable)';
    const { stdout } = await execute(name, ['-c', code]);
    const [, version, path] = /^(\S+) (.+)$/m.exec(stdout) ?? [];
    return version === undefined || path === undefined ? undefined : { path, version };
  } catch {
    return undefined;
  }
}
