/** Loaded beside every server under test (`node --import`): turns defences off when asked to, and tells what the process uses. */
import { register } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const weaknesses = JSON.parse(process.env.TOOLWRIGHT_WITHOUT ?? '[]');
if (weaknesses.length > 0) register('./hooks.mjs', import.meta.url, { data: weaknesses });

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
      peakBytes: process.resourceUsage().maxRSS * 1024,
      heapBytes: process.memoryUsage().heapUsed,
      cpuMicros: process.cpuUsage().user + process.cpuUsage().system,
      maxDelayMs: delay === undefined ? undefined : delay.max / 1e6,
      resources: process.getActiveResourcesInfo(),
    });
  }
});
// The channel to the test must not keep a server alive that has nothing left to do.
process.channel?.unref();
