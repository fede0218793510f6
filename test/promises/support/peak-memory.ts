import { readFileSync } from 'node:fs';

/**
 * The peak memory of a process. Not from `getrusage`: for a child process, that includes the memory of its parent at the time of the fork.
 */
export function peakBytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmHWM:\s*(?<kilobytes>\d+) kB$/m.exec(status)?.groups?.['kilobytes'];
  if (kilobytes === undefined) throw new Error(`no peak memory of process ${pid} in:\n${status}`);
  return Number(kilobytes) * 1024;
}
