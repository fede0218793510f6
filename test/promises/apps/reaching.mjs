/** Sends requests to addresses outside of the public internet, and records connections; none is opened. */
import { OutboundClient } from '../../../dist/outbound/outbound-client.js';
import { createResolve, takeConnects } from './connects.mjs';

process.on('message', async ({ urls, answers }) => {
  const failures = [];
  const resolve = createResolve(answers);
  const client = new OutboundClient({ resolve, maxRetries: 0, breaker: { failures: 1_000_000 } });
  for (const url of urls) {
    try {
      await client.send({ url: new URL(url) });
      failures.push('answered');
    } catch (error) {
      failures.push(error.failure ?? String(error));
    }
  }
  client.close();
  process.send({ connects: takeConnects(), failures });
});
// Keeps the process alive.
setInterval(() => {}, 60_000);
process.send({ port: 0 });
