import { setTimeout as wait } from 'node:timers/promises';
import { call, describeStatus } from '../requests.mjs';

/** Time for the process to end because of it. */
const LIMIT_MS = 2000;

export const strayRejection = [
  {
    title: 'an unhandled rejection',
    on: 'http',
    run: async (server) => {
      await call(server.port, 'stray');
      const ended = await Promise.race([server.ended, wait(LIMIT_MS)]);
      if (ended !== undefined) return { isWeak: true, measured: `process ended, exit ${ended.code}` };
      const next = await call(server.port, 'fine');
      return { isWeak: next.status !== 200, measured: `lives, next call ${describeStatus(next)}` };
    },
  },
];
