import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { assertBuilt, ROOT } from '../support/dist.ts';

const FOLDER = join(ROOT, 'examples');
const folders = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
// test/package/deploy.test.ts runs this one.
const stories = folders.filter((name) => name !== 'deploy');
const run = promisify(execFile);

beforeAll(assertBuilt);

test('there are eight or more, and the page names each of them', () => {
  expect(stories.length).toBeGreaterThanOrEqual(8);
  const page = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  expect(stories.filter((story) => !page.includes(`| [${story}](${story}/main.mjs) |`))).toEqual([]);
  expect(page).toContain('| [deploy](deploy/server.mjs) |');
});

test.each(stories)('%s prints what it says', async (story) => {
  const { stdout, stderr } = await run(process.execPath, [join(FOLDER, story, 'main.mjs')], {
    timeout: 30_000,
  });
  expect(stderr).toBe('');
  expect(stdout).toBe(readFileSync(join(FOLDER, story, 'output.txt'), 'utf8'));
});
