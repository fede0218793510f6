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
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { directoryResources } from '../../../src/files.ts';
import { ResourcesManager } from '../../../src/index.ts';

/** An action between the check of a path and its opening. */
let meanwhile = (): void => {};

/** A swap during one access to a path, undone afterwards. */
const during: { open: Swap | undefined; stat: Swap | undefined; opendir: Swap | undefined } = {
  open: undefined,
  stat: undefined,
  opendir: undefined,
};

interface Swap {
  readonly before: () => void;
  readonly after: () => void;
}

async function swapped<TValue>(swap: Swap | undefined, look: () => Promise<TValue>): Promise<TValue> {
  swap?.before();
  try {
    return await look();
  } finally {
    swap?.after();
  }
}

/** Whether the system can report the real path of an open file. */
let canBeAsked = true;

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof fsPromises>();
  return {
    ...original,
    open: (...args: Parameters<typeof original.open>) => {
      meanwhile();
      return swapped(during.open, () => original.open(...args));
    },
    stat: (...args: Parameters<typeof original.stat>) => swapped(during.stat, () => original.stat(...args)),
    opendir: (...args: Parameters<typeof original.opendir>) =>
      swapped(during.opendir, () => original.opendir(...args)),
    readlink: (path: string) =>
      canBeAsked ? original.readlink(path) : Promise.reject(new Error('there is no /proc')),
  };
});

let base = '';
beforeEach(() => {
  meanwhile = () => {};
  canBeAsked = true;
  Object.assign(during, { open: undefined, stat: undefined, opendir: undefined });
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-race-')));
  for (const folder of ['docs/guide', 'secrets']) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, 'docs/guide/a.txt'), 'open');
  writeFileSync(join(base, 'docs/b.txt'), 'open');
  writeFileSync(join(base, 'secrets/a.txt'), 'secret');
  writeFileSync(join(base, 'secrets/hidden.txt'), 'secret');
});
afterEach(() => rmSync(base, { recursive: true }));

function served(): ResourcesManager {
  return new ResourcesManager({
    resources: directoryResources({ root: join(base, 'docs'), uri: 'docs://', name: 'docs' }),
  });
}

async function read(path: string): Promise<unknown> {
  const resources = served();
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

/** `docs/guide` becomes a link to `secrets` for a moment. */
const moment: Swap = {
  before: () => {
    renameSync(join(base, 'docs/guide'), join(base, 'aside'));
    symlinkSync(join(base, 'secrets'), join(base, 'docs/guide'));
  },
  after: () => {
    rmSync(join(base, 'docs/guide'));
    renameSync(join(base, 'aside'), join(base, 'docs/guide'));
  },
};

async function complete(value: string): Promise<readonly string[]> {
  const reply = await served().complete({ ref: 'docs://{+path}', argument: 'path', value, arguments: {} });
  return reply.kind === 'value' ? reply.value.values : [reply.kind];
}

describe('a folder that is a link for the time of single looks', () => {
  test.runIf(process.platform === 'linux')('gives no file outside away', async () => {
    Object.assign(during, { open: moment, stat: moment });
    expect(await read('guide/a.txt')).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
  });

  test('gives no name outside away', async () => {
    expect(await complete('guide/')).toEqual(['guide/a.txt']);
    Object.assign(during, { open: moment });
    expect(await complete('guide/')).toEqual([]);
    Object.assign(during, { open: undefined, opendir: moment });
    expect(await complete('guide/')).toEqual(['guide/a.txt']);
    expect(await read('')).toMatchObject({ text: 'docs://b.txt\r\ndocs://guide/a.txt\r\n' });
  });

  test('neither where no system can be asked', async () => {
    canBeAsked = false;
    expect(await read('guide/a.txt')).toMatchObject({ text: 'open' });
    expect(await complete('guide/')).toEqual(['guide/a.txt']);
    Object.assign(during, { open: moment });
    expect(await read('guide/a.txt')).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
    expect(await complete('guide/')).toEqual([]);
    let looks = 0;
    const sometimes: Swap = {
      before: () => (looks += 1) < 4 && moment.before(),
      after: () => looks < 4 && moment.after(),
    };
    Object.assign(during, { open: moment, stat: sometimes });
    expect(await read('guide/a.txt')).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
    expect(looks).toBe(4);
  });
});
