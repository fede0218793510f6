import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fast-check.ts'],
    typecheck: {
      enabled: true,
      checker: 'tsc',
      include: ['test/**/*.test-d.ts'],
      tsconfig: './tsconfig.json',
    },
    // Many tests start processes; on a busy machine that takes its time. No test waits for time to pass.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores on the smallest machine that runs this suite.
    maxWorkers: 2,
  },
});

export default config;
