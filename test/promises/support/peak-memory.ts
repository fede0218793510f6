import { readFileSync } from 'node:fs';

/**
 * The most memory a process ever had. Not what `getrusage` says: of a process that was started by another, that includes what the other
 * one had at the time, and so hides whatever is less.
 */
export function peakBytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmHWM:\s*(?<kilobytes>\d+) kB$/m.exec(status)?.groups?.['kilobytes'];
  if (kilobytes === undefined) throw new Error(`no peak memory of process ${pid} in:\n${status}`);
  return Number(kilobytes) * 1024;
}
