import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const ROOT: string = resolve(import.meta.dirname, '../..');
export const DIST: string = join(ROOT, 'dist');
/** The version of the package: a release changes it without changing a test. */
export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
};

/** A check of the built package must not pass because the build is missing. */
export function assertBuilt(): void {
  if (!existsSync(join(DIST, 'index.js'))) throw new Error('dist/ is missing: run `npm run build` first');
}

/** A folder inside the repository, so that packages resolve; removed afterwards. */
export function createScratchFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(ROOT, '.scratch-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const execute = promisify(execFile);

/** Runs a module with Node; returns its output. */
export async function runModule(folder: string, name: string, source: string): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, source);
  const { stdout } = await execute(process.execPath, [file], { timeout: 30_000 });
  return stdout;
}
