/** Outcomes of unit tests of this repository, compared with what vitest's JSON reporter says about the same files. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createProject } from '../support/project.ts';
import { createVitestRunner } from '../support/vitest.ts';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');
/** A part, so that the test is quick: some folders, of both vitest projects of the repository. */
const FOLDERS = ['test/unit/errors', 'test/unit/format', 'test/unit/model'];
const LEAST = 400;

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** A node id and an outcome. No title of these files has a `>` that stands alone. */
type Outcome = readonly [string, string];

async function listReported(): Promise<readonly Outcome[]> {
  const file = join(createProject({}), 'report.json');
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const args = [
    vitest,
    'run',
    '--reporter=json',
    `--outputFile=${file}`,
    ...FOLDERS.map((folder) => `${folder}/`),
  ];
  const { PATH, HOME } = process.env;
  await new Promise((resolve) => {
    // Failed tests end it with exit code 1.
    execFile(process.execPath, args, { cwd: REPOSITORY, env: { PATH, HOME, NO_COLOR: '1' } }, resolve);
  });
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JsonReport;
  const counts = new Map<string, number>();
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }): Outcome => {
      const node_id = [relative(REPOSITORY, name), ...ancestorTitles, title].join(' > ');
      // A table has the same row twice.
      const count = (counts.get(node_id) ?? 0) + 1;
      counts.set(node_id, count);
      const outcome = status === 'todo' ? 'skipped' : status;
      return [count === 1 ? node_id : `${node_id} [${count}]`, outcome];
    }),
  );
}

async function listOurs(): Promise<readonly Outcome[]> {
  const result = await createVitestRunner(REPOSITORY).run({ node_ids: FOLDERS });
  if (result.kind === 'error') throw new Error(`${result.message}\n${result.stderr}`);
  return result.tests.map(({ node_id, outcome }): Outcome => [node_id, outcome]);
}

test('outcomes of unit tests of this repository are those of the JSON reporter', async () => {
  const [ours, reported] = await Promise.all([listOurs(), listReported()]);
  const sorted = (outcomes: readonly Outcome[]) =>
    outcomes.toSorted(([first], [second]) => (first < second ? -1 : Number(first > second)));
  expect(ours.length).toBeGreaterThan(LEAST);
  expect(sorted(ours)).toEqual(sorted(reported));
}, 120_000);
