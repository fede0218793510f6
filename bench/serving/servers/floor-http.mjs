/** The baseline: the minimum work of a server for a call over HTTP. */
import { listenBare } from './bare-http.mjs';
import { answer } from './floor.mjs';

listenBare((body, response) => void respond(body, response));

async function respond(body, response) {
  const text = await answer(body);
  if (text === undefined) return response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
