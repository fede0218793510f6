/** Shared steps of the scripts: setup, and running commands. It needs only Node. */
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Rejects a version of Node that is too old, before something else fails with a less clear message. */
export function assertNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
      `Toolwright requires Node 20.19 or newer; this is ${process.version}. Install it from https://nodejs.org.`,
    );
    process.exit(1);
  }
}

/** Runs a command in the repository. Its output is inherited unless it is captured. */
export function run(command, args, { capture = false, cwd = root } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    stdio: capture ? 'pipe' : 'inherit',
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (result.error) throw result.error;
  const { stdout, stderr } = result;
  return { ok: result.status === 0, stdout: stdout ?? '', output: `${stdout ?? ''}${stderr ?? ''}` };
}

/** Runs a tool of the development dependencies. */
export function runTool(name, args, options) {
  return run(process.execPath, [toolPath(name), ...args], options);
}

function toolPath(name) {
  const { bin } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  const entries = typeof bin === 'string' ? { [name]: bin } : bin;
  const [first] = Object.values(entries);
  return join(root, 'node_modules', name, entries[name.split('/').pop()] ?? first);
}

/**
 * Installs the locked dependencies unless they are installed. `rootOnly`: those of the servers' workspaces are left out, which is enough for
 * the library and for the servers that need nothing else. `isQuiet`: nothing is written to standard output.
 */
export function ensureInstalled({ rootOnly = false, isQuiet = false } = {}) {
  if (!install(root, { rootOnly, isQuiet })) {
    console.error('npm ci failed; see above.');
    process.exit(1);
  }
  // npm links the package into its own folder for the workspaces; without them, the servers need the same link.
  const link = join(root, 'node_modules', 'toolwright');
  if (rootOnly && !existsSync(link)) symlinkSync(root, link, 'junction');
}

/** Like {@link ensureInstalled}, for any folder with a lock file. Returns whether it succeeded. */
export function install(cwd, { rootOnly = false, isQuiet = false } = {}) {
  const lock = readFileSync(join(cwd, 'package-lock.json'));
  const whole = createHash('sha256').update(lock).digest('hex');
  const wanted = rootOnly ? `${whole} without workspaces` : whole;
  const stamp = join(cwd, 'node_modules', '.installed-lock');
  if (existsSync(stamp) && [whole, wanted].includes(readFileSync(stamp, 'utf8'))) return true;
  // npm would delete the target of the symbolic link.
  if (lstatSync(join(cwd, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error(
      `${join(cwd, 'node_modules')} is a symbolic link, and its packages differ from the lock file. Remove the link.`,
    );
    return false;
  }
  const announce = isQuiet ? console.error : console.log;
  announce(cwd === root ? 'Installing dependencies …' : `Installing dependencies of ${basename(cwd)}/ …`);
  const only = rootOnly ? ['--workspaces=false'] : [];
  const installed = run('npm', ['ci', ...only, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    capture: isQuiet,
  });
  if (!installed.ok) {
    console.error(installed.output);
    return false;
  }
  writeFileSync(stamp, wanted);
  return true;
}

/** All servers; one that another needs comes first. */
const SERVERS = ['notes', 'everything', 'memory', 'filesystem', 'ynab-api', 'ynab', 'test-runner', 'fitness'];

/** Compiles the library and the servers from scratch. */
export function build({ capture = false, servers = SERVERS } = {}) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const library = runTool('typescript', ['-p', 'tsconfig.build.json'], { capture });
  if (!library.ok) return library;
  const bundled = run(process.execPath, [join(root, 'scripts', 'bundle.mjs')], { capture });
  if (!bundled.ok) return bundled;
  const pruned = run(process.execPath, [join(root, 'scripts', 'prune-declarations.mjs')], { capture });
  if (!pruned.ok) return pruned;
  for (const server of servers) {
    rmSync(join(root, 'servers', server, 'dist'), { recursive: true, force: true });
    const built = runTool('typescript', ['-p', `servers/${server}/tsconfig.json`], { capture });
    if (!built.ok) return built;
  }
  return { ok: true, output: library.output };
}
