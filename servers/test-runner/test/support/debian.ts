import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Installs Debian packages that are not installed, which needs root. */
export async function installDebianPackages(names: readonly string[]): Promise<void> {
  const missing = [];
  for (const name of names) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return;
  const install = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...missing];
  try {
    await runApt(install).catch(async () => {
      await runApt(['update']);
      await runApt(install);
    });
  } catch (error) {
    throw new Error(
      `These tests need the Debian packages ${missing.join(', ')}. Run \`apt-get install ${missing.join(' ')}\` as root.`,
      { cause: error },
    );
  }
}

/** One at a time: several files of tests install at their start, and apt does not wait for its list of packages. */
async function runApt(args: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await execute('flock', [join(tmpdir(), 'test-runner-apt.lock'), 'apt-get', ...args], { env });
}

async function isInstalled(name: string): Promise<boolean> {
  try {
    const { stdout } = await execute('dpkg-query', ['-W', '-f', '${Status}', name]);
    return stdout.endsWith(' installed');
  } catch {
    return false;
  }
}
