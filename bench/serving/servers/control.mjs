/** Commands of the benchmark to a server process, over an IPC channel. Nothing of this runs between two commands. */

const questions = {
  usage: () => process.cpuUsage(),
  /** Needs `--expose-gc`. Repeated, with a turn of the event loop in between: memory that one collection finalizes is freed by the next. */
  heap: async () => {
    for (let pass = 0; pass < 3; pass += 1) {
      globalThis.gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return process.memoryUsage().heapUsed;
  },
  startProfile: async () => (await import('./profiler.mjs')).start(),
  stopProfile: async ({ file }) => (await import('./profiler.mjs')).stop(file),
};

/**
 * Reports that the server is ready, and handles commands from then on. Does nothing without an IPC channel.
 *
 * @param {object} [about] such as the port
 * @param {Record<string, (question: object) => unknown>} [more] questions of one kind of server alone
 */
export function ready(about = {}, more = {}) {
  if (process.send === undefined) return;
  const all = { ...questions, ...more };
  process.on('message', (question) => void answer(all[question.ask], question));
  process.on('disconnect', () => process.exit(0));
  process.send({ ready: true, ...about });
}

async function answer(find, question) {
  try {
    process.send({ value: await find(question) });
  } catch (error) {
    process.send({ failed: String(error.stack) });
  }
}
