/** Replaces `net.connect`: records the targets, and opens no connection. */
import net from 'node:net';

const seen = [];

net.Socket.prototype.connect = function connect(...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const fail = () => this.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  if (net.isIP(options.host) !== 0) {
    seen.push(options.host);
    process.nextTick(fail);
    return this;
  }
  options.lookup(options.host, { all: true }, (error, addresses) => {
    if (error === null) seen.push(...addresses.map(({ address }) => address));
    process.nextTick(() =>
      this.destroy(error ?? Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
    );
  });
  return this;
};

/** Targets of connections since the previous call. */
export function takeConnects() {
  return seen.splice(0);
}

/** Resolves every name to the next of these addresses, and then always to the last. */
export function createResolve(answers) {
  const left = [...answers];
  return (_host, _options, done) => {
    const addresses = left.length > 1 ? left.shift() : left[0];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}
