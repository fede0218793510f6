/** Sends the same bytes for every request: the minimum cost of a list. */
import { readFileSync } from 'node:fs';
import { listenBare } from './bare-http.mjs';
import { specification } from './specification.mjs';

const bytes = readFileSync(specification.file);
const headers = { 'content-type': 'application/json', 'content-length': bytes.length };

listenBare((_body, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
