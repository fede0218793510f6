/** Sends requests to addresses that are no addresses of the internet, and counts connections: there is never a real one. */
import net from 'node:net';
import { OutboundClient } from '../../../dist/outbound/outbound-client.js';

let connects = [];
net.Socket.prototype.connect = function connect(...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const fail = () => this.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  if (net.isIP(options.host) !== 0) {
    connects.push(options.host);
    process.nextTick(fail);
    return this;
  }
  options.lookup(options.host, { all: true }, (error, addresses) => {
    if (error === null) connects.push(...addresses.map(({ address }) => address));
    process.nextTick(() =>
      this.destroy(error ?? Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
    );
  });
  return this;
};

process.on('message', async ({ urls, answers }) => {
  connects = [];
  const failures = [];
  const left = [...answers];
  const resolve = (_host, _options, done) => {
    const addresses = left.length > 1 ? left.shift() : left[0];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
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
  process.send({ connects, failures });
});
// Nothing else would keep it alive.
setInterval(() => {}, 60_000);
process.send({ port: 0 });
