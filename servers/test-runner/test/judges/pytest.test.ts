/**
 * Outcomes of test suites that others wrote, compared with what `pytest -rA --junitxml` of the same interpreter says: the tests of toolz, a
 * part of those of networkx (all of them take minutes), and modules of the tests of Python itself.
 */
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestOutcome } from '../../src/domain/test-run.ts';
import { installDebianPackages } from '../support/debian.ts';
import { readJunit, toJunitName } from '../support/junit.ts';
import type { JunitCase } from '../support/junit.ts';
import { createProject, createRunner } from '../support/project.ts';
import { listInterpreters } from '../support/pytest.ts';
import type { PytestInterpreter } from '../support/pytest.ts';

const PACKAGES = '/usr/lib/python3/dist-packages';
/** Each with the files that it needs, what runs, and the least number of tests, so that a suite that moved is noticed. */
const SUITES = [
  { name: 'toolz', copy: [[`${PACKAGES}/toolz`, 'toolz']], run: ['toolz'], least: 150 },
  {
    name: 'networkx',
    copy: [[`${PACKAGES}/networkx`, 'networkx']],
    run: [
      'networkx/algorithms/tests/test_cycles.py',
      'networkx/algorithms/tests/test_dag.py',
      'networkx/algorithms/tests/test_euler.py',
      'networkx/classes/tests/test_digraph.py',
      'networkx/classes/tests/test_filters.py',
      'networkx/classes/tests/test_function.py',
      // Modules that skip themselves.
      'networkx/drawing/tests/test_agraph.py',
      'networkx/drawing/tests/test_pydot.py',
      'networkx/readwrite/tests/test_gml.py',
      'networkx/utils',
    ],
    least: 300,
  },
  {
    name: 'libpython3.11-testsuite',
    // Failed tests are in the first, skipped ones and errors in the second.
    copy: [
      ['/usr/lib/python3.11/test/test_heapq.py', 'test_heapq.py'],
      ['/usr/lib/python3.11/test/test_enum.py', 'test_enum.py'],
    ],
    run: ['test_heapq.py', 'test_enum.py'],
    least: 600,
  },
] as const;

await installDebianPackages(['python3-networkx', 'python3-toolz', 'libpython3.11-testsuite']);
const interpreters = await listInterpreters();
console.log(`pytest ${interpreters.map(({ version, path }) => `${version} (${path})`).join(', ')}`);

/** The outcomes that pytest itself reports, by JUnit name. */
async function listReported(python: string, project: string, paths: readonly string[]) {
  const file = join(project, 'junit.xml');
  const args = ['-m', 'pytest', '-rA', '--color=no', `--junitxml=${file}`, `--rootdir=${project}`, ...paths];
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', COLUMNS: '1000' };
  const options = { cwd: project, env, maxBuffer: 256_000_000 };
  const output = await new Promise<string>((resolve) => {
    // Failed tests end it with exit code 1.
    execFile(python, args, options, (_error, stdout) => resolve(stdout));
  });
  const unexpected = new Set([...output.matchAll(/^XPASS (\S+)/gm)].map(([, id = '']) => toJunitName(id)));
  const cases = await readJunit(python, file);
  const reported = cases.map((item) => {
    // A module that skips itself has no class.
    const name = item.classname === '' ? item.name : `${item.classname}.${item.name}`;
    return [name, toOutcome(item, unexpected.has(name))] as const;
  });
  return reported.toSorted(byName);
}

function toOutcome({ children }: JunitCase, isUnexpected: boolean): TestOutcome {
  const [[tag, type] = [undefined, null]] = children;
  if (tag === 'failure') return 'failed';
  if (tag === 'error') return 'error';
  if (tag === 'skipped') return type === 'pytest.xfail' ? 'xfailed' : 'skipped';
  return isUnexpected ? 'xpassed' : 'passed';
}

function byName([first]: readonly [string, string], [second]: readonly [string, string]): number {
  return first < second ? -1 : Number(first > second);
}

async function listOurs({ path }: PytestInterpreter, project: string, node_ids: readonly string[]) {
  const result = await createRunner(path, project).run({ node_ids });
  if (result.kind === 'error') throw new Error(`${result.message}\n${result.stdout}`);
  return result.tests
    .map(({ node_id, outcome }) => [toJunitName(node_id), outcome] as const)
    .toSorted(byName);
}

test.each(SUITES.flatMap((suite) => interpreters.map((interpreter) => ({ ...suite, interpreter }))))(
  'outcomes of $name with pytest $interpreter.version are those of pytest itself',
  async ({ copy, run, least, interpreter }) => {
    const createCopy = () => {
      const project = createProject({});
      for (const [from, to] of copy) {
        const filter = (path: string) => !path.includes('__pycache__');
        cpSync(from, join(project, to), { recursive: true, dereference: true, filter });
      }
      return project;
    };
    const [ours, reported] = await Promise.all([
      listOurs(interpreter, createCopy(), run),
      listReported(interpreter.path, createCopy(), run),
    ]);
    expect(ours.length).toBeGreaterThan(least);
    expect(ours).toEqual(reported);
  },
  120_000,
);
