import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findOwnDependency } from '../../../src/cli/project/own-dependency.ts';
import { runCli } from './run-cli.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each(['2048', 'true', 'null', '1e3', 'no', '0x10', 'weather'])(
  'a project may be called %s',
  async (name) => {
    const line = ['init', name, '--template', 'config'];
    expect(await runCli(line, { cwd: folder })).toMatchObject({ code: 0, out: '' });
    const config = readFileSync(join(folder, name, 'toolwright.config.yaml'), 'utf8');
    expect(parse(config)).toMatchObject({ name, version: '0.1.0' });
  },
);

describe('where there is no room for a project, nothing is written', () => {
  test('docs is a file', async () => {
    mkdirSync(join(folder, 'app'));
    writeFileSync(join(folder, 'app', 'docs'), '');
    expect(await runCli(['init', 'app', '--template', 'config'], { cwd: folder })).toEqual({
      code: 2,
      out: '',
      err: `error ${join(folder, 'app', 'docs')} must be a folder, but is a file. Nothing was written.`,
    });
    expect(readdirSync(join(folder, 'app'))).toEqual(['docs']);
  });

  test.each(['app', 'app/deep/er'])('%s goes through a file', async (given) => {
    writeFileSync(join(folder, 'app'), '');
    expect(await runCli(['init', given], { cwd: folder })).toEqual({
      code: 2,
      out: '',
      err: `error ${join(folder, 'app')} must be a folder, but is a file. Nothing was written.`,
    });
    expect(readdirSync(folder)).toEqual(['app']);
  });
});

describe('missing arguments', () => {
  /** The questions of `init`, and the created files. */
  async function asked(
    typed: readonly (string | undefined)[],
    ...flags: string[]
  ): Promise<[string[], string[]]> {
    const questions: string[] = [];
    const lines = [...typed];
    const ask = async (question: string): Promise<string | undefined> => {
      questions.push(question);
      return lines.shift();
    };
    const { code } = await runCli(['init', 'app', ...flags], { cwd: folder, ask });
    expect(code).toBe(0);
    return [questions, readdirSync(join(folder, 'app', 'src')).toSorted()];
  }

  test('is asked for in a terminal', async () => {
    expect(await asked(['http', 'js'])).toEqual([
      ['template (minimal, http, openapi, config) [minimal]: ', 'language (ts, js) [ts]: '],
      ['main.js', 'server.js', 'tools.js', 'tools.test.js'],
    ]);
  });

  test('is the minimal template in TypeScript where nothing is said', async () => {
    expect((await asked(['', '']))[1]).toEqual(['main.ts', 'server.ts', 'tools.test.ts', 'tools.ts']);
    expect((await runCli(['init', 'other'], { cwd: folder })).code).toBe(0);
    expect(readdirSync(join(folder, 'other')).toSorted()).toEqual([
      '.gitignore',
      'README.md',
      'package.json',
      'src',
      'tsconfig.json',
    ]);
  });

  test('is not asked for when it is given', async () => {
    expect((await asked([], '-t', 'config', '-l', 'js'))[0]).toEqual([]);
  });

  test.each([
    [
      ['--template', 'minimall'],
      'error Invalid --template "minimall": expected minimal, http, openapi, config. Did you mean "minimal"? Nothing was written.',
    ],
    [['--language', 'python'], 'error Invalid --language "python": expected ts, js. Nothing was written.'],
  ])('%j', async (flags, err) => {
    expect(await runCli(['init', 'app', ...flags], { cwd: folder })).toEqual({ code: 2, out: '', err });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a new project depends on', () => {
  const modules = (): string => join(folder, 'node_modules');
  const own = (): { folder: string; version: string } => ({
    folder: join(modules(), 'toolwright'),
    version: '1.2.3',
  });
  const lock = (resolved: string | undefined): void => {
    mkdirSync(own().folder, { recursive: true });
    const packages = { 'node_modules/toolwright': { version: '1.2.3', resolved } };
    writeFileSync(join(modules(), '.package-lock.json'), JSON.stringify({ packages }));
  };

  test('the version that came from a registry', () => {
    lock('https://registry.example.com/toolwright/-/toolwright-1.2.3.tgz');
    expect(findOwnDependency(own())).toBe('^1.2.3');
    lock(undefined);
    expect(findOwnDependency(own())).toBe('^1.2.3');
  });

  test('the tarball that was installed, or what is left of it', () => {
    lock('file:toolwright-1.2.3.tgz');
    expect(findOwnDependency(own())).toBe(`file:${own().folder}`);
    writeFileSync(join(folder, 'toolwright-1.2.3.tgz'), '');
    expect(findOwnDependency(own())).toBe(`file:${join(folder, 'toolwright-1.2.3.tgz')}`);
  });

  test('the clone', () => {
    expect(findOwnDependency({ folder: '/home/ada/toolwright', version: '1.2.3' })).toBe(
      'file:/home/ada/toolwright',
    );
  });
});
