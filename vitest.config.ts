import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    typecheck: {
      enabled: true,
      checker: 'tsc',
      include: ['test/**/*.test-d.ts'],
      tsconfig: './tsconfig.json',
    },
    // Two cores on the smallest machine that runs this suite.
    maxWorkers: 2,
  },
});

export default config;
