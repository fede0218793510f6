import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directoryResources } from '../../../src/files.ts';
import type { DirectoryOptions } from '../../../src/files.ts';
import { ResourcesManager } from '../../../src/index.ts';
import { refused } from '../../support/refused.ts';

let base = '';
let root = '';

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-files-')));
  root = join(base, 'docs');
  mkdirSync(join(root, 'guide', 'deep'), { recursive: true });
  mkdirSync(join(root, '.git'));
  mkdirSync(join(base, 'docs-secret'));
  const write = (path: string, content: string | Uint8Array): void =>
    writeFileSync(join(base, path), content);
  write('secret.txt', 'secret');
  write('docs-secret/s.txt', 'secret');
  write('docs/a.md', '# A');
  write('docs/b c.txt', 'b c');
  write('docs/ä.json', '{"a":1}');
  write('docs/guide/start.schema.json', '{}');
  write('docs/guide/deep/x', 'plain');
  write('docs/pic.png', new Uint8Array([137, 80, 78, 71, 0, 255]));
  write('docs/broken.txt', new Uint8Array([255, 254, 0]));
  write('docs/flow.mmd', 'graph TD');
  write('docs/.env', 'KEY=1');
  write('docs/.git/config', 'x');
  write('docs/large.txt', 'x'.repeat(101));
  write('docs/full.txt', 'x'.repeat(100));
  symlinkSync('../secret.txt', join(root, 'out.txt'));
  symlinkSync(base, join(root, 'up'));
  symlinkSync('a.md', join(root, 'in.md'));
  symlinkSync('.env', join(root, 'env.txt'));
  symlinkSync('loop', join(root, 'loop'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
});

afterAll(() => rmSync(base, { recursive: true }));

const managerOf = (options: Partial<DirectoryOptions> = {}): ResourcesManager =>
  new ResourcesManager({
    resources: directoryResources({ root, uri: 'docs://files/', name: 'docs', maxBytes: 100, ...options }),
  });

async function read(path: string, options?: Partial<DirectoryOptions>): Promise<unknown> {
  const reply = await managerOf(options).readResource({ uri: `docs://files/${path}` });
  return reply.kind === 'value'
    ? reply.value.contents[0]
    : reply.kind === 'protocol-error'
      ? reply.reason
      : reply;
}

describe('files of a folder', () => {
  test.each([
    ['a.md', { mimeType: 'text/markdown', text: '# A' }],
    ['b%20c.txt', { mimeType: 'text/plain', text: 'b c' }],
    ['%C3%A4.json', { mimeType: 'application/json', text: '{"a":1}' }],
    ['guide/start.schema.json', { mimeType: 'application/schema+json', text: '{}' }],
    ['guide/deep/x', { mimeType: 'text/plain', text: 'plain' }],
    ['guide%2Fdeep%2Fx', { mimeType: 'text/plain', text: 'plain' }],
    ['pic.png', { mimeType: 'image/png', blob: 'iVBORwD/' }],
    ['broken.txt', { mimeType: 'text/plain', blob: '//4A' }],
    ['flow.mmd', { mimeType: 'text/plain', text: 'graph TD' }],
    ['in.md', { mimeType: 'text/markdown', text: '# A' }],
    ['full.txt', { mimeType: 'text/plain', text: 'x'.repeat(100) }],
  ])('%s is read', async (path, content) => {
    expect(await read(path)).toEqual({ uri: `docs://files/${path}`, ...content });
  });

  test.each([
    'none.txt',
    'guide',
    'guide/',
    'guide/none',
    'a.md/x',
    '../secret.txt',
    '..%2Fsecret.txt',
    '%2e%2e/secret.txt',
    'guide/../../secret.txt',
    'guide/../a.md',
    '../docs-secret/s.txt',
    './a.md',
    '/a.md',
    '//a.md',
    'guide//deep/x',
    '..%5Csecret.txt',
    '%00',
    'a.md%00.txt',
    'out.txt',
    'up/secret.txt',
    'loop',
    'pipe',
    '.env',
    '.git/config',
    'env.txt',
    'x'.repeat(300),
  ])('%s is not there', async (path) => {
    expect(await read(path)).toBe('UNKNOWN_RESOURCE');
    // An absolute path does not work either.
    expect(await read(`${root}/${path}`)).toBe('UNKNOWN_RESOURCE');
  });

  test('one that is too large is refused by name of the limit', async () => {
    const reply = await managerOf().readResource({ uri: 'docs://files/large.txt' });
    expect(reply).toMatchObject({
      kind: 'protocol-error',
      message: 'The file is larger than the limit of 100 bytes.',
    });
  });

  test('hidden ones are there for those who want them; what leads out is not', async () => {
    expect(await read('.env', { hidden: true })).toMatchObject({ text: 'KEY=1' });
    expect(await read('env.txt', { hidden: true })).toMatchObject({ text: 'KEY=1' });
    expect(await read('../secret.txt', { hidden: true })).toBe('UNKNOWN_RESOURCE');
    expect(await read('out.txt', { hidden: true })).toBe('UNKNOWN_RESOURCE');
  });

  test('have the types that the author says', async () => {
    const mimeTypes = { mmd: 'text/vnd.mermaid', md: 'text/plain' };
    expect(await read('flow.mmd', { mimeTypes })).toMatchObject({ mimeType: 'text/vnd.mermaid' });
    expect(await read('a.md', { mimeTypes })).toMatchObject({ mimeType: 'text/plain' });
  });

  test('may be named by a URL', async () => {
    expect(await read('a.md', { root: pathToFileURL(root) })).toMatchObject({ text: '# A' });
  });

  test('are listed, without links and hidden ones, in a fixed order', async () => {
    const reply = await managerOf().readResource({ uri: 'docs://files/' });
    expect(reply).toMatchObject({ value: { contents: [{ mimeType: 'text/uri-list' }] } });
    const text = reply.kind === 'value' ? (reply.value.contents[0] as { text: string }).text : '';
    expect(text.split('\r\n')).toEqual([
      'docs://files/a.md',
      'docs://files/b%20c.txt',
      'docs://files/broken.txt',
      'docs://files/flow.mmd',
      'docs://files/full.txt',
      'docs://files/large.txt',
      'docs://files/pic.png',
      'docs://files/%C3%A4.json',
      'docs://files/guide/start.schema.json',
      'docs://files/guide/deep/x',
      '',
    ]);
  });

  test('that are too many to be listed: the list says so', async () => {
    const reply = await managerOf({ maxListed: 3 }).readResource({ uri: 'docs://files/' });
    const text = reply.kind === 'value' ? (reply.value.contents[0] as { text: string }).text : '';
    expect(text.split('\r\n')).toEqual([
      'docs://files/a.md',
      'docs://files/b%20c.txt',
      'docs://files/broken.txt',
      '# There is more than is listed here: 3 files and folders at most.',
      '',
    ]);
  });

  test.each([
    [
      '',
      ['a.md', 'b c.txt', 'broken.txt', 'flow.mmd', 'full.txt', 'guide/', 'large.txt', 'pic.png', 'ä.json'],
    ],
    ['b', ['b c.txt', 'broken.txt']],
    ['guide/', ['guide/deep/', 'guide/start.schema.json']],
    ['guide/d', ['guide/deep/']],
    ['up/', []],
    ['../', []],
    ['.g', []],
  ])('complete %j', async (value, values) => {
    const reply = await managerOf().complete({
      ref: 'docs://files/{+path}',
      argument: 'path',
      value,
      arguments: {},
    });
    expect(reply).toMatchObject({ kind: 'value', value: { values } });
  });

  test('stand under the policy as all resources do', async () => {
    const resources = new ResourcesManager({
      resources: directoryResources({ root, uri: 'docs://files/', name: 'docs', scopes: ['docs'] }),
    });
    expect(resources.getAllResourceTemplates()).toEqual([]);
    expect(await resources.readResource({ uri: 'docs://files/a.md' })).toMatchObject({
      reason: 'UNKNOWN_RESOURCE',
    });
    const principal = { id: 'ada', scopes: ['docs'] };
    expect((await resources.readResource({ uri: 'docs://files/a.md', principal })).kind).toBe('value');
  });
});

test.each([
  [{ root: '/nowhere/at/all' }, refused('root')],
  [{ root: '' }, refused('root')],
  [{ uri: 'docs://files' }, refused('uri')],
  [{ uri: 'docs://{x}/' }, refused('uri')],
  [{ maxBytes: 0 }, refused('maxBytes')],
  [{ maxListed: 1.5 }, refused('maxListed')],
  [{ maxSize: 5 }, refused('maxSize', { reason: 'unknown-option' })],
])('%o is refused', (wrong, message) => {
  expect(() => directoryResources({ root, uri: 'docs://files/', name: 'd', ...wrong })).toThrow(message);
});

test('a file is no folder', () => {
  expect(() => directoryResources({ root: join(root, 'a.md'), uri: 'a://b/', name: 'd' })).toThrow(
    refused('root'),
  );
});

test('in a folder with more files than are listed, only that many are read', async () => {
  const folder = join(base, 'many');
  mkdirSync(folder);
  for (let index = 0; index <= 10_000; index += 1) writeFileSync(join(folder, `f${index}`), '');
  const resources = managerOf({ root: folder });
  const request = { ref: 'docs://files/{+path}', argument: 'path', value: 'f', arguments: {} };
  const reply = await resources.complete(request);
  expect(reply).toMatchObject({ kind: 'value', value: { hasMore: true } });
  expect((reply as { value: { values: unknown[] } }).value.values).toHaveLength(100);
  const listed = await managerOf({ root: folder, maxListed: 20_000, maxBytes: 1_000_000 }).readResource({
    uri: 'docs://files/',
  });
  expect(JSON.stringify(listed)).toContain('There is more than is listed here');
});
