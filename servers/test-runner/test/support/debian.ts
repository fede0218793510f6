import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Installs Debian packages that are not installed, which needs root. */
export async function installDebianPackages(names: readonly string[]): Promise<void> {
  const missing = [];
  for (const name of names) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return;
  const install = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...missing];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await execute('apt-get', install, { env }).catch(async () => {
      await execute('apt-get', ['update'], { env });
      await execute('apt-get', install, { env });
    });
  } catch (error) {
    throw new Error(
      `These tests need the Debian packages ${missing.join(', ')}. Run \`apt-get install ${missing.join(' ')}\` as root.`,
      { cause: error },
    );
  }
}

async function isInstalled(name: string): Promise<boolean> {
  try {
    const { stdout } = await execute('dpkg-query', ['-W', '-f', '${Status}', name]);
    return stdout.endsWith(' installed');
  } catch {
    return false;
  }
}
