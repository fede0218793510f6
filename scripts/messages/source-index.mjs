/** The declarations of a source tree by name: functions, methods, constants and classes, with the imports that lead to them. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { sourceFiles } from '../house/graph.mjs';

/** Reads every file below a folder. */
export function readSourceIndex(folder) {
  const modules = new Map(sourceFiles(folder).map((file) => [normalize(file), readModule(normalize(file))]));
  const methods = new Map();
  const parents = new Map();
  const calls = [];
  for (const module of modules.values())
    visit(module.program, undefined, (node, owner) => {
      parents.set(node, owner);
      if (node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') {
        const name = nameOf(node.key);
        methods.set(name, [...(methods.get(name) ?? []), { module, node: node.value }]);
      }
      if (node.type === 'ObjectExpression') module.objects.push(node);
      if (node.type === 'CallExpression' || node.type === 'NewExpression') calls.push({ module, node });
      if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
        const known = module.locals.get(node.id.name) ?? [];
        module.locals.set(node.id.name, [...known, node]);
      }
    });
  return { modules, methods, parents, calls };
}

function readModule(file) {
  const text = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, text);
  const declared = new Map();
  const imported = new Map();
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration')
      for (const { local, imported: name } of statement.specifiers)
        imported.set(local.name, { from: resolve(file, statement.source.value), name: name?.name });
    const declaration = statement.declaration ?? statement;
    if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration')
      declared.set(declaration.id.name, declaration);
    if (declaration.type === 'VariableDeclaration')
      for (const { id, init } of declaration.declarations)
        if (id.type === 'Identifier') declared.set(id.name, init);
  }
  return { file, text, program, comments, declared, imported, locals: new Map(), objects: [] };
}

function resolve(file, target) {
  return target.startsWith('.') ? normalize(join(dirname(file), target)) : target;
}

/** The declaration that a name of a module leads to. */
export function declarationOf(index, module, name) {
  const own = module.declared.get(name);
  if (own) return { module, node: own };
  const source = module.imported.get(name);
  const other = source && index.modules.get(source.from);
  return other ? declarationOf(index, other, source.name ?? name) : undefined;
}

export function nameOf(key) {
  return key.name ?? String(key.value ?? '');
}

/** Calls back for every node below one, with the node that contains it. */
export function visit(node, parent, callback) {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, parent, callback);
    return;
  }
  if (typeof node !== 'object' || node === null || node instanceof RegExp) return;
  const isNode = typeof node.type === 'string';
  if (isNode) callback(node, parent);
  for (const [key, value] of Object.entries(node))
    if (typeof value === 'object' && key !== 'parent') visit(value, isNode ? node : parent, callback);
}
