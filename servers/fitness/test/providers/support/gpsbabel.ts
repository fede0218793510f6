import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Formats of gpsbabel. The sport of TCX is set; FIT of gpsbabel has none. */
const FORMATS = {
  gpx: 'gpx,garminextensions',
  tcx: 'gtrnctr,course=0,sport=Running',
  fit: 'garmin_fit',
} as const;

/**
 * Converts a GPX file with gpsbabel, a converter that is independent of our readers. If the machine has none, Debian's `gpsbabel` is
 * installed, which needs root. Tests are never skipped.
 */
export async function convertGpx(input: string, to: keyof typeof FORMATS, output: string): Promise<void> {
  await assertGpsbabel();
  await execute('gpsbabel', ['-i', 'gpx', '-f', input, '-o', FORMATS[to], '-F', output]);
}

async function assertGpsbabel(): Promise<void> {
  if (await hasGpsbabel()) return;
  await installGpsbabel();
  if (await hasGpsbabel()) return;
  throw new Error(
    'No gpsbabel after the installation of the package. Install gpsbabel so that it is in the PATH.',
  );
}

async function hasGpsbabel(): Promise<boolean> {
  return execute('gpsbabel', ['-V']).then(
    () => true,
    () => false,
  );
}

async function installGpsbabel(): Promise<void> {
  const install = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', 'gpsbabel'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await execute('apt-get', install, { env }).catch(async () => {
      await execute('apt-get', ['update'], { env });
      await execute('apt-get', install, { env });
    });
  } catch (error) {
    throw new Error(
      'These tests need gpsbabel: it is not in the PATH, and `apt-get install gpsbabel` failed. Install it with the package manager of the system.',
      { cause: error },
    );
  }
}
