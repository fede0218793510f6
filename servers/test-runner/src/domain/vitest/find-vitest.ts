import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RunnerUnavailableError } from '../request-errors.ts';

/** Specifications of single tests by id exist since this version. */
const SUPPORTED = { major: 4, minor: 1 };

/** The vitest of a project. */
export interface VitestPackage {
  /** Real path of its `package.json`. */
  readonly manifest: string;
  readonly version: string;
}

/**
 * Finds vitest in `node_modules` of the project, or of the nearest folder above that has it. Other places where Node looks for packages are
 * not part of the project. Throws `RunnerUnavailableError`.
 */
export function findVitest(project: string): VitestPackage {
  const install = `Run \`npm install --save-dev vitest@${SUPPORTED.major}\` in ${project}.`;
  const found = findManifest(realpathSync(project));
  if (found === undefined) {
    throw new RunnerUnavailableError(
      process.execPath,
      `The project ${project} has no vitest: no node_modules/vitest in the folder or above. ${install}`,
    );
  }
  const [major = 0, minor = 0] = found.version.split('.').map(Number);
  if (major !== SUPPORTED.major || minor < SUPPORTED.minor) {
    throw new RunnerUnavailableError(
      process.execPath,
      `vitest ${found.version} in ${dirname(found.manifest)} is not supported: expected ${SUPPORTED.major}.${SUPPORTED.minor} or a later ${SUPPORTED.major}.x. ${install}`,
    );
  }
  return found;
}

function findManifest(folder: string): VitestPackage | undefined {
  try {
    const manifest = realpathSync(join(folder, 'node_modules', 'vitest', 'package.json'));
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: unknown };
    return { manifest, version: String(version) };
  } catch {
    const above = dirname(folder);
    return above === folder ? undefined : findManifest(above);
  }
}
