/** The official suites: how they are run, and what counts as passed. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, installed } from './execute.mjs';

const NEWEST = installed('@modelcontextprotocol/conformance/dist/index.js');
const RELEASED = installed('conformance-0-1/dist/index.js');

/** What is run. Fewer scenarios or fewer successful checks than here: the suite has stopped looking at something. */
const RUNS = [
  { name: 'suite all', script: NEWEST, args: ['--suite', 'all'], scenarios: 65, checks: 233 },
  {
    name: 'requirements 2025-11-25',
    script: NEWEST,
    args: ['--requirements', '2025-11-25'],
    scenarios: 33,
    checks: 83,
  },
  {
    name: 'requirements 2026-07-28',
    script: NEWEST,
    args: ['--requirements', '2026-07-28'],
    scenarios: 50,
    checks: 196,
  },
  { name: '0.1.16, default suite', script: RELEASED, args: [], scenarios: 30, checks: 39 },
];

/** The scenarios that may skip, and why. One that no longer skips must go from this list. */
const EXPECTED_SKIPS = new Map([['tasks-status-notifications', 'the suite itself only skips it']]);

/** A check that every scenario has, whatever else it does. */
const COMMON_CHECK = 'wire-schema-valid';

/** Runs all suites, one after another: they listen for changes that others would make. */
export async function runSuites(url, folder) {
  const reports = [];
  for (const run of RUNS) {
    const output = join(folder, run.name.replaceAll(/\W+/g, '-'));
    mkdirSync(output);
    const result = await execute(run.script, ['server', '--url', url, ...run.args, '-o', output]);
    reports.push(judge(run, result, readScenarios(output)));
  }
  return reports;
}

/** The checks of each scenario, from what the suite has written: one folder each, with a time in its name. */
function readScenarios(output) {
  return new Map(
    readdirSync(output).map((entry) => [
      entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\dZ-]+$/, ''),
      JSON.parse(readFileSync(join(output, entry, 'checks.json'), 'utf8')),
    ]),
  );
}

function judge(run, { code, stdout, stderr }, scenarios) {
  const counts = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0, INFO: 0 };
  const problems = [];
  const onlySkipped = [];
  let passed = 0;
  for (const [name, checks] of scenarios) {
    for (const { status } of checks) counts[status] += 1;
    if (isOnlySkipped(checks)) onlySkipped.push(name);
    const found = findProblems(name, checks);
    problems.push(...found.slice(0, 1).map((problem) => `${name}: ${problem}`));
    if (found.length === 0) passed += 1;
  }
  const started = Array.from(stdout.matchAll(/=== Running scenario: (\S+) ===/g), ([, name]) => name);
  for (const name of started) if (!scenarios.has(name)) problems.push(`${name}: it left no report`);
  if (scenarios.size < run.scenarios)
    problems.push(`${scenarios.size} scenarios; there should be ${run.scenarios}`);
  if (counts.SUCCESS < run.checks && problems.length === 0)
    problems.push(`${counts.SUCCESS} successful checks; there should be ${run.checks}`);
  if (code !== 0 && problems.length === 0) problems.push(`exit code ${code}: ${stderr.slice(0, 2000)}`);
  return { name: run.name, scenarios: scenarios.size, counts, onlySkipped, passed, problems };
}

function isOnlySkipped(checks) {
  return !checks.some(({ id, status }) => status !== 'SKIPPED' && id !== COMMON_CHECK);
}

/** Warnings are failures too, and so is whatever skips without being expected to. */
function findProblems(name, checks) {
  const found = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ status, id, errorMessage = '' }) => `${status} ${id} ${errorMessage}`);
  const isProven = checks.some(({ id, status }) => status === 'SUCCESS' && id !== COMMON_CHECK);
  if (EXPECTED_SKIPS.has(name)) {
    if (!isOnlySkipped(checks)) found.push('it no longer skips; take it from the list of those that do');
    return found;
  }
  if (!isProven) found.push('nothing of it succeeded');
  const skipped = checks.filter(({ status }) => status === 'SKIPPED').map(({ id }) => id);
  if (skipped.length > 0) found.push(`skipped unexpectedly: ${skipped.join(', ')}`);
  return found;
}

/** A table for people: what ran, what came of it, and what was not looked at. */
export function formatReports(reports) {
  const rows = [
    ['run', 'scenarios', 'passed', 'failed', 'warnings', 'skipped'],
    ...reports.map(({ name, scenarios, counts: { SUCCESS, FAILURE, WARNING, SKIPPED } }) =>
      [name, scenarios, SUCCESS, FAILURE, WARNING, SKIPPED].map(String),
    ),
  ];
  const table = rows.map(
    ([name, ...numbers]) => name.padEnd(24) + numbers.map((text) => text.padStart(10)).join(''),
  );
  const skipped = new Set(reports.flatMap(({ onlySkipped }) => onlySkipped));
  const reasons = Array.from(
    skipped,
    (name) => `only skips: ${name} (${EXPECTED_SKIPS.get(name) ?? 'not expected'})`,
  );
  const problems = reports.flatMap(({ name, problems }) =>
    problems.map((problem) => `FAILED ${name}: ${problem}`),
  );
  return [...table, ...reasons, ...problems].join('\n');
}
