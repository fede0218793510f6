import { startTaskWorker } from '../../server/start-task-worker.ts';
import { servedOf } from '../../server/served-of.ts';
import { EXIT_CODES, numberFlag, refuseMore, UsageError } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { loadServer } from '../target/target.ts';

/** Maximum of --concurrency: one process runs all of them. */
const MAX_CONCURRENCY = 1000;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** `toolwright worker` */
export const worker: Command = {
  name: 'worker',
  summary: 'Run the tasks of a server with a task queue, without serving clients',
  usage: ['[file] [options]'],
  details: `The file is a module whose default export is a server or a registry, the same as for toolwright serve. Start as
many workers as you need, on any machine. SIGTERM lets the running tasks end, for at most --drain seconds.`,
  flags: {
    concurrency: {
      type: 'string',
      short: 'c',
      value: 'count',
      description: 'Tasks that run at the same time (default: 10)',
    },
    drain: {
      type: 'string',
      value: 'seconds',
      description: 'Time that running tasks have to end after SIGTERM (default: 25)',
    },
  },
  examples: [
    ['toolwright worker server.js', 'run tasks of the server'],
    ['toolwright worker server.js --concurrency 1', 'run one task at a time'],
  ],
  run: async (call) => {
    refuseMore(call.positionals, 1, '"toolwright worker" takes one file.');
    const concurrency = numberFlag(call, 'concurrency') ?? 10;
    if (concurrency < 1 || concurrency > MAX_CONCURRENCY)
      throw new UsageError(
        `--concurrency must be a number from 1 to ${MAX_CONCURRENCY}; received "${concurrency}".`,
      );
    const drain = numberFlag(call, 'drain') ?? 25;
    const [file] = call.positionals;
    const { terminal } = call;
    const loaded = await loadServer(file, terminal);
    const { server } = loaded;
    if (servedOf(server).startTaskWorker === undefined) {
      await loaded.close();
      throw new UsageError(
        `Server "${server.name}" has no task queue: its tasks run in the process that serves it. Pass taskQueue to createServer, such as a BullMqTaskQueue of toolwright/tasks.`,
      );
    }
    // Before the first output, because its reader may send a signal immediately.
    const stopped = nextSignal();
    const running = await Promise.race([
      startTaskWorker(server, { concurrency, drainMs: drain * 1000 }),
      stopped,
    ]);
    if (running === undefined) return EXIT_CODES.ok.code;
    const { name, version } = server;
    terminal.err(
      `${terminal.paintErr.green('working')} on tasks of ${name} ${version}, up to ${concurrency} at the same time`,
    );
    await stopped;
    terminal.err('Shutting down \u2026');
    await running.close();
    await loaded.close();
    return EXIT_CODES.ok.code;
  },
};

/** Resolves with the first signal; a second one ends the process immediately. */
function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of SIGNALS) process.off(signal, stop);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
}
