import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

/**
 * Folders of tests that neither depend on their process nor change it, each with the names of its files that do. All other files share one process,
 * because loading all modules again for each file takes longer than the tests. Put tests that replace modules, listen to the process or measure it elsewhere.
 */
const SHARING: Readonly<Record<string, string>> = {
  'test/contracts': '',
  'test/e2e/clients': 'stdio-process',
  'test/openapi': '',
  'test/protocol': 'stdio',
  'test/unit/auth': 'constant-time',
  'test/unit/config': 'settings',
  'test/unit/errors': 'error-watch|logger',
  'test/unit/format': '',
  'test/unit/middleware': 'chain|result-cache|timeout',
  'test/unit/model': '',
  'test/unit/openapi': '',
  'test/unit/outbound': 'request-limiter|response-room|tls-identity',
  'test/unit/pipeline': 'misbehaving-handlers',
  'test/unit/prompts': '',
  'test/unit/registry': '',
  'test/unit/resources': 'files-race|files-swapped|uri-template',
  'test/unit/schema': '',
  'test/unit/server': 'registering',
  'test/unit/stores': '',
  'test/unit/tasks': '',
  'test/unit/tools': '',
  'test/unit/transport': 'fetch-face|stdio-principal',
  'test/unit/wire': '',
  'servers/fitness/test': 'http|kill|process|load',
  'servers/ynab-api/test': 'kill|main|plans',
  'servers/ynab/test': 'process|statement-tools|transports',
};
const sharing = Object.entries(SHARING).map(([folder, alone]) =>
  alone === '' ? `${folder}/**/*.test.ts` : `${folder}/**/!(${alone}).test.ts`,
);

const config: ViteUserConfig = defineConfig({
  test: {
    globalSetup: ['test/support/scratch-of-run.ts'],
    setupFiles: ['test/support/fast-check.ts'],
    // Many tests start processes, which is slow on a busy machine. No test waits for time to pass.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default, one second, is too short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // One more than the cores of the smallest machine that runs this suite: many tests wait for processes that they started.
    maxWorkers: 3,
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
