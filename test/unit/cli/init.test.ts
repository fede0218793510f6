import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runCli } from './run-cli.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(['2048', 'true', 'null', '1e3', 'no', '0x10', 'weather'])(
  'a project may be called %s',
  async (name) => {
    expect(await runCli(['init', name], { cwd: folder })).toMatchObject({ code: 0, out: '' });
    const config = readFileSync(join(folder, name, 'toolwright.config.yaml'), 'utf8');
    expect(parse(config)).toMatchObject({ name, version: '0.1.0' });
  },
);

describe('where there is no room for a project, nothing is written', () => {
  test('docs is a file', async () => {
    mkdirSync(join(folder, 'app'));
    writeFileSync(join(folder, 'app', 'docs'), '');
    expect(await runCli(['init', 'app'], { cwd: folder })).toEqual({
      code: 2,
      out: '',
      err: `error ${join(folder, 'app', 'docs')} is a file, and must be a folder. Nothing was written.`,
    });
    expect(readdirSync(join(folder, 'app'))).toEqual(['docs']);
  });

  test.each(['app', 'app/deep/er'])('%s goes through a file', async (given) => {
    writeFileSync(join(folder, 'app'), '');
    expect(await runCli(['init', given], { cwd: folder })).toEqual({
      code: 2,
      out: '',
      err: `error ${join(folder, 'app')} is a file, and must be a folder. Nothing was written.`,
    });
    expect(readdirSync(folder)).toEqual(['app']);
  });
});
