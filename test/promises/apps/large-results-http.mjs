/** A tool with a result of 4 MB, and one with a small one. Over HTTP. */
import { createServer, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import * as z from 'zod';

const tool = (name, handler) => defineTool({ name, description: name, inputSchema: z.object({}), handler });
const server = createServer({
  name: 'large-results',
  version: '1.0.0',
  rateLimit: false,
  tools: [
    // A new string each time: strings that share their characters would cost nothing to keep.
    tool('large', () => Buffer.alloc(4_000_000, 'x').toString('latin1')),
    tool('small', () => 'small'),
  ],
});
process.send({ port: (await serveHttp(server, { port: 0 })).port });
