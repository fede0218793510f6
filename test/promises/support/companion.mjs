/** Loaded beside every server under test (`node --import`): tells what the process uses. */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

let delay;
process.on('message', (message) => {
  if (message === 'watch-delay') {
    delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    process.send({ watching: true });
  }
  if (message === 'usage') {
    globalThis.gc?.();
    process.send({
      peakBytes: peakBytes(),
      heapBytes: process.memoryUsage().heapUsed,
      cpuMicros: process.cpuUsage().user + process.cpuUsage().system,
      maxDelayMs: delay === undefined ? undefined : delay.max / 1e6,
      resources: process.getActiveResourcesInfo(),
    });
  }
});
/** What `maxRSS` says counts the process that forked us as well, so Linux is asked directly. */
function peakBytes() {
  try {
    const { kilobytes } = /VmHWM:\s+(?<kilobytes>\d+)/.exec(readFileSync('/proc/self/status', 'utf8')).groups;
    return Number(kilobytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

// The channel to the test must not keep a server alive that has nothing left to do.
process.channel?.unref();
