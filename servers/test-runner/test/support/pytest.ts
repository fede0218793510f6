import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installDebianPackages } from './debian.ts';

const execute = promisify(execFile);

/** An interpreter that has pytest. */
export interface PytestInterpreter {
  readonly path: string;
  readonly version: string;
}

/**
 * The interpreters of this machine that have pytest, one for each version of pytest. If there is none, Debian's `python3-pytest` is
 * installed, which needs root. Tests are never skipped.
 */
export async function listInterpreters(): Promise<readonly PytestInterpreter[]> {
  const existing = await findInterpreters();
  if (existing.length > 0) return existing;
  // Or: python3 -m pip install pytest.
  await installDebianPackages(['python3-pytest']);
  const installed = await findInterpreters();
  if (installed.length > 0) return installed;
  throw new Error(
    'No pytest after the installation of python3-pytest. Set PYTEST_PYTHON to an interpreter with pytest.',
  );
}

/** The interpreters of this machine that have pytest, with that of Debian. */
export async function listWithDebian(): Promise<readonly PytestInterpreter[]> {
  await installDebianPackages(['python3-pytest']);
  return findInterpreters();
}

/** The first of {@link listInterpreters}. */
export async function getInterpreter(): Promise<PytestInterpreter> {
  const [first] = await listInterpreters();
  if (first === undefined) throw new Error('listInterpreters returned no interpreter.');
  return first;
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
