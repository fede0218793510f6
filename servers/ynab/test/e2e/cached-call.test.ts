import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const BENCH = fileURLToPath(new URL('../../bench/cached-call.mjs', import.meta.url));

/** CPU time of calls that alternate in one process, so that other processes slow both down alike. */
test('a call from the cache costs at most three times a bare tool call', { timeout: 120_000 }, () => {
  const printed = execFileSync(process.execPath, [BENCH, '60', '200'], {
    encoding: 'utf8',
    timeout: 110_000,
  });
  const ratios = [...printed.matchAll(/ratio ([\d.]+)/g)].map(([, ratio]) => Number(ratio));
  expect(ratios, printed).toHaveLength(2);
  for (const ratio of ratios) expect(ratio, printed).toBeLessThanOrEqual(3);
});
