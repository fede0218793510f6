import { createServer } from 'node:http';
import { ready } from './control.mjs';

/**
 * The minimum of `node:http`: reads a body and responds.
 *
 * @param {(body: string, response: import('node:http').ServerResponse) => void} answer
 */
export function listenBare(answer) {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      answer(chunks.length === 1 ? chunks[0].toString() : Buffer.concat(chunks).toString(), response);
    });
  });
  listen(server);
}

/**
 * Listens on a free local port, and reports it to the benchmark.
 *
 * @param {import('node:http').Server} server
 */
export function listen(server) {
  server.listen(0, '127.0.0.1', () => ready({ port: server.address().port }));
}
