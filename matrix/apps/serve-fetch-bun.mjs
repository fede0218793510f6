/** The fetch handler behind the server of Bun. */
import process from 'node:process';
import { toFetchHandler } from 'toolwright/fetch';
import { createMatrixServer } from './server.mjs';

const server = createMatrixServer();
const handle = toFetchHandler(server);
const running = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => handle(request) });
console.log(new URL('/mcp', running.url).href);
const stop = async () => {
  await handle.close();
  await server.close();
  await running.stop();
};
process.once('SIGTERM', () => void stop());
