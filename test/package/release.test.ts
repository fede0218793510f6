import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assertBuilt, ROOT, VERSION } from '../support/dist.ts';

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'toolwright-releases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [MAJOR = 0, MINOR = 0] = VERSION.split('.').map(Number);
const NEXT_MINOR = `${MAJOR}.${MINOR + 1}.0`;
const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.0.1] - 2026-01-01\n\n- The start.\n';

/** Independent of the configuration of the user who runs the tests. */
const ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
  GIT_CONFIG_NOSYSTEM: '1',
};
writeFileSync(ENV.GIT_CONFIG_GLOBAL, '[user]\n\tname = Maintainer\n\temail = maintainer@example.com\n');

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, env: ENV, encoding: 'utf8' });
}

function commit(cwd: string): void {
  git(cwd, 'add', '--all');
  git(cwd, 'commit', '--quiet', '--message', 'State');
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function release(cwd: string, ...args: string[]): Promise<Ran> {
  return execute(process.execPath, [join(cwd, 'scripts/release.mjs'), ...args], {
    cwd,
    env: ENV,
    timeout: 240_000,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      out: stdout,
      err: stderr,
    }),
  );
}

describe('bad input ends the release before anything runs:', () => {
  const repository = join(folder, 'toy');

  beforeAll(() => {
    mkdirSync(repository);
    cpSync(join(ROOT, 'scripts'), join(repository, 'scripts'), { recursive: true });
    writeFileSync(join(repository, 'package.json'), JSON.stringify({ name: 'toy', version: '1.2.3' }));
    git(repository, 'init', '--quiet');
  });
  beforeEach(() => {
    writeFileSync(join(repository, 'CHANGELOG.md'), CHANGELOG);
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '--allow-empty', '--message', 'State');
  });

  const USAGE = 'Usage: npm run release -- <patch|minor|major|x.y.z> [--dry-run]\n';
  test.each([
    [[], `The version is missing.\n${USAGE}`],
    [['big'], 'Unknown version "big": use patch, minor, major or a version such as 1.3.0.\n'],
    [['v1.3.0'], 'Unknown version "v1.3.0": use patch, minor, major or a version such as 1.3.0.\n'],
    [['1.3'], 'Unknown version "1.3": use patch, minor, major or a version such as 1.3.0.\n'],
    [['1.2.2'], 'Version 1.2.2 is lower than the current version 1.2.3.\n'],
    [['0.9.9', '--dry-run'], 'Version 0.9.9 is lower than the current version 1.2.3.\n'],
    [['minor', 'major'], `Unexpected argument "major".\n${USAGE}`],
    [['minor', '--publish'], `Unexpected argument "--publish".\n${USAGE}`],
    [['--dry'], `Unexpected argument "--dry".\n${USAGE}`],
  ])('%j', async (args, err) => {
    expect(await release(repository, ...args)).toEqual({ code: 1, out: '', err });
  });

  test('a working tree with changes', async () => {
    writeFileSync(join(repository, 'CHANGELOG.md'), `${CHANGELOG}\n`);
    writeFileSync(join(repository, 'new.txt'), '');
    const err = 'The working tree has changes. Commit or stash them first:\n M CHANGELOG.md\n?? new.txt\n';
    expect(await release(repository, 'minor', '--dry-run')).toEqual({ code: 1, out: '', err });
    rmSync(join(repository, 'new.txt'));
  });

  test.each([
    [
      'no entries',
      '# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [0.0.1] - 2026-01-01\n\n- The start.\n',
    ],
    ['nothing at all', '# Changelog\n\n## [Unreleased]\n'],
  ])('a section "Unreleased" with %s', async (_what, text) => {
    writeFileSync(join(repository, 'CHANGELOG.md'), text);
    commit(repository);
    const err = 'The section "Unreleased" of CHANGELOG.md is empty: nothing to release.\n';
    expect(await release(repository, 'minor', '--dry-run')).toEqual({ code: 1, out: '', err });
  });

  test('no section "Unreleased", and one of the version already', async () => {
    writeFileSync(join(repository, 'CHANGELOG.md'), '# Changelog\n');
    commit(repository);
    expect((await release(repository, 'minor')).err).toBe(
      'CHANGELOG.md has no line "## [Unreleased]". Add it above the latest version.\n',
    );
    writeFileSync(join(repository, 'CHANGELOG.md'), CHANGELOG.replace('0.0.1', '1.3.0'));
    commit(repository);
    expect((await release(repository, 'minor')).err).toBe(
      'CHANGELOG.md already has a section for 1.3.0. Choose another version.\n',
    );
  });

  test('a tag of the version', async () => {
    git(repository, 'tag', 'v2.0.0');
    expect((await release(repository, 'major')).err).toBe(
      'The tag v2.0.0 already exists. Choose another version.\n',
    );
  });
});

describe('a release of this package', () => {
  const repository = join(folder, 'copy');
  /** The checks and tests are run elsewhere; here they pass or fail as told. */
  const replaceChecks = (isGreen: boolean): void => {
    const checks = `[['checks', () => ({ ok: ${isGreen}, output: 'red' })]]`;
    writeFileSync(
      join(repository, 'scripts/check.mjs'),
      readFileSync(join(ROOT, 'scripts/check.mjs'), 'utf8')
        .replace('export const CHECKS =', `export const CHECKS = ${checks};\nexport const REAL_CHECKS =`)
        .replace(
          'export const PACKAGE_CHECKS =',
          'export const PACKAGE_CHECKS = [];\nexport const REAL_PACKAGE_CHECKS =',
        ),
    );
    writeFileSync(join(repository, 'scripts/test.mjs'), `process.exitCode = ${isGreen ? 0 : 1};\n`);
    commit(repository);
  };
  /** The first release builds. The others pack the same build, because the sources do not change. */
  const keepBuild = (): void => {
    const built = "export function build() {\n  return { ok: true, output: '' };\n}\nfunction realBuild(";
    const steps = read('scripts/steps.mjs');
    expect(steps).toContain('export function build(');
    writeFileSync(
      join(repository, 'scripts/steps.mjs'),
      steps.replace('export function build(', () => built),
    );
    commit(repository);
  };
  const state = (): string[] => [
    git(repository, 'status', '--porcelain'),
    git(repository, 'rev-parse', 'HEAD'),
    git(repository, 'tag', '--list'),
  ];
  const read = (file: string): string => readFileSync(join(repository, file), 'utf8');

  beforeAll(() => {
    assertBuilt();
    // Files for a build and a package, without tests.
    const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--'];
    const parts = [
      '*.json',
      '*.md',
      'LICENSE',
      '.gitignore',
      '.npmrc',
      'docs',
      'examples',
      'scripts',
      'servers',
      'src',
    ];
    const files = execFileSync('git', [...listed, ...parts, ':!test', ':!bench', ':!conformance'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
      mkdirSync(dirname(join(repository, file)), { recursive: true });
      cpSync(join(ROOT, file), join(repository, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(repository, 'node_modules'));
    writeFileSync(join(repository, '.gitignore'), `${read('.gitignore')}node_modules\n`);
    writeFileSync(join(repository, 'CHANGELOG.md'), CHANGELOG);
    git(repository, 'init', '--quiet');
    replaceChecks(true);
  }, 120_000);

  test('stops where a check fails', async () => {
    replaceChecks(false);
    const before = state();
    const dryRun = await release(repository, 'minor', '--dry-run');
    expect(dryRun).toMatchObject({ code: 1, err: 'Nothing was released: "checks" failed.\n' });
    expect(await release(repository, 'minor')).toMatchObject({ code: 1, err: 'npm test failed.\n' });
    expect(state()).toEqual(before);
    replaceChecks(true);
  }, 120_000);

  test('stops where the packed package does not work, whatever works in the repository', async () => {
    const manifest = read('package.json');
    writeFileSync(join(repository, 'package.json'), manifest.replace('"dist/**/*.d.ts",', ''));
    commit(repository);
    const before = state();
    const { code, err } = await release(repository, 'minor', '--dry-run');
    const name = 'every entry and the first example of the README compile';
    expect({ code, err }).toEqual({ code: 1, err: `Nothing was released: "${name}" failed.\n` });
    expect(state()).toEqual(before);
    writeFileSync(join(repository, 'package.json'), manifest);
    keepBuild();
  }, 240_000);

  test('with --dry-run packs and tries the package, and changes nothing', async () => {
    const before = state();
    const { code, out, err } = await release(repository, 'minor', '--dry-run');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      `Dry run of release ${NEXT_MINOR}`,
      'ok     checks',
      'ok     build',
      'ok     install the package in an empty folder',
      'ok     toolwright --version',
      'ok     every entry and the first example of the README compile',
      'ok     the first example of the README answers a call',
      'ok     toolwright init',
      'ok     the tests of the new project',
      `${NEXT_MINOR} can be released. Dry run: nothing was changed.`,
      '',
    ]);
    expect(state()).toEqual(before);
    expect(read('CHANGELOG.md')).toBe(CHANGELOG);
    expect(existsSync(join(repository, `toolwright-${NEXT_MINOR}.tgz`))).toBe(false);
  }, 240_000);

  test('moves the changelog and the version, commits, tags, keeps the package, and prints how to publish it', async () => {
    const { code, out } = await release(repository, 'minor');
    expect(code).toBe(0);
    expect(out).toContain(`  git push --follow-tags\n  npm publish ./toolwright-${NEXT_MINOR}.tgz\n`);
    expect(read('CHANGELOG.md')).toMatch(
      /^# Changelog\n\n## \[Unreleased\]\n\n## \[\d+\.\d+\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\.\n\n## \[0\.0\.1\]/,
    );
    expect(read('CHANGELOG.md')).toContain(`\n## [${NEXT_MINOR}] - 20`);
    expect(JSON.parse(read('package.json'))).toMatchObject({ name: 'toolwright', version: NEXT_MINOR });
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: NEXT_MINOR,
      packages: { '': { version: NEXT_MINOR } },
    });
    expect(git(repository, 'show', '--stat', '--format=%s', 'HEAD')).toMatch(
      new RegExp(
        `^Release ${NEXT_MINOR}\n\n CHANGELOG\\.md +\\| 2 .*\n package-lock\\.json +\\| 4 .*\n package\\.json +\\| 2 .*\n 3 files changed`,
      ),
    );
    expect(git(repository, 'status', '--porcelain')).toBe('');
    expect(git(repository, 'rev-parse', `v${NEXT_MINOR}^{commit}`)).toBe(
      git(repository, 'rev-parse', 'HEAD'),
    );
    const manifest = execFileSync('tar', ['-xzOf', `toolwright-${NEXT_MINOR}.tgz`, 'package/package.json'], {
      cwd: repository,
      encoding: 'utf8',
    });
    expect(manifest).toBe(read('package.json'));
  }, 240_000);
});
