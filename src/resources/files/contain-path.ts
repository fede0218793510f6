import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ValidationError } from '../../errors/errors.ts';
import { describeValue } from '../../errors/options/wrong-value.ts';
import { locateInside } from './enclosure.ts';
import { realFolder } from './real-folder.ts';

/** Options of {@link containPath}. */
export interface ContainPathOptions {
  /** Name of the argument, for the error. Default: `'path'`. */
  readonly field?: string;
}

/**
 * Resolves a path argument to the real, absolute path of a file or folder inside the root; it need not exist. Rejects with a
 * `ValidationError` for paths outside: with `..`, other absolute paths, links that lead out. The error does not contain the root.
 *
 * @example
 * const file = await containPath(exportFolder, input.filename, { field: 'filename' });
 * await writeFile(file, csv);
 */
export async function containPath(
  root: string | URL,
  given: string,
  { field = 'path' }: ContainPathOptions = {},
): Promise<string> {
  const folder = realFolder('containPath', root);
  const path = toRelative(given, [resolve(root instanceof URL ? fileURLToPath(root) : root), folder]);
  const real = path === undefined ? undefined : await locateInside({ root: folder, showsHidden: true }, path);
  if (real !== undefined) return real;
  throw new ValidationError([
    { path: [field], message: OUTSIDE, expected: 'a relative path', received: describeValue(given) },
  ]);
}

/** One message for all cases: the exact one could reveal what exists outside. */
const OUTSIDE =
  'must be a path inside the folder of this tool, without ".." and without links that lead out of it';

/** On other systems, a drive letter would be an unusual name in the folder. */
const DRIVE = /^[A-Za-z]:/;

/** The path relative to one of the folders, with `/` as separator; undefined if the text alone shows that it is outside. */
function toRelative(given: unknown, folders: readonly string[]): string | undefined {
  if (typeof given !== 'string' || given === '') return undefined;
  if (process.platform !== 'win32' && DRIVE.test(given)) return undefined;
  const names = given.split(process.platform === 'win32' ? /[\\/]/ : '/');
  if (names.includes('..')) return undefined;
  if (!isAbsolute(given)) return names.filter(isName).join('/');
  const below = folders.map((folder) => relative(folder, given)).find((path) => !isOutside(path));
  return below?.split(sep).filter(isName).join('/');
}

/** `./a//b/` means `a/b`. */
function isName(name: string): boolean {
  return name !== '' && name !== '.';
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}
