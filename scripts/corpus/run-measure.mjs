/** Starts the process that measures one document. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Timeout of one document. */
const MAX_MS = 1_200_000;
const MEASURE = fileURLToPath(new URL('measure.mjs', import.meta.url));

/**
 * Measures a document in its own process, on the built package.
 *
 * @param {string} file
 * @param {{ baseUrl?: string | undefined, onlyLoad?: boolean }} options
 */
export function measureDocument(file, { baseUrl = '', onlyLoad = false } = {}) {
  return new Promise((resolve, reject) => {
    let found;
    const child = fork(MEASURE, [file, baseUrl, ...(onlyLoad ? ['--only-load'] : [])], {
      // Node options of the parent must not affect the measurement.
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
