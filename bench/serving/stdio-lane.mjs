import { once } from 'node:events';
import { Child } from './child.mjs';
import { StdioLoad } from './load/stdio-load.mjs';
import { measureChild } from './measure-child.mjs';
import { callMessages, HANDSHAKE } from './messages.mjs';

/**
 * Calls of one contender over stdio: one after the other, or many at a time.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.file the server
 * @param {import('./servers/specification.mjs').Specification} options.specification
 * @param {number} options.inFlight
 * @returns {import('./group.mjs').Lane}
 */
export function stdioLane({ name, file, specification, inFlight }) {
  return {
    name,
    start: async () => {
      const { size, catalogue, era } = specification;
      const child = await Child.start(file, specification, { over: 'stdio' });
      if (era === 'legacy') await shakeHands(child.process);
      const load = new StdioLoad(name, child.process, callMessages(size, era, { catalogue }));
      return {
        child,
        measure: async (ms) => {
          await load.run({ ms: 30, inFlight });
          return measureChild(child, () => load.run({ ms, inFlight }), ms);
        },
        close: () => child.stop(),
      };
    },
  };
}

/** The response to `initialize` is small, so it arrives in one piece. */
async function shakeHands({ stdin, stdout }) {
  stdin.write(`${HANDSHAKE.initialize}\n`);
  const [answer] = await once(stdout, 'data');
  if (JSON.parse(answer).result === undefined) throw new Error(`the handshake was rejected: ${answer}`);
  stdin.write(`${HANDSHAKE.initialized}\n`);
}
