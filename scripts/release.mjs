/**
 * `npm run release -- <patch|minor|major|x.y.z> [--dry-run]`: checks, packs and tests the package; then updates the changelog, commits and
 * tags. It does not publish. With --dry-run, the repository is not changed, and `npm test` is skipped. It needs only Node, npm and git.
 */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CHECKS, PACKAGE_CHECKS, runChecks } from './check.mjs';
import { nextVersion, releaseChangelog, ReleaseError } from './release/plan.mjs';
import { smokeChecks } from './release/smoke.mjs';
import { assertNode, build, ensureInstalled, root, run } from './steps.mjs';

const USAGE = 'Usage: npm run release -- <patch|minor|major|x.y.z> [--dry-run]';

assertNode();
try {
  release(readArguments(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function readArguments(args) {
  const isDryRun = args.includes('--dry-run');
  const [wanted = isDryRun ? 'patch' : undefined, ...rest] = args.filter((arg) => arg !== '--dry-run');
  if (wanted === undefined) throw new ReleaseError(`The version is missing.\n${USAGE}`);
  const unexpected = [wanted, ...rest].find((arg, index) => index > 0 || arg.startsWith('-'));
  if (unexpected !== undefined) throw new ReleaseError(`Unexpected argument "${unexpected}".\n${USAGE}`);
  return { wanted, isDryRun };
}

function release({ wanted, isDryRun }) {
  const plan = makePlan(wanted);
  console.log(`${isDryRun ? 'Dry run of release' : 'Release'} ${plan.version}`);
  ensureInstalled();
  // `npm test` includes the checks.
  if (!isDryRun && !run(process.execPath, [join(root, 'scripts/test.mjs')]).ok)
    throw new ReleaseError('npm test failed.');
  if (isDryRun) check(CHECKS);
  check([['build', () => build({ capture: true })], ...(isDryRun ? PACKAGE_CHECKS : [])]);

  const folder = mkdtempSync(join(tmpdir(), 'toolwright-release-'));
  try {
    const tarball = pack(plan, folder);
    check(smokeChecks({ tarball, version: plan.version, folder }));
    if (isDryRun) console.log(`${plan.version} can be released. Dry run: nothing was changed.`);
    else publishable(plan, tarball);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks the preconditions. */
function makePlan(wanted) {
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = nextVersion(current, wanted);
  const changes = git('status', '--porcelain');
  if (changes !== '')
    throw new ReleaseError(`The working tree has changes. Commit or stash them first:\n${changes}`);
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '')
    throw new ReleaseError(`The tag ${tag} already exists. Choose another version.`);
  const date = new Date().toISOString().slice(0, 10);
  const changelog = releaseChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, date);
  return { version, tag, changelog };
}

/** Packs a copy of the files of the package with the new version and changelog; returns the path of the tarball. */
function pack({ version, changelog }, folder) {
  const copy = join(folder, 'package');
  for (const { path } of npmJson('pack', '--dry-run', '--ignore-scripts')[0].files) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify({ ...manifest, version }, undefined, 2)}\n`);
  writeFileSync(join(copy, 'CHANGELOG.md'), changelog);
  const [{ filename }] = npmJson('pack', copy, '--ignore-scripts', '--pack-destination', folder);
  return join(folder, filename);
}

/** Changes the repository: changelog, version, commit, tag, and the tested tarball. */
function publishable({ version, tag, changelog }, tarball) {
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  const flags = [
    '--allow-same-version',
    '--no-git-tag-version',
    '--no-workspaces-update',
    '--ignore-scripts',
  ];
  try {
    demand(run('npm', ['version', version, ...flags], { capture: true }), 'npm version');
    git('commit', '--all', '--quiet', '--message', `Release ${version}`);
  } catch (error) {
    git('checkout', '--quiet', '--', '.');
    throw error;
  }
  git('tag', '--annotate', tag, '--message', `Release ${version}`);
  const name = `toolwright-${version}.tgz`;
  copyFileSync(tarball, join(root, name));
  console.log(`Committed and tagged ${tag}; the package is ${name}. To publish it:

  git push --follow-tags
  npm publish ./${name}`);
}

function check(checks) {
  for (const each of checks)
    if (runChecks([each]).failed > 0) throw new ReleaseError(`Nothing was released: "${each[0]}" failed.`);
}

function git(...args) {
  return demand(run('git', args, { capture: true }), `git ${args[0]}`).trimEnd();
}

function npmJson(...args) {
  const result = run('npm', [...args, '--json', '--loglevel=error'], { capture: true });
  demand(result, `npm ${args[0]}`);
  return JSON.parse(result.stdout);
}

function demand({ ok, output }, command) {
  if (!ok) throw new ReleaseError(`${command} failed:\n${output}`);
  return output;
}
