/** A tool that runs until it is released or cancelled, and reports the outcome of each call to the parent process. */
import { defineTool } from 'toolwright';
import * as z from 'zod';

const counts = { started: 0, running: 0, finished: 0, aborted: 0 };
/** Functions that release calls, by key. */
const waiting = new Map();

const wait = defineTool({
  name: 'wait',
  description: 'Runs until it is let go.',
  timeoutMs: 600_000,
  inputSchema: z.object({ key: z.string(), isTold: z.boolean() }),
  handler: async ({ input: { key, isTold }, context }) => {
    counts.started += 1;
    counts.running += 1;
    const { signal } = context;
    const over = new Promise((resolve) => {
      waiting.set(key, resolve);
      signal.addEventListener('abort', resolve, { once: true });
    });
    if (isTold) await context.progress(1, 2, `begun ${key}`);
    process.send({ began: key });
    if (!signal.aborted) await over;
    waiting.delete(key);
    counts.running -= 1;
    if (!signal.aborted) {
      counts.finished += 1;
      return `finished ${key}`;
    }
    counts.aborted += 1;
    process.send({ stopped: key });
    // Progress after a cancellation must not be sent.
    await context.progress(2, 2, `after ${key}`);
    await context.sendLog('info', `after ${key}`);
    return `after ${key}`;
  },
});

const echo = defineTool({
  name: 'echo',
  description: 'Gives back what it is told.',
  inputSchema: z.object({ text: z.string() }),
  handler: ({ input }) => input.text,
});

export const tools = [wait, echo];

process.on('message', (message) => {
  if (message === 'counts') process.send({ ...counts });
  if (message === 'release') for (const release of waiting.values()) release();
  if (message.release !== undefined) waiting.get(message.release)?.();
});
