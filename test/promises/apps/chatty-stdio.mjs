/** A server over stdio that writes to standard output whenever it can: when it starts, and in its tools. */
import { createServer, defineTool } from 'toolwright';
import { serveStdio } from 'toolwright/stdio';
import * as z from 'zod';

function chat(where) {
  console.log(`chatter of ${where}`);
  console.info(`{"chatter":"${where}"}`);
  process.stdout.write(`chatter without an end of ${where}`);
  process.stdout.write(Buffer.from('chatter in bytes\n'));
}

const echo = defineTool({
  name: 'echo',
  description: 'Gives back what it is told, and chats.',
  inputSchema: z.object({ text: z.string() }),
  handler: async ({ input }) => {
    chat('a call');
    await Promise.resolve();
    queueMicrotask(() => chat('a microtask'));
    setImmediate(() => chat('after a call'));
    return input.text.length > 1000 ? `${input.text.length} characters` : input.text;
  },
});
const server = createServer({ name: 'chatty', version: '1.0.0', tools: [echo], rateLimit: false });
serveStdio(server);
chat('the start');
process.send({ ready: true });
