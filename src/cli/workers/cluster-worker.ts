import cluster from 'node:cluster';
import { EXIT_CODES } from '../terminal/command.ts';
import { isMessage } from './messages.ts';
import type { Serving, ToWorker } from './messages.ts';
import { passOnUntaken } from './untaken-connections.ts';
import { WorkerFailure } from './worker-group.ts';
import type { GroupWorker } from './worker-group.ts';

/** Marks the environment of a worker. Deleted by the worker, so that processes that tools start do not have it. */
export const WORKER_VARIABLE = 'TOOLWRIGHT_WORKER';

/** Starts a worker of this program, with the same arguments. `secret` is sent over the channel to the worker, never in its arguments. */
export function startClusterWorker(program: string | undefined, secret: string): GroupWorker {
  cluster.setupPrimary({
    args: process.argv.slice(2),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(program === undefined ? {} : { exec: program }),
  });
  const worker = cluster.fork({ [WORKER_VARIABLE]: '1' });
  passOnUntaken(worker);
  const tell = (message: ToWorker): void => {
    // The channel closes when the worker ends.
    if (worker.isConnected()) worker.send(message, () => {});
  };
  const ended = new Promise<string>((resolve) => {
    worker.on('error', (error) => resolve(`it could not be started: ${error.message}`));
    worker.on('exit', (code, signal) =>
      resolve(
        signal === null || signal === undefined ? `it ended with code ${code}` : `it was ended by ${signal}`,
      ),
    );
  });
  const leaving = new Promise<string>((resolve) => {
    worker.on('message', (message: unknown) => {
      if (isMessage(message, 'toolwright:leaving')) resolve('it ends because of a stray error');
    });
  });
  const ready = new Promise<Serving>((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (isMessage(message, 'toolwright:awake')) tell({ type: 'toolwright:begin', secret });
      if (isMessage(message, 'toolwright:ready')) resolve(message.serving);
      if (isMessage(message, 'toolwright:failed')) reject(new WorkerFailure(message.message, message.code));
    });
    void ended.then((reason) =>
      reject(new WorkerFailure(`The server could not be started: ${reason}.`, EXIT_CODES.unavailable.code)),
    );
  });
  return {
    name: String(worker.process.pid ?? worker.id),
    ready,
    leaving,
    ended,
    close: (isReplaced) => tell({ type: 'toolwright:close', isReplaced }),
    kill: () => worker.process.kill('SIGKILL'),
  };
}
