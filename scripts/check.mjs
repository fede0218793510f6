/** The checks that are not tests. `npm run check` runs them alone, `npm test` runs them first. */
import { pathToFileURL } from 'node:url';
import { assertNode, ensureInstalled, runTool } from './steps.mjs';

/** Checks by name. Each fails if it finds no input. */
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

/** Checks of the package as it is published; they need a build. */
export const PACKAGE_CHECKS = [
  ['package (publint)', () => runTool('publint', ['--strict'], { capture: true })],
  [
    'package types (attw)',
    // All module resolutions of TypeScript. In CommonJS, `require` of this ES module works on every supported version of Node.
    () =>
      runTool(
        '@arethetypeswrong/cli',
        ['--pack', '.', '--ignore-rules', 'cjs-resolves-to-esm', '--exclude-entrypoints', ...JSON_FILES],
        { capture: true },
      ),
  ],
];

/** Runs checks, prints a line for each and the output of failed ones, and returns the counts. */
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
