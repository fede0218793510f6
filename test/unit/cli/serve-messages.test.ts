import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopDocument } from './openapi-api.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';
import { whileServing } from './while-serving.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-serve-'));
  writeFileSync(
    join(folder, 'toolwright.config.json'),
    JSON.stringify({ name: 'demo', prompts: [{ name: 'hi', template: 'Hi' }] }),
  );
  writeFileSync(join(folder, 'shop.json'), JSON.stringify(shopDocument()));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (line: readonly string[]): Promise<Ran> => runCli(line, { cwd: folder });

describe.each([
  ['serve', ['serve']],
  ['openapi', ['openapi', 'shop.json', '--base-url', 'https://shop.example.com']],
])('errors of %s name its flags', (_name, command) => {
  test.each([
    [
      ['--host', '0.0.0.0'],
      'error The host "0.0.0.0" can be reached from other machines. Name the hosts it is called by: --allow-host api.example.com.',
    ],
    [
      ['--allow-origin', 'app'],
      'error --allow-origin: "app" is no origin; write "https://app.example.com", without a path and without wildcards.',
    ],
    [
      ['--allow-host', 'http://a/b'],
      'error --allow-host: "http://a/b" is no host; write "api.example.com" or "api.example.com:8443".',
    ],
  ])('%j', async (flags, message) => {
    const { code, err } = await run([...command, '--http', '--port', '0', ...flags]);
    expect([code, err.split('\n').at(-1)]).toEqual([3, message]);
  });
});

test('a port that is in use is an error that says what to do', async () => {
  await whileServing(['serve', '--http', '--port', '0'], { cwd: folder }, async ({ port }) => {
    expect(await run(['serve', '--http', '--port', port])).toEqual({
      code: 3,
      out: '',
      err: `error Port ${port} is in use by another program. Choose another one with --port; --port 0 picks a free one.`,
    });
  });
});
