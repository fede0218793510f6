import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { call, toCall, toHttp } from '../requests.mjs';

/** Time for which the client does not read. */
const STALL_MS = 10_000;
/** Allowed garbage of creating messages; the exact figure is a promise with its own test. */
const ALLOWED_MB = 32;

export const slowReader = [
  {
    title: '640 MB of unread progress',
    on: 'http',
    run: async (server) => {
      for (let index = 0; index < 50; index += 1) await call(server.port, 'fine');
      const before = toMb(await server.peakBytes());
      const flooded = server.hear('flooded').then(() => true);
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(toHttp(toCall('flood'), { name: 'flood', port: server.port }));
      socket.pause();
      const isOver = await Promise.race([flooded, wait(STALL_MS, false)]);
      const after = toMb(await server.peakBytes());
      socket.destroy();
      return {
        isWeak: after - before > ALLOWED_MB,
        measured: `${before} → ${after} MB${isOver ? ', all of it written' : ''}`,
      };
    },
  },
];

function toMb(bytes) {
  return Math.round(bytes / 1e6);
}
