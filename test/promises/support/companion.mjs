/** Loaded into every server under test (`node --import`): reports the resource usage of the process. */
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
/** `maxRSS` includes the process that forked us, so read it from Linux directly. */
function peakBytes() {
  try {
    const { kilobytes } = /VmHWM:\s+(?<kilobytes>\d+)/.exec(readFileSync('/proc/self/status', 'utf8')).groups;
    return Number(kilobytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

// The channel to the test must not keep an idle server alive.
process.channel?.unref();
