/**
 * `npm run conformance`: runs the official conformance suites and the Inspector against `servers/everything`. Builds first, unless
 * `--built`; installs its dependencies only in `conformance/`.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newerNode } from '../conformance/execute.mjs';
import { callWithInspector } from '../conformance/inspector.mjs';
import { formatReports, runSuites } from '../conformance/suites.mjs';
import { startServer } from './server-process.mjs';
import { assertNode, build, ensureInstalled, install, root } from './steps.mjs';

const SERVER = join(root, 'servers/everything/dist/main.js');

/** Runs everything against the built server, prints the results, and counts scenarios and calls. */
export async function runConformance() {
  if (!install(join(root, 'conformance')) || !existsSync(newerNode)) {
    console.error('The dependencies of conformance/ could not be installed; see above.');
    return { passed: 0, failed: 1 };
  }
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-conformance-'));
  try {
    return await runAgainstServer(folder);
  } catch (error) {
    console.error(`Conformance could not be tested: ${String(error)}`);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runAgainstServer(folder) {
  const server = await startServer([process.execPath, SERVER], { ...process.env, PORT: '0' });
  const problems = [];
  let passed = 0;
  try {
    const reports = await runSuites(server.url, folder);
    console.log(formatReports(reports));
    const command = [process.execPath, SERVER, '--stdio'];
    const calls = await callWithInspector({ url: server.url, command, home: folder });
    console.log(`inspector: ${calls.passed} calls passed, ${calls.problems.length} failed`);
    for (const problem of calls.problems) console.log(`FAILED ${problem}`);
    problems.push(...reports.flatMap((report) => report.problems), ...calls.problems);
    passed = reports.reduce((sum, report) => sum + report.passed, calls.passed);
  } finally {
    const left = await server.stop();
    for (const problem of left) console.log(`FAILED ${problem}`);
    problems.push(...left);
  }
  if (problems.length > 0) console.log(server.log());
  return { passed, failed: problems.length };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  assertNode();
  ensureInstalled();
  if (!process.argv.includes('--built') && !build().ok) process.exit(1);
  const { passed, failed } = await runConformance();
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
