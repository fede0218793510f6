import { realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { DefinitionError } from '../../errors/errors.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import { readOrigin } from '../../outbound/read-origin.ts';
import { orNothing } from '../../resources/files/enclosure.ts';
import { openInside } from '../../resources/files/open-inside.ts';
import { looksLikeUri, nameOf, pathOf } from './document-uri.ts';

/** Roots and origins that external references may be loaded from. */
export interface ReferenceOptions {
  /** Folders, as paths or `file:` URLs. */
  readonly roots: readonly string[];
  /** Origins, such as `https://api.example.com`. */
  readonly origins: readonly string[];
  readonly cwd: string;
}

interface Root {
  /** As given: a path is compared with this before the file system is accessed. */
  readonly path: string;
  /** With links resolved. */
  readonly real: string;
}

/** Decides which references may be loaded, and opens only those. */
export class AllowedReferences {
  readonly #roots: readonly Root[];
  readonly #origins: ReadonlySet<string>;

  private constructor(roots: readonly Root[], origins: ReadonlySet<string>) {
    this.#roots = roots;
    this.#origins = origins;
  }

  static async create({ roots, origins, cwd }: ReferenceOptions): Promise<AllowedReferences> {
    const found = await Promise.all(roots.map((root) => findRoot(root, cwd)));
    return new AllowedReferences(found, new Set(origins.map(assertOrigin)));
  }

  readonly mayVisit = (origin: string): boolean => this.#origins.has(origin);

  /** The reason why a file may not be loaded from another one; undefined if it may. */
  refusalOf(target: URL, from: string): DefinitionError | undefined {
    const name = nameOf(target.href);
    switch (target.protocol) {
      case 'http:':
      case 'https:':
        // defence: origin-of-a-reference
        if (this.mayVisit(target.origin)) return undefined;
        return new DefinitionError(
          `${name} was not read: ${target.origin} is not among the allowed origins. Add it to references.origins to allow it.`,
          {
            reason: 'reference-origin',
            option: 'references.origins',
            expected: target.origin,
            received: name,
          },
        );
      case 'file:':
        return this.#refusalOfFile(target, { name, from });
      default:
        return new DefinitionError(
          from.startsWith('inline:') && target.protocol === 'inline:'
            ? `"${target.pathname.slice(1)}" was not read: a relative reference needs the URI of the document. Pass its uri, or load it from a file.`
            : `${name} was not read: references may use file:, http: and https: URLs, not ${target.protocol}`,
        );
    }
  }

  // defence: path-of-a-reference
  #refusalOfFile(target: URL, { name, from }: { name: string; from: string }): DefinitionError | undefined {
    if (/^https?:/.test(from))
      return new DefinitionError(`${name} was not read: ${nameOf(from)} may not refer to files.`);
    const path = pathOf(target);
    // A path outside of the roots is rejected before the file system is accessed: on some systems, access contacts
    // another machine.
    if (
      path !== undefined &&
      this.#roots.some((root) => isWithin(root.path, path) || isWithin(root.real, path))
    )
      return undefined;
    return outside(name, this.#roots);
  }

  /** Opens the file of a reference. Links are resolved before the check. */
  // defence: target-of-a-link
  async open(target: URL): Promise<FileHandle> {
    const name = nameOf(target.href);
    const path = pathOf(target);
    const real = path === undefined ? undefined : await orNothing(realpath(path));
    if (real === undefined) throw new DefinitionError(`File not found: ${name}.`);
    const root = this.#roots.find((each) => isWithin(each.real, real));
    if (root === undefined) throw outside(name, this.#roots);
    const within = relative(root.real, real).split(sep).join('/');
    const opened = await openInside({ root: root.real, showsHidden: true }, within);
    if (opened === undefined) throw new DefinitionError(`${name} is not a readable file.`);
    return opened.file;
  }
}

function outside(name: string, roots: readonly Root[]): DefinitionError {
  const expected = roots.map(({ path }) => path);
  const where =
    expected.length === 0 ? 'no files may be read for references' : `it is not in ${expected.join(', ')}`;
  return new DefinitionError(
    `${name} was not read: ${where}. Add its folder to references.roots to allow it.`,
    { reason: 'reference-root', option: 'references.roots', expected, received: name },
  );
}

/** Whether a path is inside a folder. */
function isWithin(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest !== '' && rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

async function findRoot(given: string, cwd: string): Promise<Root> {
  const url = looksLikeUri(given) ? new URL(given) : undefined;
  const path = url === undefined ? resolve(cwd, given) : url.protocol === 'file:' ? pathOf(url) : undefined;
  const real = path === undefined ? undefined : await orNothing(realpath(path));
  if (path === undefined || real === undefined) {
    const value = path ?? nameOf(given);
    throw wrongValue('fromOpenAPI', { option: 'references.roots', expected: 'folders that exist', value });
  }
  return { path, real };
}

function assertOrigin(given: string): string {
  const origin = readOrigin(given);
  if (origin !== undefined) return origin;
  throw wrongValue('fromOpenAPI', {
    option: 'references.origins',
    expected: 'origins such as "https://api.example.com", without a path',
    value: typeof given === 'string' && URL.canParse(given) ? nameOf(given) : given,
  });
}
