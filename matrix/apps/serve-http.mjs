/** Serves over HTTP, the endpoints of 2024-11-05 included. Prints the URL; on SIGTERM it closes the server and exits. */
import process from 'node:process';
import { serveHttp } from 'toolwright/http';
import { createMatrixServer } from './server.mjs';

const server = createMatrixServer();
const running = await serveHttp(server, { port: 0, sse: true });
console.log(running.url);
const stop = async () => {
  await running.close();
  await server.close();
};
process.once('SIGTERM', () => void stop());
