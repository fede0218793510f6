/** The baseline: a call with ten progress notifications and the result, as an event stream. */
import { STEPS } from '../constants.mjs';
import { listenBare } from './bare-http.mjs';
import { answer } from './floor.mjs';

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

listenBare((body, response) => void respond(body, response));

async function respond(body, response) {
  const { progressToken } = JSON.parse(body).params._meta;
  const result = answer(body);
  response.writeHead(200, headers);
  for (let progress = 1; progress <= STEPS; progress += 1) {
    // A handler awaits each of them.
    await Promise.resolve();
    const params = { progressToken, progress, total: STEPS, message: `step ${progress}` };
    send(response, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  }
  send(response, await result);
  response.end();
}

function send(response, text) {
  response.write(`event: message\ndata: ${text}\n\n`);
}
