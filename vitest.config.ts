import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

/**
 * Tests that neither depend on their process nor change it. Their files share one process, because loading all modules again for each file takes
 * longer than the tests. Put tests that replace modules, listen to the process or measure it elsewhere.
 */
const SHARING = [
  'format',
  'model',
  'openapi',
  'prompts',
  'registry',
  'schema',
  'stores',
  'tasks',
  'tools',
  'wire',
];
const sharing = [
  ...SHARING.map((folder) => `test/unit/${folder}/**/*.test.ts`),
  'test/contracts/**/*.test.ts',
  'servers/ynab/test/!(e2e)/**/*.test.ts',
  // Without the tests that start processes.
  'servers/ynab/test/e2e/!(process|statement-tools).test.ts',
];

const config: ViteUserConfig = defineConfig({
  test: {
    setupFiles: ['test/support/fast-check.ts'],
    // Many tests start processes, which is slow on a busy machine. No test waits for time to pass.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Two cores on the smallest machine that runs this suite.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts', 'servers/*/test/**/*.test.ts'],
          exclude: [...sharing, '**/node_modules/**'],
          typecheck: {
            enabled: true,
            checker: 'tsc',
            include: ['test/**/*.test-d.ts'],
            tsconfig: './tsconfig.json',
          },
        },
      },
      { extends: true, test: { name: 'sharing', include: sharing, isolate: false } },
    ],
  },
});

export default config;
