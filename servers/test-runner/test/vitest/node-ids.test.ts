import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { RunError, RunResult } from '../../src/domain/test-run.ts';
import { createVitestProject, createVitestRunner } from '../support/vitest.ts';

// Each test starts vitest, some several times; a busy machine needs seconds for each.
vi.setConfig({ testTimeout: 120_000 });

/** The compiler of this repository. */
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
const IMPORT = "import { describe, test } from 'vitest';\n";

function asResult(outcome: RunResult | RunError): RunResult {
  if (outcome.kind === 'error') throw new Error(`${outcome.message}\n${outcome.stderr}`);
  return outcome;
}

const toOutcomes = ({ tests }: RunResult) =>
  Object.fromEntries(tests.map(({ node_id, outcome }) => [node_id, outcome]));

const listIds = ({ tests }: RunResult) => tests.map(({ node_id }) => node_id);

/** Tests whose titles look like separators, numbers, patterns and arguments; each title is one test of one file, in this order. */
const TITLES = [
  'a > b',
  String.raw`a \> b`,
  String.raw`a \\> b`,
  '> b',
  'a >',
  '>',
  '',
  ' ',
  ' a ',
  'a',
  'a',
  'a [2]',
  '[x]',
  'größe ✓ 🧪 é',
  '.*(regex|chars)+? ^$ {1} \\d',
  '"double" \'single\' `back`',
  '--version',
  '-t',
  '@file',
  'tab\tand\nline',
  'nul \0 character',
  'lone \uD800 surrogate',
  '../../etc/passwd',
  '$HOME $(id) %s',
  'x'.repeat(5_000),
];

test('ids come back exactly and can be sent back, one at a time and together', async () => {
  const file = 'ünï > côde/t ä [b].test.ts';
  const project = createVitestProject({
    [file]: [
      IMPORT,
      `for (const title of ${JSON.stringify(TITLES)}) test(title, () => {});`,
      `describe('a', () => { test('b', () => {}); test('b c', () => {}); describe('> b', () => { test('c', () => {}); }); });`,
      `describe('a b', () => { test('c', () => {}); });`,
    ].join('\n'),
    'other.test.ts': `${IMPORT}test('a', () => {});`,
  });
  const runner = createVitestRunner(project);
  const found = await runner.discover({});
  if (found.kind === 'error') throw new Error(found.message);
  const ids = found.tests.map(({ node_id }) => node_id);
  expect(found.tests.map((item) => [...item.class_path, item.function]).slice(1)).toEqual([
    ...TITLES.map((title) => [title]),
    ['a', 'b'],
    ['a', 'b c'],
    ['a', '> b', 'c'],
    ['a b', 'c'],
  ]);
  const prefix = String.raw`ünï \> côde/t ä [b].test.ts`;
  expect(ids.slice(0, 4)).toEqual([
    'other.test.ts > a',
    String.raw`${prefix} > a \> b`,
    String.raw`${prefix} > a \\> b`,
    String.raw`${prefix} > a \\\> b`,
  ]);
  expect(ids.slice(10, 13)).toEqual([`${prefix} > a`, `${prefix} > a [2]`, `${prefix} > a [2] [2]`]);
  expect(new Set(ids).size).toBe(ids.length);
  const together = asResult(await runner.run({ node_ids: ids.slice(1) }));
  expect(listIds(together)).toEqual(ids.slice(1));
  // One test of each kind of ambiguity.
  for (const id of [ids[1], ids[11], ids[15], ids[21], ids.at(-1)].filter((item) => item !== undefined)) {
    expect(listIds(asResult(await runner.run({ node_ids: [id] })))).toEqual([id]);
  }
});

test('only the tests of the ids run, with the hooks of their suites', async () => {
  const project = createVitestProject({
    'a.test.ts': `import { appendFileSync } from 'node:fs';
      import { beforeAll, describe, test } from 'vitest';
      const mark = (text: string) => appendFileSync('ran.txt', text + '\\n');
      describe('a b', () => { beforeAll(() => mark('hook 1')); test('c', () => mark('1')); });
      describe('a', () => { beforeAll(() => mark('hook 2')); test('b c', () => mark('2')); test('d', () => mark('3')); });
      test('a b c', () => mark('4'));
      test('log', () => {});
    `,
    'b.test.ts': `import { appendFileSync } from 'node:fs';\n${IMPORT}test('x', () => appendFileSync('ran.txt', '5'));`,
  });
  const result = asResult(await createVitestRunner(project).run({ node_ids: ['a.test.ts > a > b c'] }));
  expect(listIds(result)).toEqual(['a.test.ts > a > b c']);
  expect(readFileSync(`${project}/ran.txt`, 'utf8')).toBe('hook 2\n2\n');
});

test('an id of a suite, file or folder names all its tests', async () => {
  const project = createVitestProject({
    'x/a.test.ts': `${IMPORT}describe('s', () => { test('1', () => {}); describe('t', () => test('2', () => {})); }); test('s2', () => {});`,
    'x/b.test.ts': `${IMPORT}test('3', () => {});`,
    'xy/c.test.ts': `${IMPORT}test('4', () => {});`,
  });
  const runner = createVitestRunner(project);
  const run = async (...node_ids: string[]) => listIds(asResult(await runner.run({ node_ids }))).toSorted();
  expect(await run('x/a.test.ts > s')).toEqual(['x/a.test.ts > s > 1', 'x/a.test.ts > s > t > 2']);
  expect(await run('./x/../x/a.test.ts > s > t', 'x/b.test.ts')).toEqual([
    'x/a.test.ts > s > t > 2',
    'x/b.test.ts > 3',
  ]);
  expect(await run('x', `${project}/xy/c.test.ts`, 'x/a.test.ts > s2')).toHaveLength(5);
});

test('ids that name nothing are an error that lists them, and nothing runs', async () => {
  const project = createVitestProject({
    'a.test.ts': `${IMPORT}test('a', () => { throw new Error('ran'); });`,
    'lib.ts': '',
  });
  const node_ids = ['a.test.ts > a', 'a.test.ts > b', 'a.test.ts > a > ', 'lib.ts'];
  expect(await createVitestRunner(project).run({ node_ids })).toMatchObject({
    kind: 'error',
    reason: 'usage_error',
    exit_code: 4,
    tests: [],
    message:
      'No tests found for "a.test.ts > b", "a.test.ts > a > ", "lib.ts". Discover the tests, and use the node ids of the result.',
  });
});

test('a file of several vitest projects has an id for each, and type tests have ids too', async () => {
  const project = createVitestProject({
    'vitest.config.ts': `export default { test: { projects: [
      { test: { name: 'one', include: ['*.test.ts'], typecheck: { enabled: true, checker: '${TSC}', include: ['*.test-d.ts'] } } },
      { test: { name: 'two', include: ['a.test.ts'] } },
    ] } };`,
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"nodenext","noEmit":true,"skipLibCheck":true}}',
    'a.test.ts': `${IMPORT}test('a', () => {});`,
    'b.test.ts': `${IMPORT}test('b', () => {});`,
    'c.test-d.ts': `${IMPORT}import { expectTypeOf } from 'vitest';\ntest('good', () => expectTypeOf('a').toEqualTypeOf<string>());\ntest('bad', () => expectTypeOf(1).toEqualTypeOf<string>());`,
  });
  const runner = createVitestRunner(project);
  const all = asResult(await runner.run({}));
  expect(toOutcomes(all)).toEqual({
    'a.test.ts > [one] > a': 'passed',
    'a.test.ts > [two] > a': 'passed',
    'b.test.ts > b': 'passed',
    'c.test-d.ts > bad': 'failed',
    'c.test-d.ts > good': 'passed',
  });
  const node_ids = ['a.test.ts > [two] > a', 'c.test-d.ts > bad'];
  const some = asResult(await runner.run({ node_ids }));
  expect(toOutcomes(some)).toEqual({
    'a.test.ts > [two] > a': 'passed',
    'c.test-d.ts > bad': 'failed',
  });
  expect(listIds(asResult(await runner.run({ node_ids: ['a.test.ts'] })))).toHaveLength(2);
});
