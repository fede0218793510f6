import { join } from 'node:path';
import { expect } from 'vitest';
import { ATTACKS, attackMemory, formatMemory, memoryFigures } from '../../scripts/soak/memory/index.mjs';
import type { Weakness } from './support/child-server.ts';
import { isLong, promise } from './support/promise.ts';

const COMPANION = join(import.meta.dirname, 'support/companion.mjs');

/** All attacks at once, on a server with a heap of 256 MB. The long form: `npm run soak -- --only memory`. */
async function expectUnharmed(attacks: readonly string[], without: readonly Weakness[]): Promise<void> {
  const found = await attackMemory({
    attacks,
    seconds: isLong ? 60 : 12,
    keptMs: isLong ? 20_000 : 10_000,
    execArgv: ['--import', COMPANION],
    env: { TOOLWRIGHT_WITHOUT: JSON.stringify(without) },
  });
  const isTimed = isLong;
  const broken = memoryFigures(found, { isTimed }).filter(([, , , holds]) => !holds);
  expect(
    broken.map(([what, value, promised]) => `${what}: ${value} (promised: ${promised})`),
    formatMemory(found, { isTimed }),
  ).toEqual([]);
}

promise('memory is budgeted', {
  timeoutMs: 180_000,
  checks: {
    'every attack at once': (without) => expectUnharmed(Object.keys(ATTACKS), without),
  },
  switches: [
    {
      defence: 'the memory budget',
      off: [
        {
          module: 'stores/memory-budget.js',
          find: 'take(bytes, owner, isSmall = bytes <= SMALL_BYTES) {',
          replace: 'take(bytes, owner, isSmall = bytes <= SMALL_BYTES) { return true;',
        },
      ],
      check: 'every attack at once',
      red: /the server: SIGABRT|heap and external memory at their highest/,
    },
  ],
});
