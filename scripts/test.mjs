/**
 * `npm test`: installs, builds, type-checks, lints, and runs every test and the official conformance suites, also in a fresh clone. The last
 * line counts checks, tests and scenarios: `N passed, N failed`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertNode, build, ensureInstalled, install, root, runTool } from './steps.mjs';
import { CHECKS, PACKAGE_CHECKS, runChecks } from './check.mjs';
import { runConformance } from './conformance.mjs';

assertNode();
ensureInstalled();

const total = runChecks([['build (tsc)', () => build({ capture: true })], ...CHECKS, ...PACKAGE_CHECKS]);
for (const { passed, failed } of [runTests(), await runConformance()]) {
  total.passed += passed;
  total.failed += failed;
}
process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed`);

function runTests() {
  if (!install(join(root, 'test/auth-server'))) {
    console.error('npm ci failed in test/auth-server; see above. The tests of the OAuth flow need it.');
    return { passed: 0, failed: 1 };
  }
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-test-'));
  const report = join(folder, 'report.json');
  try {
    const { ok } = runTool('vitest', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]);
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
    // Counts failures outside tests: a file that cannot be loaded, or an unhandled rejection.
    const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
    return { passed: numPassedTests, failed: failed > 0 ? failed : Number(!ok || numPassedTests === 0) };
  } catch (error) {
    console.error(`vitest wrote no report: ${String(error)}`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
