/** Paths, processes and throw-away projects of the rows. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MS = 60_000;
const MATRIX = dirname(fileURLToPath(import.meta.url));

/** The folders with a lock file of their own. Packages that need a newer Node are installed beside it. */
export const FOLDERS = ['.', 'node22', 'node24'];

export const inMatrix = (...path) => join(MATRIX, ...path);

/** The Node that each folder runs with. */
export const NODES = {
  '.': process.execPath,
  node22: inMatrix('node22/node_modules/node/bin/node'),
  node24: inMatrix('node24/node_modules/node/bin/node'),
};

/** The locked version of a package, by the name that `package.json` of the folder has for it. */
export function lockedVersion(folder, name) {
  const lock = JSON.parse(readFileSync(inMatrix(folder, 'package-lock.json'), 'utf8'));
  const { version } = lock.packages[`node_modules/${name}`] ?? {};
  assert.ok(version, `${join('matrix', folder, 'package-lock.json')} has no package "${name}"`);
  return version;
}

/** The version of the Node that a folder runs with. */
export const nodeVersion = (folder) =>
  folder === '.' ? process.versions.node : lockedVersion(folder, 'node');

let home;

/** The environment of every process, with a home of its own: no program reads or writes the settings of the user. */
export function environment() {
  if (home === undefined) {
    home = mkdtempSync(join(tmpdir(), 'toolwright-matrix-'));
    process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  }
  return { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', CI: '1' };
}

/** Runs a command until it ends, or for a minute; then it and all that it started are killed. Returns the code it ended with and its output. */
export async function execute([command, ...args], { cwd = MATRIX, env = {} } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let stdout = '';
  let all = '';
  child.stdout.setEncoding('utf8').on('data', (text) => ((stdout += text), (all += text)));
  child.stderr.setEncoding('utf8').on('data', (text) => (all += text));
  // The negative number names the group of the process.
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), TIMEOUT_MS);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  clearTimeout(timer);
  return { code, stdout, all };
}

/** Runs a command that must end well. Returns what it printed. */
export async function run(command, options) {
  const { code, stdout, all } = await execute(command, options);
  assert.equal(code, 0, `failed: ${command.join(' ')}\n${all}`);
  return stdout;
}

/**
 * A project with one of the programs of `apps/`, as a user would have it. It has its own configurations, so that none of the repository is found
 * further up.
 */
export async function inProject({ folder = '.', file, compilerOptions = {}, type = 'module' }, use) {
  const cwd = mkdtempSync(inMatrix(folder, '.scratch-'));
  try {
    copyFileSync(inMatrix('apps', file), join(cwd, file));
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type }));
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    writeFileSync(join(cwd, 'vitest.config.mjs'), 'export default {};\n');
    return await use(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
