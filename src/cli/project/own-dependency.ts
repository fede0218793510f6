import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** A copy of this package. */
export interface OwnPackage {
  readonly folder: string;
  readonly version: string;
}

/**
 * The version of this package in the dependencies of a new project. A clone or an installed tarball may not be published, so the project
 * depends on that copy.
 */
export function findOwnDependency({ folder, version }: OwnPackage): string {
  const modules = dirname(folder);
  if (basename(modules) !== 'node_modules') return toFile(folder);
  const resolved = findResolved(modules);
  if (resolved?.startsWith('file:') !== true) return `^${version}`;
  const tarball = resolve(dirname(modules), resolved.slice('file:'.length));
  return toFile(existsSync(tarball) ? tarball : folder);
}

/** The source from which npm installed the package. */
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
