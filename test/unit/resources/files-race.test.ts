import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type * as fsPromises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { directoryResources } from '../../../src/files.ts';
import { ResourcesManager } from '../../../src/index.ts';

/** What somebody does between the look at a path and the opening of what stands there. */
let meanwhile = (): void => {};

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof fsPromises>();
  return {
    ...original,
    open: (...args: Parameters<typeof original.open>) => {
      meanwhile();
      return original.open(...args);
    },
  };
});

let base = '';
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-race-')));
  for (const folder of ['docs/guide', 'secrets']) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, 'docs/guide/a.txt'), 'open');
  writeFileSync(join(base, 'docs/b.txt'), 'open');
  writeFileSync(join(base, 'secrets/a.txt'), 'secret');
});
afterAll(() => rmSync(base, { recursive: true }));

async function read(path: string): Promise<unknown> {
  const resources = new ResourcesManager({
    resources: directoryResources({ root: join(base, 'docs'), uri: 'docs://', name: 'docs' }),
  });
  const reply = await resources.readResource({ uri: `docs://${path}` });
  return reply.kind === 'value' ? reply.value.contents[0] : reply;
}

test('a folder that becomes a link just before its file is opened leads nowhere', async () => {
  expect(await read('guide/a.txt')).toMatchObject({ text: 'open' });
  meanwhile = () => {
    meanwhile = () => {};
    renameSync(join(base, 'docs/guide'), join(base, 'docs/moved'));
    symlinkSync(join(base, 'secrets'), join(base, 'docs/guide'));
  };
  expect(await read('guide/a.txt')).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
});

test('so does a file that becomes one', async () => {
  meanwhile = () => {
    meanwhile = () => {};
    rmSync(join(base, 'docs/b.txt'));
    symlinkSync(join(base, 'secrets/a.txt'), join(base, 'docs/b.txt'));
  };
  expect(await read('b.txt')).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
});
