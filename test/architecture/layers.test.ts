import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesOf, readGraph, relativeImports, sourceFiles } from '../../scripts/house/graph.mjs';

/** The folders of the table in docs/architecture.md, in its order: inner to outer. */
const DRAWN = drawnFolders();

/** A top-level folder imports only from itself and from those before it. */
const LAYERS = [...new Set(DRAWN.map((folder) => folder.split('/')[0] ?? ''))];

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

describe('the rooms of src/', () => {
  const { files, folders } = readGraph('src');

  test('no folders import each other in a circle, at any depth, types included', () => {
    expect(circlesOf(folders)).toEqual([]);
  });

  test('no files do', () => {
    expect(circlesOf(files)).toEqual([]);
  });

  test('no folder has more than 15 files', () => {
    // Files directly in src/ are the entries of the package.
    const rooms = [...folders.keys()].filter((folder) => folder !== 'src');
    const large = rooms.filter(
      (folder) => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length > 15,
    );
    expect(large).toEqual([]);
  });

  test('the judge of patterns needs nothing of the rest, and has one door', () => {
    const isInside = (file: string): boolean => file.startsWith(join('src', 'pattern-judge'));
    const outward = [...files].filter(([file]) => isInside(file)).flatMap(([, targets]) => [...targets]);
    expect(outward.filter((target) => !isInside(target))).toEqual([]);
    const doors = [...files]
      .filter(([file]) => !isInside(file))
      .flatMap(([, targets]) => [...targets].filter(isInside));
    expect([...new Set(doors)]).toEqual([join('src', 'pattern-judge', 'judge-pattern.ts')]);
  });

  test('the table of docs/architecture.md has every one of them once, and no others', () => {
    const there = [...folders.keys()].map((folder) => relative('src', folder).split(sep).join('/'));
    // A folder that contains only folders has no row of its own, or shares theirs.
    const holders = new Set(there.map((folder) => dirname(folder)));
    expect(DRAWN.filter((folder) => !there.includes(folder) && !holders.has(folder))).toEqual([]);
    expect(there.filter((folder) => folder !== '' && !DRAWN.includes(folder))).toEqual([]);
    expect(DRAWN.length).toBe(new Set(DRAWN).size);
  });
});

test('docs/architecture.md lists every module-level cache', () => {
  const isRemembering = (file: string): boolean =>
    /^(?:export )?const \w+ = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)/m.test(readFileSync(file, 'utf8'));
  const found = sourceFiles('src')
    .filter(isRemembering)
    .map((file) => relative('src', file).split(sep).join('/'));
  const text = readFileSync('docs/architecture.md', 'utf8');
  const section = text.slice(text.indexOf('## Module-level caches'), text.indexOf('## Layers'));
  const listed = Array.from(section.matchAll(/`([\w/-]+\.ts)`/g), ([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(found));
});

describe('the check itself', () => {
  test('a circle is found, of files and of folders, also by way of a third and of types', () => {
    const tree = {
      'a/one.ts': "import type { Two } from '../b/two.ts';\nexport type One = Two;",
      'b/two.ts': "import { three } from '../b/c/three.ts';\nexport type Two = typeof three;",
      'b/c/three.ts': "export type { One } from '../../a/one.ts';\nexport const three = 3;",
      'd/four.ts': "export type { One } from '../a/one.ts';",
    };
    withTree(tree, (root) => {
      const { files, folders } = readGraph(root);
      const shown = (circles: readonly (readonly string[])[]): string[][] =>
        circles.map((circle) => circle.map((path) => relative(root, path)));
      expect(shown(circlesOf(files))).toEqual([['a/one.ts', 'b/c/three.ts', 'b/two.ts']]);
      expect(shown(circlesOf(folders))).toEqual([['a', 'b', 'b/c']]);
    });
  });

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

function drawnFolders(): string[] {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const table = text.slice(text.indexOf('## Layers'), text.indexOf('`npm run house`'));
  const cells = Array.from(table.matchAll(/^\| (`[^|]*) \|/gm), ([, cell = '']) => cell);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([\w/-]+)\/`/g), ([, name = '']) => name));
}

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
