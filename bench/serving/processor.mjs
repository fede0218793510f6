import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Pins the load and the servers to different cores, if the system supports it. */

const canPin =
  process.platform === 'linux' && availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

export const pinning = canPin
  ? 'servers on one core, load on another (taskset)'
  : 'servers and load wherever the system puts them';

/** Called once, by the load generator. */
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
