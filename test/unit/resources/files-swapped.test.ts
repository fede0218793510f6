import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { directoryResources } from '../../../src/files.ts';
import { ResourcesManager } from '../../../src/index.ts';

let base = '';
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-swapped-')));
  for (const folder of ['docs/guide', 'secrets']) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, 'docs/guide/a.txt'), 'open');
  for (const name of ['a.txt', 'secret.txt']) writeFileSync(join(base, 'secrets', name), 'secret');
  symlinkSync(join(base, 'secrets'), join(base, 'link'));
});
afterAll(() => rmSync(base, { recursive: true }));

/** Swaps the folder `docs/guide` and a link out of `docs`, as fast as possible, until its parent has ended. */
const SWAPPER = `
  const { renameSync } = require('node:fs');
  const swap = () => {
    for (let round = 0; round < 50; round += 1) {
      renameSync('docs/guide', 'aside');
      renameSync('link', 'docs/guide');
      renameSync('docs/guide', 'link');
      renameSync('aside', 'docs/guide');
    }
    setImmediate(swap);
  };
  process.stdin.resume().once('end', () => process.exit());
  process.stdout.write('begins');
  swap();
`;

test.runIf(process.platform === 'linux')(
  'nothing outside is read or listed while a folder is swapped for a link all the time',
  async () => {
    const swapper = spawn(process.execPath, ['-e', SWAPPER], {
      cwd: base,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(swapper.stdout, 'data');
    const resources = new ResourcesManager({
      resources: directoryResources({ root: join(base, 'docs'), uri: 'docs://', name: 'docs' }),
      rateLimit: false,
    });
    const seen = new Set<string>();
    let listed = 0;
    for (let attempt = 0; attempt < 3000 && listed < 100; attempt += 1) {
      const completed = await resources.complete({
        ref: 'docs://{+path}',
        argument: 'path',
        value: 'guide/',
        arguments: {},
      });
      const values = completed.kind === 'value' ? completed.value.values : [completed.kind];
      if (values.length > 0) listed += 1;
      for (const value of values) seen.add(value);
      const read = await resources.readResource({ uri: 'docs://guide/a.txt' });
      if (read.kind === 'value') seen.add(JSON.stringify(read.value.contents[0]));
    }
    swapper.stdin.end();
    await once(swapper, 'exit');
    expect([...seen].toSorted()).toEqual([
      'guide/a.txt',
      '{"uri":"docs://guide/a.txt","mimeType":"text/plain","text":"open"}',
    ]);
  },
);
