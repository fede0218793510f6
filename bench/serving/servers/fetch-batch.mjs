import { setImmediate } from 'node:timers/promises';
import { headersOf } from '../http-requests.mjs';
import { assertCall } from '../load/checks.mjs';
import { callMessages } from '../messages.mjs';
import { ready } from './control.mjs';
import { specification } from './specification.mjs';

const { size, era } = specification;
const messages = callMessages(size, era);
/** Number of requests per batch: created before the clock runs, read while it runs, checked after it. */
const BATCH = 200;
let next = 0;

/**
 * Measures a fetch handler in this process.
 *
 * @param {string} who
 * @param {(request: Request) => Promise<Response>} handle
 */
export function measureFetch(who, handle) {
  const run = async ({ ms }) => {
    let cpuUs = 0;
    let count = 0;
    do {
      cpuUs += await runBatch(who, handle);
      count += BATCH;
    } while (cpuUs < ms * 1000);
    return { cpuUs: cpuUs / count };
  };
  ready({}, { run });
}

async function runBatch(who, handle) {
  const batch = Array.from({ length: BATCH }, () => {
    next = (next + 1) % messages.length;
    return messages[next];
  });
  const requests = batch.map(toRequest);
  const texts = [];
  await setImmediate();
  const before = process.cpuUsage();
  for (const request of requests) {
    const response = await handle(request);
    texts.push(await response.text());
  }
  const { user, system } = process.cpuUsage(before);
  for (const [index, text] of texts.entries()) {
    const json = text.startsWith('{') ? text : /^data: (.*)$/m.exec(text)[1];
    assertCall(who, JSON.parse(json), batch[index]);
  }
  return user + system;
}

function toRequest(message) {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: headersOf(message, era),
    body: message.text,
  });
}
