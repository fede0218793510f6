/** Imports between the files of a tree, including types, and their cycles. Files are parsed, because strings may contain import text. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Every TypeScript file below a folder. */
export function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.[cm]?tsx?$/.test(path) ? [path] : [];
  });
}

/** Relative imports of a file: statements, exports, dynamic imports, and `import('./x.ts').T` in types. */
export function relativeImports(file) {
  const text = readFileSync(file, 'utf8');
  const { module, program } = parseSync(file, text);
  const imports = module.staticImports.map((entry) => entry.moduleRequest.value);
  const exported = module.staticExports.flatMap((group) =>
    group.entries.flatMap((entry) => (entry.moduleRequest ? [entry.moduleRequest.value] : [])),
  );
  const dynamic = module.dynamicImports.map(({ moduleRequest }) =>
    text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/^['"`]|['"`]$/g, ''),
  );
  return [...new Set([...imports, ...exported, ...dynamic, ...typeImports(program)])]
    .filter((target) => target.startsWith('.'))
    .map((target) => normalize(join(dirname(file), target)));
}

function typeImports(node) {
  if (Array.isArray(node)) return node.flatMap(typeImports);
  if (typeof node !== 'object' || node === null) return [];
  const literal = node.source ?? node.argument;
  const value = literal?.value ?? literal?.literal?.value;
  const own = node.type === 'TSImportType' && typeof value === 'string' ? [value] : [];
  return [...own, ...Object.values(node).flatMap(typeImports)];
}

/** The files of a tree and their folders, each with its imports. */
export function readGraph(root) {
  const paths = sourceFiles(root);
  if (paths.length === 0) throw new Error(`no source files in ${root}: nothing was checked`);
  const files = new Map(paths.map((file) => [file, new Set()]));
  const folders = new Map(paths.map((file) => [dirname(file), new Set()]));
  for (const file of paths) {
    for (const target of relativeImports(file)) {
      if (!files.has(target)) continue;
      files.get(file).add(target);
      if (dirname(target) !== dirname(file)) folders.get(dirname(file)).add(dirname(target));
    }
  }
  return { files, folders };
}

/** Cycles: strongly connected components with more than one member, by Tarjan's algorithm. */
export function circlesOf(graph) {
  const index = new Map();
  const low = new Map();
  /** @type {string[]} */
  const open = [];
  const circles = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) {
        visit(next);
        low.set(node, Math.min(low.get(node), low.get(next)));
      } else if (open.includes(next)) low.set(node, Math.min(low.get(node), index.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const component = open.splice(open.indexOf(node));
    if (component.length > 1) circles.push(component.toSorted((one, other) => (one < other ? -1 : 1)));
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return circles;
}
