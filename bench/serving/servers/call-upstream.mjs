import { ready } from './control.mjs';
import { specification } from './specification.mjs';

const { upstream } = specification;
/** Number of concurrent calls. */
const IN_FLIGHT = 16;
/** Number of calls between two readings of the clock. */
const BATCH = 320;
let next = 0;

/** Address of the items that every contender fetches. */
export const BASE_URL = `http://127.0.0.1:${upstream}`;

/**
 * Measures calls that fetch an item from an upstream server, in this process.
 *
 * @param {string} who
 * @param {(id: string) => Promise<{ content: readonly { type: string, text: string }[] }>} call
 */
export function measureCalls(who, call) {
  const run = async ({ ms }) => {
    let cpuUs = 0;
    let count = 0;
    do {
      cpuUs += await runBatch(who, call);
      count += BATCH;
    } while (cpuUs < ms * 1000);
    return { cpuUs: cpuUs / count };
  };
  ready({}, { run });
}

async function runBatch(who, call) {
  const ids = Array.from({ length: BATCH }, () => `item-${(next += 1)}`);
  const left = ids.values();
  const results = new Map();
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      // The lanes share one iterator, so that each takes the next item.
      for (const id of left) results.set(id, await call(id));
    }),
  );
  const { user, system } = process.cpuUsage(before);
  for (const id of ids) assertItem(who, results.get(id), id);
  return user + system;
}

function assertItem(who, result, id) {
  const text = result?.content?.[0]?.text;
  if (result?.isError !== true && text !== undefined && JSON.parse(text).id === id) return;
  throw new Error(`${who} fetched ${id} and returned ${JSON.stringify(result)?.slice(0, 300)}`);
}
