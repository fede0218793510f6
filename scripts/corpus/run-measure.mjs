/** Starts the process that looks at one document. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A document that takes longer is one that failed. */
const MAX_MS = 1_200_000;
const MEASURE = fileURLToPath(new URL('measure.mjs', import.meta.url));

/**
 * What became of a document and what that took, measured in a process of its own on the built package.
 *
 * @param {string} file
 * @param {{ baseUrl?: string | undefined, onlyLoad?: boolean }} options
 */
export function measureDocument(file, { baseUrl = '', onlyLoad = false } = {}) {
  return new Promise((resolve, reject) => {
    let found;
    const child = fork(MEASURE, [file, baseUrl, ...(onlyLoad ? ['--only-load'] : [])], {
      // A parent's settings are not what is measured.
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      timeout: MAX_MS,
    });
    child.on('message', (message) => {
      found = message;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      resolve(found ?? { file, failed: `the process ended with ${code}` });
    });
  });
}
