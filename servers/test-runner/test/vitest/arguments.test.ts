import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { InvalidRequestError } from '../../src/domain/request-errors.ts';
import type { FieldIssue } from '../../src/domain/request-errors.ts';
import type { DiscoveryRequest, RunRequest } from '../../src/domain/test-run.ts';
import { VitestRunner } from '../../src/domain/vitest/vitest-runner.ts';
import { createProject } from '../support/project.ts';
import { createVitestProject, createVitestRunner } from '../support/vitest.ts';

// Each test starts vitest, some several times; a busy machine needs seconds for each.
vi.setConfig({ testTimeout: 120_000 });

/** Without vitest: an invalid request is rejected before vitest is looked for. */
function createBare() {
  const outer = createProject({
    'project/tests/a.test.ts': '',
    'project/-x.test.ts': '',
    'secret/s.test.ts': '',
    'project-2/b.test.ts': '',
  });
  const project = join(outer, 'project');
  symlinkSync(join(outer, 'secret'), join(project, 'link'));
  symlinkSync('/etc', join(project, 'tests', 'etc'));
  return new VitestRunner({ project, environment: {}, maxTimeoutSeconds: 60 });
}

async function listIssues(run: Promise<unknown>): Promise<readonly FieldIssue[]> {
  const error: unknown = await run.catch((reason: unknown) => reason);
  if (error instanceof InvalidRequestError) return error.issues;
  throw new Error('The request was not rejected.', { cause: error });
}

const runIssues = (request: RunRequest) => listIssues(createBare().run(request));
const discoveryIssues = (request: DiscoveryRequest) => listIssues(createBare().discover(request));

const OUTSIDE = 'is outside of the project folder.';
const MISSING = 'No such file or folder in the project';

const HOSTILE: readonly (readonly [string, string])[] = [
  ['--version', MISSING],
  ['--config=/etc/passwd', MISSING],
  ['-t', MISSING],
  ['--', MISSING],
  ['--root=/ > a', MISSING],
  ['@/etc/passwd', MISSING],
  ['..', OUTSIDE],
  ['../secret/s.test.ts', OUTSIDE],
  ['tests/../../secret/s.test.ts > s', OUTSIDE],
  ['../project-2/b.test.ts', OUTSIDE],
  ['/', OUTSIDE],
  ['/etc/passwd', OUTSIDE],
  ['/etc/passwd > x', OUTSIDE],
  ['link/s.test.ts', OUTSIDE],
  ['link', OUTSIDE],
  ['tests/etc/passwd > root', OUTSIDE],
  ['tests/a.test.ts\0', 'NUL characters are not allowed.'],
  ['\0 > a', 'NUL characters are not allowed.'],
  ['', 'received an empty string'],
  [' > a', 'received an empty string'],
  ['tests/missing.test.ts', MISSING],
  ['tests/*.test.ts', MISSING],
  ['tests/a.test.ts:1', MISSING],
  ['file:///etc/passwd', MISSING],
  ['~/x.test.ts', MISSING],
  ['$HOME', MISSING],
  [`tests/${'a'.repeat(5_000)}`, 'Expected at most 4096 characters, received 5006.'],
  [`tests/a.test.ts > ${'a'.repeat(20_000)}`, 'Expected at most 16384 characters, received 20018.'],
];

describe('node ids and paths', () => {
  test.each(HOSTILE)('%j as node id', async (id, message) => {
    expect(await runIssues({ node_ids: ['tests/a.test.ts', id] })).toEqual([
      { path: ['node_ids', 1], message: expect.stringContaining(message) },
    ]);
  });

  test.each(HOSTILE.filter(([id]) => !id.includes(' > ')))('%j as path', async (path, message) => {
    expect(await discoveryIssues({ path })).toEqual([
      { path: ['path'], message: expect.stringContaining(message) },
    ]);
  });

  test('lists are bounded in number and bytes', async () => {
    expect(await runIssues({ node_ids: Array<string>(5_001).fill('tests') })).toEqual([
      { path: ['node_ids'], message: 'Expected at most 5000 ids, received 5001.' },
    ]);
    expect(await runIssues({ node_ids: Array<string>(100).fill(`tests > ${'ü'.repeat(10_000)}`) })).toEqual([
      { path: ['node_ids'], message: 'Expected at most 1000000 bytes in all ids, received 2000800.' },
    ]);
  });
});

describe('other fields', () => {
  test.each<readonly [RunRequest, string, string]>([
    [{ maxfail: 0 }, 'maxfail', 'Expected an integer from 1 to 9007199254740991, received 0.'],
    [{ timeout: 61 }, 'timeout', 'Expected an integer from 1 to 60, received 61.'],
    [{ keywords: 'a\0b' }, 'keywords', 'NUL characters are not allowed.'],
    [{ keywords: ' ' }, 'keywords', 'Expected 1 to 4096 characters, received 1 (not only spaces).'],
    [{ keywords: '(' }, 'keywords', 'Invalid regular expression: /(/: Unterminated group. Expected a'],
    [{ markers: 'slow' }, 'markers', 'vitest has no markers. Use node_ids or keywords.'],
    [{ verbosity: 1 }, 'verbosity', 'vitest has no verbosity. Use node_ids or keywords.'],
    [{ failfast: false }, 'failfast', 'vitest has no failfast. Use maxfail: 1.'],
    [{ show_capture: true }, 'show_capture', 'vitest has no show_capture. Use node_ids or keywords.'],
  ])('%j is rejected', async (request, field, message) => {
    expect(await runIssues(request)).toEqual([{ path: [field], message: expect.stringContaining(message) }]);
  });

  test('a pattern is bounded', async () => {
    expect(await discoveryIssues({ pattern: 'a'.repeat(257) })).toMatchObject([{ path: ['pattern'] }]);
    expect(await discoveryIssues({ pattern: '\0' })).toMatchObject([{ path: ['pattern'] }]);
  });

  test('the parameters of the runner are those of vitest', () => {
    expect([...createBare().parameters]).toEqual([
      'node_ids',
      'keywords',
      'maxfail',
      'timeout',
      'path',
      'pattern',
    ]);
    expect(createBare().name).toBe('vitest');
  });
});

describe('effects', () => {
  const IMPORT = "import { describe, test } from 'vitest';\n";

  test('keywords are a regular expression for the titles, joined by spaces', async () => {
    const project = createVitestProject({
      'a.test.ts': `${IMPORT}describe('suite', () => { test('one', () => {}); test('two (2)', () => {}); });\ntest('--version', () => {});\n`,
    });
    const run = async (keywords: string) => {
      const { tests } = await createVitestRunner(project).run({ keywords });
      return tests.map(({ node_id }) => node_id);
    };
    expect(await run('^suite (one|x)$')).toEqual(['a.test.ts > suite > one']);
    expect(await run(String.raw`two \(2\)`)).toEqual(['a.test.ts > suite > two (2)']);
    expect(await run('--version')).toEqual(['a.test.ts > --version']);
  });

  test('maxfail ends the run after the failures, and tests that did not run are no results', async () => {
    const project = createVitestProject({
      'a.test.ts': `${IMPORT}test('ok', () => {});\nfor (const n of [1, 2, 3]) test('t' + n, () => { throw new Error('x'); });\ntest.skip('s', () => {});\n`,
    });
    const result = await createVitestRunner(project).run({ maxfail: 1 });
    expect(result).toMatchObject({ kind: 'result', exit_code: 1 });
    expect(result.tests.map(({ node_id, outcome }) => [node_id, outcome])).toEqual([
      ['a.test.ts > ok', 'passed'],
      ['a.test.ts > t1', 'failed'],
      ['a.test.ts > s', 'skipped'],
    ]);
  });

  test('path and pattern choose among the test files', async () => {
    const code = `${IMPORT}describe('s', () => {\n  test('t', () => {});\n});\n`;
    const project = createVitestProject({
      'x/a.test.ts': code,
      'x/y/b.test.ts': code,
      'z/a.test.ts': code,
      '-x.test.ts': code,
    });
    const discover = async (request: DiscoveryRequest) => {
      const found = await createVitestRunner(project).discover(request);
      if (found.kind === 'error') throw new Error(found.message);
      return found.tests;
    };
    const files = async (request: DiscoveryRequest) => (await discover(request)).map(({ file }) => file);
    expect(await discover({ path: 'z' })).toEqual([
      {
        node_id: 'z/a.test.ts > s > t',
        module: null,
        class_path: ['s'],
        function: 't',
        file: 'z/a.test.ts',
        line: 3,
      },
    ]);
    expect(await files({ path: 'x' })).toEqual(['x/a.test.ts', 'x/y/b.test.ts']);
    expect(await files({ pattern: 'a.test.*' })).toEqual(['x/a.test.ts', 'z/a.test.ts']);
    expect(await files({ path: 'x', pattern: 'x/**/b*' })).toEqual(['x/y/b.test.ts']);
    expect(await files({ path: '-x.test.ts' })).toEqual(['-x.test.ts']);
    expect(await files({ pattern: '../**/*' })).toEqual([]);
  });

  test('test files that the configuration finds outside of the project folder do not run', async () => {
    const outer = createVitestProject({
      'project/vitest.config.ts': "export default { test: { dir: '..' } };",
      'project/a.test.ts': `${IMPORT}test('a', () => {});`,
      'outside.test.ts': `${IMPORT}test('b', () => {});`,
    });
    mkdirSync(join(outer, 'other'));
    writeFileSync(join(outer, 'other', 'c.test.ts'), `${IMPORT}test('c', () => {});`);
    symlinkSync(join(outer, 'other', 'c.test.ts'), join(outer, 'project', 'link.test.ts'));
    const result = await createVitestRunner(join(outer, 'project')).run({});
    expect(result.tests.map(({ node_id }) => node_id)).toEqual(['a.test.ts > a']);
  });
});
