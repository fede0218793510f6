import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** A copy of this package. */
export interface OwnPackage {
  readonly folder: string;
  readonly version: string;
}

/**
 * How a new project names this package. A clone, and what was installed from a tarball, is no version that a registry is known to have: the
 * project gets that very copy.
 */
export function findOwnDependency({ folder, version }: OwnPackage): string {
  const modules = dirname(folder);
  if (basename(modules) !== 'node_modules') return toFile(folder);
  const resolved = findResolved(modules);
  if (resolved?.startsWith('file:') !== true) return `^${version}`;
  const tarball = resolve(dirname(modules), resolved.slice('file:'.length));
  return toFile(existsSync(tarball) ? tarball : folder);
}

/** What npm wrote down when it installed the package. */
function findResolved(modules: string): string | undefined {
  try {
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
      readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
    };
    return packages?.['node_modules/toolwright']?.resolved;
  } catch {
    return undefined;
  }
}

function toFile(path: string): string {
  return `file:${path.replaceAll('\\', '/')}`;
}
