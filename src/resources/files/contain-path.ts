import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ValidationError } from '../../errors/errors.ts';
import { describeValue } from '../../errors/options/wrong-value.ts';
import { locateInside } from './enclosure.ts';
import { realFolder } from './real-folder.ts';

/** Options of {@link containPath}. */
export interface ContainPathOptions {
  /** The argument that the path came in, for the error. Default: `path`. */
  readonly field?: string;
}

/**
 * The real, absolute path of a file or folder that an argument names, which need not exist. Rejects with a `ValidationError` unless it is
 * inside the root: paths with `..`, other absolute paths, links that lead out. The error does not name the root.
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

/** One sentence for everything: which it is could tell what there is outside. */
const OUTSIDE =
  'must be a path inside the folder of this tool, without ".." and without links that lead out of it';

/** On other systems, what begins with a drive would be a strange name in the folder. */
const DRIVE = /^[A-Za-z]:/;

/** The path below one of the folders, with `/` between names; undefined where the text alone tells that it is not. */
function toRelative(given: unknown, folders: readonly string[]): string | undefined {
  if (typeof given !== 'string' || given === '') return undefined;
  if (process.platform !== 'win32' && DRIVE.test(given)) return undefined;
  const names = given.split(process.platform === 'win32' ? /[\\/]/ : '/');
  if (names.includes('..')) return undefined;
  if (!isAbsolute(given)) return names.filter(isName).join('/');
  const below = folders.map((folder) => relative(folder, given)).find((path) => !isOutside(path));
  return below?.split(sep).filter(isName).join('/');
}

/** `./a//b/` is how people write `a/b`. */
function isName(name: string): boolean {
  return name !== '' && name !== '.';
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}
