/** The fetch handler behind the server of Deno. */
import { toFetchHandler } from 'toolwright/fetch';
import { createMatrixServer } from './server.mjs';

const server = createMatrixServer();
const handle = toFetchHandler(server);
const running = Deno.serve(
  {
    hostname: '127.0.0.1',
    port: 0,
    onListen: ({ hostname, port }) => console.log(`http://${hostname}:${port}/mcp`),
  },
  (request) => handle(request),
);
const stop = async () => {
  Deno.removeSignalListener('SIGTERM', stop);
  await handle.close();
  await server.close();
  await running.shutdown();
};
Deno.addSignalListener('SIGTERM', stop);
