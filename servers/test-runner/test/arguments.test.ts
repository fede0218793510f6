import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toDiscoveryArguments, toRunArguments } from '../src/domain/pytest/pytest-arguments.ts';
import { InvalidRequestError } from '../src/domain/request-errors.ts';
import type { FieldIssue } from '../src/domain/request-errors.ts';
import type { DiscoveryRequest, RunRequest } from '../src/domain/test-run.ts';
import { addHostileLinks, HOSTILE, HOSTILE_FILES } from './support/hostile.ts';
import { createProject } from './support/project.ts';

function createSettings() {
  const outer = createProject(HOSTILE_FILES);
  return { project: addHostileLinks(outer), maxTimeoutSeconds: 60 };
}

function listIssues(check: () => unknown): readonly FieldIssue[] {
  try {
    check();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.issues;
    throw error;
  }
  return [];
}

const runIssues = (request: RunRequest) => listIssues(() => toRunArguments(request, createSettings()));
const discoveryIssues = (request: DiscoveryRequest) =>
  listIssues(() => toDiscoveryArguments(request, createSettings()));

describe('node ids and paths', () => {
  test.each(HOSTILE)('%j as node id', (id, message) => {
    if (message === 'ok') {
      expect(runIssues({ node_ids: [id] })).toEqual([]);
      return;
    }
    expect(runIssues({ node_ids: ['tests/test_a.py', id] })).toEqual([
      { path: ['node_ids', 1], message: expect.stringContaining(message) },
    ]);
  });

  test.each(HOSTILE.filter(([id]) => !id.includes('::')))('%j as path', (path, message) => {
    expect(discoveryIssues({ path })).toEqual([
      { path: ['path'], message: expect.stringContaining(message) },
    ]);
  });

  test('a bracket before "::" is rejected, because pytest ends the file there', () => {
    const settings = createSettings();
    mkdirSync(join(settings.project, 'tests[x]'));
    writeFileSync(join(settings.project, 'tests[x]', 'test_a.py'), '');
    expect(listIssues(() => toRunArguments({ node_ids: ['tests[x]/test_a.py'] }, settings))).toMatchObject([
      { path: ['node_ids', 0] },
    ]);
  });

  test('a path with "::" or a bracket is rejected, because pytest opens the file before it', () => {
    const settings = createSettings();
    // `link` leads out of the project.
    for (const name of ['link::x', 'link[x]']) {
      mkdirSync(join(settings.project, name));
      expect(listIssues(() => toDiscoveryArguments({ path: name }, settings))).toEqual([
        { path: ['path'], message: expect.stringContaining('"::" and "[" are not allowed in a path') },
      ]);
    }
  });

  test('links and absolute paths that stay in the project are allowed', () => {
    const settings = createSettings();
    const node_ids = ['inside/test_a.py::test_a[../..::x]', join(settings.project, 'tests'), './-x.py', '.'];
    expect(toRunArguments({ node_ids }, settings)).toEqual(['--', ...node_ids]);
  });

  test('lists are bounded in number and bytes', () => {
    expect(runIssues({ node_ids: Array<string>(5_001).fill('tests') })).toEqual([
      { path: ['node_ids'], message: 'Expected at most 5000 ids, received 5001.' },
    ]);
    expect(runIssues({ node_ids: Array<string>(5_000).fill(`tests::${'ü'.repeat(200)}`) })).toEqual([
      { path: ['node_ids'], message: 'Expected at most 1000000 bytes in all ids, received 2035000.' },
    ]);
  });
});

describe('other fields', () => {
  test('values are one argument with their option', () => {
    const request = {
      markers: '--version',
      keywords: '@/etc/passwd',
      verbosity: -2,
      maxfail: 3,
      failfast: false,
      show_capture: false,
    };
    expect(toRunArguments(request, createSettings())).toEqual([
      '-m=--version',
      '-k=@/etc/passwd',
      '--verbosity=-2',
      '--maxfail=3',
      '--show-capture=no',
      '--',
    ]);
    expect(toDiscoveryArguments({ pattern: '-x @y' }, createSettings())).toEqual([
      '--collect-only',
      '-qq',
      '--maxfail=0',
      '-o',
      'python_files=-x @y',
      '--',
    ]);
  });

  test.each<readonly [RunRequest, string, string]>([
    [{ failfast: true, maxfail: 2 }, 'maxfail', 'Use either failfast or maxfail, not both.'],
    [{ maxfail: 0 }, 'maxfail', 'Expected an integer from 1 to 9007199254740991, received 0.'],
    [{ verbosity: 3 }, 'verbosity', 'Expected an integer from -2 to 2, received 3.'],
    [{ verbosity: 0.5 }, 'verbosity', 'Expected an integer from -2 to 2, received 0.5.'],
    [{ timeout: 0 }, 'timeout', 'Expected an integer from 1 to 60, received 0.'],
    [{ timeout: 61 }, 'timeout', 'Expected an integer from 1 to 60, received 61.'],
    [{ markers: 'a\0b' }, 'markers', 'NUL characters are not allowed.'],
    [{ keywords: ' ' }, 'keywords', 'Expected 1 to 4096 characters, received 1 (not only spaces).'],
  ])('%j is rejected', (request, field, message) => {
    expect(runIssues(request)).toEqual([{ path: [field], message }]);
  });

  test('a pattern is bounded and has no quotes', () => {
    expect(discoveryIssues({ pattern: '"' })).toMatchObject([{ path: ['pattern'] }]);
    expect(discoveryIssues({ pattern: 'a'.repeat(257) })).toMatchObject([{ path: ['pattern'] }]);
    expect(discoveryIssues({ pattern: '\0' })).toMatchObject([{ path: ['pattern'] }]);
  });

  test('all invalid fields are reported together', () => {
    expect(runIssues({ node_ids: ['-x'], verbosity: 9, timeout: -1 }).map(({ path }) => path)).toEqual([
      ['node_ids', 0],
      ['verbosity'],
      ['timeout'],
    ]);
  });
});
