import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));

/** The newer Node: what is run here does not start on the oldest one we serve. */
export const newerNode = join(
  folder,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** A file of an installed package. */
export const installed = (path) => join(folder, 'node_modules', path);

/** Runs a script with the newer Node. Never rejects; a script that takes too long is ended, and has failed. */
export function execute(script, args, { env = {}, timeoutMs = 120_000 } = {}) {
  return new Promise((resolve) => {
    const options = {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      timeout: timeoutMs,
    };
    execFile(newerNode, [script, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
    });
  });
}
