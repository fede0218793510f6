/** Sends requests to addresses that are no addresses of the internet, and counts connections: there is never a real one. */
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
// Nothing else would keep it alive.
setInterval(() => {}, 60_000);
process.send({ port: 0 });
