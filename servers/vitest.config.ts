import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

/** The tests of one server, run alone: `npm test` in its folder. */
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Many tests start processes, which is slow on a busy machine. No test waits for time to pass.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default, one second, is too short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
  },
});

export default config;
