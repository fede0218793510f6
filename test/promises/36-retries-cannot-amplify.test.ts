import { expect } from 'vitest';
import { startAsking } from './support/asking.ts';
import type { Weakness } from './support/weaken.ts';
import { isLong, promise } from './support/promise.ts';

const CALLS = isLong ? 2000 : 200;
/** Fewer than the consecutive failures that open the circuit breaker, or half of them could open it by chance. */
const AT_ONCE = 4;

const IMPORTED = 'nor those of an operation of a document';

promise('retries cannot amplify', {
  checks: {
    'with a tenth, a half or all requests failing': check,
    [IMPORTED]: (without) => check(without, 'imported-http.mjs'),
  },
  timeoutMs: isLong ? 600_000 : 180_000,
  switches: [
    {
      defence: 'a budget for retries',
      off: [{ module: 'middleware/parts/retry-budget.js', defence: 'budget-of-retries' }],
      red: /requests where every second fails/,
    },
  ],
});

async function check(without: readonly Weakness[], app?: 'imported-http.mjs'): Promise<void> {
  let received = 0;
  let fails: (count: number) => boolean = () => false;
  const { call } = await startAsking(
    (_request, response) => {
      received += 1;
      response.writeHead(fails(received) ? 503 : 200, { 'content-type': 'text/plain' });
      response.end('x');
    },
    without,
    app,
  );
  const countOf = async (isFailing: (count: number) => boolean): Promise<number> => {
    received = 0;
    fails = isFailing;
    let left = CALLS;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await call('ask', { what: 'x' });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return received;
  };
  expect(await countOf((count) => count % 10 === 0), 'requests where every tenth fails').toBeLessThanOrEqual(
    CALLS * 1.1 + 2,
  );
  expect(await countOf((count) => count % 2 === 0), 'requests where every second fails').toBeLessThanOrEqual(
    CALLS * 1.1 + 2,
  );
  expect(await countOf(() => true), 'requests where all fail').toBeLessThanOrEqual(CALLS * 1.2);
}
