/** The checks that are not tests. `npm run check` runs them alone, `npm test` runs them first. */
import { pathToFileURL } from 'node:url';
import { assertNode, ensureInstalled, runTool } from './steps.mjs';

/** Name, and how to run it. Each fails when it finds nothing to look at. */
export const CHECKS = [
  ['types (tsc)', () => runTool('typescript', ['-p', 'tsconfig.json'], { capture: true })],
  [
    'lint (oxlint, type-aware)',
    () => runTool('oxlint', ['--type-aware', '--deny-warnings'], { capture: true }),
  ],
  ['format (oxfmt)', () => runTool('oxfmt', ['--check'], { capture: true })],
  ['dead code (knip)', () => runTool('knip', [], { capture: true })],
];

const JSON_FILES = ['config.schema.json', 'package.json'];

/** The checks of the package as it would be published; they need a build. */
export const PACKAGE_CHECKS = [
  ['package (publint)', () => runTool('publint', ['--strict'], { capture: true })],
  [
    'package types (attw)',
    // Every way in which TypeScript resolves modules. From CommonJS, `require` of this ES module works on every Node that is served.
    () =>
      runTool(
        '@arethetypeswrong/cli',
        ['--pack', '.', '--ignore-rules', 'cjs-resolves-to-esm', '--exclude-entrypoints', ...JSON_FILES],
        { capture: true },
      ),
  ],
];

/** Runs checks, prints a line for each and the output of those that fail; returns how many passed and failed. */
export function runChecks(checks) {
  const counts = { passed: 0, failed: 0 };
  for (const [name, check] of checks) {
    const { ok, output } = check();
    counts[ok ? 'passed' : 'failed'] += 1;
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}`);
    if (!ok) console.log(output);
  }
  return counts;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  assertNode();
  ensureInstalled();
  process.exitCode = runChecks(CHECKS).failed === 0 ? 0 : 1;
}
