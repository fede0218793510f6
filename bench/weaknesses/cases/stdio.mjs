import { toCall } from '../requests.mjs';

const LIMIT_MS = 5000;
/** One more than the SDK's limit; ours is lower. */
const LONG = 10 * 1024 * 1024 + 1;

export const stdio = [
  {
    title: 'stdio: a line over 10 MiB',
    on: 'stdio',
    run: async (server) => {
      await begin(server);
      write(server, toCall('echo', { id: 2, args: JSON.stringify({ value: 'x'.repeat(LONG) }) }));
      write(server, toCall('fine', { id: 3 }));
      const isServed = await server.hasPrinted(/"id":3\b/, LIMIT_MS);
      const isTold = /"error"/.test(server.stdout);
      const ending = server.isAlive ? 'next line not answered' : 'process ended';
      return {
        isWeak: !isServed || !isTold,
        measured: `${isTold ? 'error' : 'no word'}, ${isServed ? 'next line answered' : ending}`,
      };
    },
  },
  {
    title: 'stdio: a line that is not JSON',
    on: 'stdio',
    run: async (server) => {
      await begin(server);
      write(server, '{"jsonrpc":"2.0","id":2,');
      write(server, toCall('fine', { id: 3 }));
      const isServed = await server.hasPrinted(/"id":3\b/, LIMIT_MS);
      const isTold = server.stdout.includes('-32700');
      return {
        isWeak: !isServed || !isTold,
        measured: `${isTold ? '-32700' : 'no word'}, next line ${isServed ? '' : 'not '}answered`,
      };
    },
  },
  {
    title: 'stdio: input ends during a call',
    on: 'stdio',
    run: async (server) => {
      await begin(server);
      const args = JSON.stringify({ ticket: 'last', ms: 500 });
      const seen = server.hear('seen');
      write(server, toCall('slow', { id: 2, args }));
      await seen;
      server.process.stdin.end();
      const isServed = await server.hasPrinted(/"text":"last"/, LIMIT_MS);
      return { isWeak: !isServed, measured: isServed ? 'answered' : 'call dropped' };
    },
  },
];

/** Completes one call, so that the case meets a working server. */
async function begin(server) {
  write(server, toCall('fine', { id: 1 }));
  if (!(await server.hasPrinted(/"id":1\b/, LIMIT_MS))) throw new Error('the first call got no response');
}

function write(server, line) {
  server.process.stdin.write(`${line}\n`);
}
