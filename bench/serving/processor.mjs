import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Keeps what is measured and what measures apart, where the system lets us. */

const canPin =
  process.platform === 'linux' && availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

export const pinning = canPin
  ? 'servers on one core, load on another (taskset)'
  : 'servers and load wherever the system puts them';

/** To be called once, by what makes the load. */
export function pinLoad() {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', '0', String(process.pid)]);
}

/**
 * @param {readonly string[]} command
 * @returns {string[]} The same on the servers' core.
 */
export function onServerCore(command) {
  return canPin ? ['taskset', '-c', '1', ...command] : [...command];
}
