import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunnerUnavailableError } from '../../src/domain/request-errors.ts';
import { findVitest } from '../../src/domain/vitest/find-vitest.ts';
import { createProject } from '../support/project.ts';
import { createVitestProject, createVitestRunner } from '../support/vitest.ts';

const manifest = (version: string) => JSON.stringify({ name: 'vitest', version });

test('vitest is that of the nearest folder', () => {
  const outer = createProject({
    'node_modules/vitest/package.json': manifest('4.2.0'),
    'packages/a/node_modules/vitest/package.json': manifest('4.1.3'),
    'packages/b/x': '',
  });
  expect(findVitest(join(outer, 'packages/a'))).toEqual({
    manifest: join(outer, 'packages/a/node_modules/vitest/package.json'),
    version: '4.1.3',
  });
  expect(findVitest(join(outer, 'packages/b')).version).toBe('4.2.0');
});

test('a project without vitest is an error that names it and the installation', async () => {
  const project = createProject({ 'a.test.ts': '' });
  mkdirSync(join(project, 'node_modules'));
  const error: unknown = await createVitestRunner(project)
    .run({})
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RunnerUnavailableError);
  expect(error).toMatchObject({
    message: `The project ${project} has no vitest: no node_modules/vitest in the folder or above. Run \`npm install --save-dev vitest@4\` in ${project}.`,
  });
});

test.each(['3.2.4', '4.0.18', '5.0.0', '0.34.6'])('vitest %s is an error that names it', async (version) => {
  const project = createProject({ 'node_modules/vitest/package.json': manifest(version) });
  await expect(createVitestRunner(project).discover({})).rejects.toThrow(
    `vitest ${version} in ${project}/node_modules/vitest is not supported: expected 4.1 or a later 4.x. Run \`npm install --save-dev vitest@4\` in ${project}.`,
  );
});

test('tests get listed variables of the server only', async () => {
  const project = createVitestProject({
    'a.test.ts':
      "import { test } from 'vitest';\ntest('a', () => { console.log(Object.keys(process.env).sort().join(',')); throw new Error('x'); });",
  });
  const environment = { SECRET: 's', ALLOWED: 'a', NODE_OPTIONS: '--no-such-option', VITEST_SHARD: '1/2' };
  const result = await createVitestRunner(project, { environment, allowedEnvironment: ['ALLOWED'] }).run({});
  const names = result.tests[0]?.captured[0]?.text.trim().split(',') ?? [];
  expect(names).toContain('TEST_RUN_ID');
  expect(names.filter((name) => name in environment)).toEqual(['ALLOWED']);
});
