import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const MANIFEST = 'servers/fitness/package.json';
/** Dependencies that no other part of the repository has. */
const OWN = ['@resvg/resvg-js', 'dejavu-fonts-ttf', 'fast-xml-parser', 'fit-file-parser'];

const folder = mkdtempSync(join(tmpdir(), 'fitness-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The dependencies of this server that a command of npm would install. */
function listInstalled(args: readonly string[]): readonly string[] {
  const dry = execFileSync('npm', [...args, '--dry-run', '--offline', '--loglevel=notice'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const added = new Set(Array.from(dry.matchAll(/^add (\S+)/gm), ([, name]) => name));
  expect(added).toContain('typescript');
  return OWN.filter((name) => added.has(name));
}

test('npm start installs none of the dependencies of this server', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, MANIFEST), 'utf8')) as {
    readonly dependencies: object;
  };
  expect(Object.keys(dependencies)).toEqual([...OWN, 'libsql', 'toolwright', 'zod']);
  for (const file of [
    'package.json',
    'package-lock.json',
    MANIFEST,
    'scripts/start.mjs',
    'scripts/steps.mjs',
  ])
    cpSync(join(ROOT, file), join(folder, file));
  // Takes the place of npm: writes its arguments to a file, and fails.
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const seen = join(folder, 'arguments');
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}'\nexit 1\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` };
  expect(spawnSync(process.execPath, [join(folder, 'scripts/start.mjs')], { env }).status).toBe(1);
  const args = readFileSync(seen, 'utf8').trimEnd().split('\n');
  expect(listInstalled(args.filter((argument) => !argument.startsWith('--loglevel')))).toEqual([]);
  expect(listInstalled(['ci'])).toEqual(OWN);
});
