import { describe, expect, test, vi } from 'vitest';
import type { RunError, RunEvent, RunResult } from '../../src/domain/test-run.ts';
import { createVitestProject, createVitestRunner } from '../support/vitest.ts';

// Each test starts vitest, some several times; a busy machine needs seconds for each.
vi.setConfig({ testTimeout: 120_000 });

const IMPORT = "import { afterAll, beforeAll, describe, expect, test } from 'vitest';\n";

function asResult(outcome: RunResult | RunError): RunResult {
  if (outcome.kind === 'error') throw new Error(`${outcome.message}\n${outcome.stderr}`);
  return outcome;
}

const listOutcomes = ({ tests }: RunResult) =>
  tests.map(({ node_id, outcome }) => [node_id, outcome] as const);

describe('outcomes', () => {
  test('a run reports each outcome, counts that add up, and the versions', async () => {
    const project = createVitestProject({
      'kinds.test.ts': `${IMPORT}
        test('passes', () => {});
        test('fails', () => expect(1).toBe(2));
        test.skip('is skipped', () => {});
        test('skips itself', ({ skip }) => skip('no network'));
        test.todo('is to do');
        test.fails('fails as expected', () => { throw new Error('known'); });
        test.fails('passes unexpectedly', () => {});
        describe('broken suite', () => {
          beforeAll(() => { throw new TypeError('no database'); });
          test('needs it', () => {});
          test.skip('is skipped', () => {});
          describe('inner', () => { test('needs it too', () => {}); });
        });
      `,
    });
    const events: RunEvent[] = [];
    const result = asResult(
      await createVitestRunner(project).run({}, { onEvent: (event) => events.push(event) }),
    );
    expect(listOutcomes(result)).toEqual([
      ['kinds.test.ts > passes', 'passed'],
      ['kinds.test.ts > fails', 'failed'],
      ['kinds.test.ts > is skipped', 'skipped'],
      ['kinds.test.ts > skips itself', 'skipped'],
      ['kinds.test.ts > is to do', 'skipped'],
      ['kinds.test.ts > fails as expected', 'xfailed'],
      ['kinds.test.ts > passes unexpectedly', 'failed'],
      ['kinds.test.ts > broken suite > needs it', 'error'],
      ['kinds.test.ts > broken suite > is skipped', 'skipped'],
      ['kinds.test.ts > broken suite > inner > needs it too', 'error'],
    ]);
    expect(result.summary).toMatchObject({
      total: 10,
      passed: 1,
      failed: 2,
      skipped: 4,
      xfailed: 1,
      xpassed: 0,
      errors: 2,
    });
    expect(result.exit_code).toBe(1);
    expect(result.collection_errors).toEqual([]);
    expect(result.tests.map(({ message }) => message)).toEqual([
      null,
      'AssertionError: expected 1 to be 2 // Object.is equality',
      null,
      'no network',
      'todo',
      null,
      'Error: Expect test to fail',
      'TypeError: no database',
      null,
      'TypeError: no database',
    ]);
    expect(result.runner).toMatchObject({ runner: 'vitest', interpreter: process.execPath });
    expect(result.runner.runner_version).toMatch(/^4\./);
    expect(events.slice(0, 3)).toMatchObject([
      { type: 'collected', total: 10 },
      { type: 'test_started', node_id: 'kinds.test.ts > passes' },
      { type: 'test_finished', test: { outcome: 'passed' }, finished: 1, total: 10 },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'test_finished', finished: 10, total: 10 });
  });

  test('a failed test has its frames, the compared values, the causes and its output', async () => {
    const project = createVitestProject({
      'lib/check.ts': `import { expect } from 'vitest';\nexport function check(value: object) {\n  expect(value).toEqual({ a: 2 });\n}\n`,
      'a.test.ts': `${IMPORT}import { check } from './lib/check.ts';
test('compares', () => {
  console.log('before');
  console.error('problem');
  check({ a: 1 });
});
test('chain', () => {
  throw new Error('bad', { cause: new RangeError('first') });
});
test('quiet', () => console.log('not kept'));
test('again', { retry: 2 }, () => expect(1).toBe(2));
`,
    });
    const result = asResult(await createVitestRunner(project).run({}));
    const [compares, chain, quiet, again] = result.tests;
    expect(compares).toMatchObject({
      error_type: 'AssertionError',
      message: 'AssertionError: expected { a: 1 } to deeply equal { a: 2 }',
      traceback: [
        { file: 'a.test.ts', line: 6, code: 'check({ a: 1 });', in_project: true },
        {
          file: 'lib/check.ts',
          line: 3,
          function: 'check',
          code: 'expect(value).toEqual({ a: 2 });',
          in_project: true,
        },
      ],
      assertion: {
        operator: 'deepStrictEqual',
        left: '{\n  "a": 1,\n}',
        right: '{\n  "a": 2,\n}',
        diff: ['- Expected', '+ Received', '', '  {', '-   "a": 2,', '+   "a": 1,', '  }'],
      },
      captured: [
        { name: 'stdout', text: 'before\n' },
        { name: 'stderr', text: 'problem\n' },
      ],
    });
    expect(compares?.duration).toBeGreaterThan(0);
    expect(chain).toMatchObject({
      message: 'Error: bad',
      traceback: [{ file: 'a.test.ts', line: 9 }],
      causes: [{ type: 'RangeError', message: 'first', traceback: [{ file: 'a.test.ts', line: 9 }] }],
      assertion: null,
    });
    expect(quiet?.captured).toEqual([]);
    expect(again?.message).toBe('AssertionError: expected 1 to be 2 // Object.is equality');
  });

  test('errors outside of tests have their file and line, and other files run', async () => {
    const project = createVitestProject({
      'import.test.ts': "import './missing.ts';\n",
      'syntax.test.ts': '\n\nconst x = ;\n',
      'throws.test.ts': "\nthrow new RangeError('at import');\n",
      'after.test.ts': `${IMPORT}describe('s', () => {\n  afterAll(() => { throw new Error('late'); });\n  test('ok', () => {});\n});\n`,
      'unhandled.test.ts': `${IMPORT}test('leaks', () => {\n  void Promise.reject(new Error('nobody waits'));\n});\n`,
      'z.test.ts': `${IMPORT}test('ok', () => {});\n`,
    });
    const expected = [
      { node_id: 'after.test.ts > s', file: 'after.test.ts', line: 3, type: 'Error', message: 'late' },
      { node_id: 'import.test.ts', file: 'import.test.ts', line: 1 },
      { node_id: 'syntax.test.ts', file: 'syntax.test.ts', line: 3 },
      {
        node_id: 'throws.test.ts',
        file: 'throws.test.ts',
        line: 2,
        type: 'RangeError',
        message: 'at import',
      },
      {
        node_id: 'unhandled.test.ts',
        file: 'unhandled.test.ts',
        line: 3,
        message: 'Unhandled Rejection: nobody waits',
      },
    ];
    const byId = (errors: RunResult['collection_errors']) =>
      errors.toSorted((first, second) => (first.node_id < second.node_id ? -1 : 1));
    const result = asResult(await createVitestRunner(project).run({}));
    expect(byId(result.collection_errors)).toMatchObject(expected);
    expect(result.exit_code).toBe(1);
    expect(Object.fromEntries(listOutcomes(result))).toEqual({
      'after.test.ts > s > ok': 'passed',
      'unhandled.test.ts > leaks': 'passed',
      'z.test.ts > ok': 'passed',
    });
    const found = await createVitestRunner(project).discover({});
    if (found.kind === 'error') throw new Error(found.message);
    expect(byId(found.collection_errors)).toMatchObject(expected.slice(1, 4));
    expect(found.tests.map(({ node_id }) => node_id)).toEqual([
      'after.test.ts > s > ok',
      'unhandled.test.ts > leaks',
      'z.test.ts > ok',
    ]);
  });

  test('tests of a worker process that ends are errors, and other files run', async () => {
    const project = createVitestProject({
      'a.test.ts': `${IMPORT}test('kills', () => process.kill(process.pid, 'SIGKILL'));\ntest('next', () => {});\n`,
      'b.test.ts': `${IMPORT}test('ok', () => {});\n`,
    });
    const result = asResult(await createVitestRunner(project).run({}));
    expect(Object.fromEntries(listOutcomes(result))).toEqual({
      'a.test.ts > kills': 'error',
      'a.test.ts > next': 'error',
      'b.test.ts > ok': 'passed',
    });
    expect(result.collection_errors).toMatchObject([
      { message: expect.stringContaining('Worker exited unexpectedly') },
    ]);
  });

  test('exit code 0 if all passed, and 5 without tests', async () => {
    const project = createVitestProject({ 'a.test.ts': `${IMPORT}test('a', () => {});\n` });
    expect(await createVitestRunner(project).run({})).toMatchObject({ kind: 'result', exit_code: 0 });
    expect(await createVitestRunner(project).run({ keywords: 'zzz' })).toMatchObject({
      kind: 'result',
      exit_code: 5,
      summary: { total: 0 },
    });
    expect(await createVitestRunner(createVitestProject({})).run({})).toMatchObject({ exit_code: 5 });
  });

  test('an invalid configuration is an error with its reason', async () => {
    const project = createVitestProject({ 'vitest.config.ts': "throw new Error('no config today');\n" });
    expect(await createVitestRunner(project).run({})).toMatchObject({
      kind: 'error',
      reason: 'usage_error',
      exit_code: 4,
      message: `Cannot load the vitest configuration of ${project}: no config today`,
    });
  });
});
