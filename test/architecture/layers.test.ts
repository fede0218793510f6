import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

/** Inner to outer. A folder imports only from itself and from folders to its left. */
const LAYERS = [
  'errors',
  'schema',
  'model',
  'format',
  'stores',
  'middleware',
  'pipeline',
  'tools',
  'prompts',
  'resources',
  'outbound',
  'openapi',
  'registry',
  'tasks',
  'auth',
  'wire',
  'server',
  'transport',
  'client',
  'testing',
  'inspect',
  'config',
  'cli',
];

describe('the layers of src/', () => {
  test('every folder has a place in the layer table', () => {
    expect(unlistedFolders('src')).toEqual([]);
  });

  test('every import points to the same layer or a lower one', () => {
    const { checked, upward } = checkImports('src');
    expect(upward).toEqual([]);
    expect(checked).toBeGreaterThan(200);
  });
});

describe('the check itself', () => {
  test('an upward import is found, also of a type, a re-export and a dynamic import', () => {
    const tree = {
      'errors/a.ts': "import { b } from '../registry/b.ts';\nexport { b };",
      'errors/b.ts': "import type { B } from '../registry/b.ts';\nexport type C = B;",
      'errors/c.ts': "export * from '../registry/b.ts';",
      'errors/d.ts': "export type { B } from '../registry/b.ts';",
      'errors/e.ts': "export const load = () => import('../registry/b.ts');",
      'errors/f.ts': "export type F = import('../registry/b.ts').B;",
      'errors/g.mts': "export type { B } from '../registry/b.ts';",
      'errors/h.ts': "export type { B } from '../index.ts';",
      'index.ts': "export type { B } from './registry/b.ts';",
      'registry/b.ts': "export const b = 1;\nexport type B = string;\nexport { ok } from '../errors/ok.ts';",
      'errors/ok.ts': "export const ok = `import { x } from '../registry/b.ts'`;",
    };
    withTree(tree, (root) => {
      expect(checkImports(root).upward).toEqual([
        'errors/a.ts -> registry/b.ts',
        'errors/b.ts -> registry/b.ts',
        'errors/c.ts -> registry/b.ts',
        'errors/d.ts -> registry/b.ts',
        'errors/e.ts -> registry/b.ts',
        'errors/f.ts -> registry/b.ts',
        'errors/g.mts -> registry/b.ts',
        'errors/h.ts -> index.ts',
      ]);
    });
  });

  test('a folder that is not in the table is found', () => {
    withTree({ 'errors/a.ts': '', 'utils/b.ts': '' }, (root) => {
      expect(unlistedFolders(root)).toEqual(['utils']);
    });
  });

  test('an empty tree is refused', () => {
    withTree({}, (root) => {
      expect(() => unlistedFolders(root)).toThrow('no folders');
      expect(() => checkImports(root)).toThrow('no source files');
    });
  });
});

function unlistedFolders(root: string): string[] {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (folders.length === 0) throw new Error(`no folders in ${root}: nothing was checked`);
  return folders.map((entry) => entry.name).filter((name) => !LAYERS.includes(name));
}

function checkImports(root: string): { checked: number; upward: string[] } {
  const files = sourceFiles(root);
  if (files.length === 0) throw new Error(`no source files in ${root}: nothing was checked`);
  // Files directly in the root are the package's entries: the outermost layer, which nothing may import.
  const layerOf = (file: string): number => {
    const [first = '', ...rest] = relative(root, file).split(sep);
    return rest.length === 0 ? LAYERS.length : LAYERS.indexOf(first);
  };
  const upward: string[] = [];
  let checked = 0;
  for (const file of files.toSorted()) {
    for (const target of relativeImports(file)) {
      checked += 1;
      if (layerOf(target) > layerOf(file)) {
        upward.push(`${relative(root, file)} -> ${relative(root, target)}`);
      }
    }
  }
  return { checked, upward };
}

/** Parsed, not matched: templates may contain import text inside strings. */
function relativeImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const { module, program } = parseSync(file, text);
  const imports = module.staticImports.map((entry) => entry.moduleRequest.value);
  const reExports = module.staticExports.flatMap((group) =>
    group.entries.flatMap((entry) => (entry.moduleRequest ? [entry.moduleRequest.value] : [])),
  );
  const dynamic = module.dynamicImports.map(({ moduleRequest }) =>
    text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/^['"`]|['"`]$/g, ''),
  );
  const targets = [...imports, ...reExports, ...dynamic, ...typeImports(program)];
  return [...new Set(targets)]
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(file), target));
}

/** `import('./x.ts').T` in a type is no import statement; it is found in the tree. */
function typeImports(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(typeImports);
  if (typeof node !== 'object' || node === null) return [];
  const { type, source, argument } = node as { type?: unknown; source?: unknown; argument?: unknown };
  const literal = (source ?? argument) as { value?: unknown; literal?: { value?: unknown } } | undefined;
  const value = literal?.value ?? literal?.literal?.value;
  const own = type === 'TSImportType' && typeof value === 'string' ? [value] : [];
  return [...own, ...Object.values(node).flatMap(typeImports)];
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.[cm]?tsx?$/.test(path) ? [path] : [];
  });
}

function withTree(files: Readonly<Record<string, string>>, check: (root: string) => void): void {
  const root = mkdtempSync(join(tmpdir(), 'layers-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    check(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}
