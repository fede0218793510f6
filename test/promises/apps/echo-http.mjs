/** A server over HTTP with a tool that returns its argument, and one that waits until it is released. */
import { createServer, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

let handled = 0;
const echo = defineTool({
  name: 'echo',
  description: 'Gives back what it is told.',
  inputSchema: z.object({ text: z.string() }),
  handler: ({ input }) => {
    handled += 1;
    return input.text;
  },
});
const server = createServer({ name: 'echo', version: '1.0.0', tools: [echo], rateLimit: false });
const { port } = await serveHttp(server, { port: 0, healthPath: '/health' });
process.on('message', (message) => {
  if (message === 'handled') process.send({ handled });
});
process.send({ port });
