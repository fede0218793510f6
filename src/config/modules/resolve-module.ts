import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { DefinitionError } from '../../errors/errors.ts';
import { isNode } from '../../schema/nodes/json-node.ts';

/** Resolves a module from the folder of the configuration: a path, or the name of a package. */
export function resolveModule(name: string, from: string): string {
  if (/^\.{0,2}\//.test(name) || isAbsolute(name)) return resolve(dirname(from), name);
  return resolveExport(name, from) ?? createRequire(from).resolve(name);
}

/**
 * Resolves the `exports` of a package for `import`; undefined for a package without `exports`, or one that is not installed.
 * `import.meta.resolve` resolves only from this file, and `require.resolve` only what is exported for `require`.
 */
function resolveExport(name: string, from: string): string | undefined {
  const parts = name.split('/');
  const length = name.startsWith('@') ? 2 : 1;
  const packageName = parts.slice(0, length).join('/');
  const subpath = ['.', ...parts.slice(length)].join('/');
  const root = (createRequire(from).resolve.paths(name) ?? [])
    .map((folder) => join(folder, packageName))
    .find((folder) => existsSync(join(folder, 'package.json')));
  if (root === undefined) return undefined;
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports?: unknown };
  if (exports === undefined || exports === null) return undefined;
  const target = findExport(exports, subpath);
  if (target === undefined)
    throw new DefinitionError(`the package "${packageName}" does not export "${subpath}" for import.`);
  return join(root, target);
}

function findExport(exports: unknown, subpath: string): string | undefined {
  const isTable = isNode(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  const table = isTable ? exports : { '.': exports };
  if (Object.hasOwn(table, subpath) && !subpath.includes('*')) return pickTarget(table[subpath], '');
  const [best] = Object.keys(table)
    .filter((key) => key.includes('*'))
    .map((key) => {
      const star = key.indexOf('*');
      return { key, head: key.slice(0, star), tail: key.slice(star + 1) };
    })
    .filter(
      ({ head, tail }) =>
        subpath.startsWith(head) && subpath.endsWith(tail) && subpath.length > head.length + tail.length,
    )
    .toSorted((one, other) => other.head.length - one.head.length || other.key.length - one.key.length);
  if (best === undefined) return undefined;
  const matched = subpath.slice(best.head.length, subpath.length - best.tail.length);
  return pickTarget(table[best.key], matched);
}

/** Export conditions that apply. The first matching condition of a package wins. */
const CONDITIONS = new Set(['node', 'import', 'default']);

function pickTarget(target: unknown, matched: string): string | undefined {
  if (typeof target === 'string')
    return target.startsWith('./') ? target.replaceAll('*', () => matched) : undefined;
  const choices = Array.isArray(target)
    ? (target as readonly unknown[])
    : isNode(target)
      ? Object.entries(target)
          .filter(([condition]) => CONDITIONS.has(condition))
          .map(([, choice]) => choice)
      : [];
  for (const choice of choices) {
    const found = pickTarget(choice, matched);
    if (found !== undefined) return found;
  }
  return undefined;
}
