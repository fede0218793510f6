/** Takes the place of connections: counts where they would go, and there is never a real one. */
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

/** Where connections would have gone since it was asked last. */
export function takeConnects() {
  return seen.splice(0);
}

/** Resolves every name to the next of these answers, and from then on to the last of them. */
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
