/**
 * A server over HTTP with one tool that repeats its text, as often and as late as requested, in results, progress, logs and notifications.
 * Subscribers are notified that the resource has changed.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { createServer, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

const mirror = defineTool({
  name: 'mirror',
  description: 'Says back what it is told.',
  inputSchema: z.object({
    text: z.string(),
    times: z.number(),
    delayMs: z.number(),
    uri: z.string().optional(),
  }),
  handler: async ({ input: { text, times, delayMs, uri }, context }) => {
    for (let time = 1; time <= times; time += 1) {
      await context.progress(time, times, text);
      await context.sendLog('info', text);
      await (delayMs === 0 ? setImmediate() : setTimeout(delayMs));
    }
    if (times === 0) await (delayMs === 0 ? setImmediate() : setTimeout(delayMs));
    if (uri !== undefined) server.resources.notifyUpdated(uri);
    return text;
  },
});
const server = createServer({
  name: 'mirror',
  version: '1.0.0',
  tools: [mirror],
  resources: [{ uriTemplate: 'mirror://{client}', name: 'client', contentProvider: () => '' }],
  rateLimit: false,
});
const { port } = await serveHttp(server, { port: 0 });
process.send({ port });
