/**
 * The built package neither compiles code from strings nor starts processes, except in the modules that are named here with their reasons. No
 * server needs these modules: only the command line, the client and configuration files load them. Of the dependencies, Ajv compiles code.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';
import type { Node } from 'oxc-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, DIST } from '../support/dist.ts';

/** Modules that may, with what they use. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  // The command line starts the stdio server that it is a client of.
  'client/server-process.js': ['node:child_process'],
  // `toolwright dev` runs the server of the user in a process that it restarts, and watches its modules.
  'cli/dev/module-reports.js': ['node:worker_threads'],
  'cli/dev/worker-process.js': ['node:child_process'],
  // `toolwright serve --workers`.
  'cli/workers/cluster-worker.js': ['node:cluster'],
  'cli/workers/untaken-connections.js': ['node:cluster'],
  // Node checks the syntax of a module of the user that cannot be loaded, for the line of the error.
  'config/modules/syntax-error.js': ['node:child_process'],
};

/** Entries that load one of them. */
const ENTRIES = ['cli.js', 'config.js', 'dev-worker.js'];

/** Modules that use Ajv, which compiles code. */
const AJV = /^schema\/ajv\//;

const PROCESSES = /^(?:node:)?(?:child_process|cluster|vm|worker_threads|inspector|repl|wasi)(?:\/|$)/;
const COMPILERS = new Set([
  'eval',
  'Function',
  'AsyncFunction',
  'GeneratorFunction',
  'ShadowRealm',
  'execScript',
  'dlopen',
]);

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const key of visitorKeys[node.type] ?? []) {
    const members = [(node as unknown as Record<string, unknown>)[key]].flat() as (Node | null | undefined)[];
    for (const member of members) if (member != null) yield* nodesOf(member);
  }
}

/** What a module uses, and what it imports. */
function scan(source: string): { readonly uses: string[]; readonly imports: string[] } {
  const uses = new Set<string>();
  const imports = new Set<string>();
  for (const node of nodesOf(parseSync('module.js', source).program)) {
    if (node.type === 'Identifier' && COMPILERS.has(node.name)) uses.add(node.name);
    // Timers take functions only; a text would be compiled.
    const isTimer =
      node.type === 'CallExpression' &&
      node.callee.type === 'Identifier' &&
      /^set(?:Timeout|Interval)$/.test(node.callee.name);
    const [first] = isTimer ? node.arguments : [];
    if (first?.type === 'TemplateLiteral' || (first?.type === 'Literal' && typeof first.value === 'string'))
      uses.add('a timer with a text');
    if (node.type !== 'Literal' || typeof node.value !== 'string') continue;
    if (PROCESSES.test(node.value)) uses.add(node.value);
    imports.add(node.value);
  }
  return { uses: [...uses], imports: [...imports] };
}

describe('no code from strings and no processes', () => {
  const modules = new Map<string, ReturnType<typeof scan>>();
  beforeAll(() => {
    assertBuilt();
    for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.js') && !name.startsWith('bundle'))
        modules.set(name, scan(readFileSync(join(DIST, name), 'utf8')));
  });

  /** The modules of the package that an entry loads, at once or later. */
  function reach(entry: string, found = new Set<string>()): ReadonlySet<string> {
    found.add(entry);
    for (const specifier of modules.get(entry)?.imports ?? []) {
      const target = posix.join(dirname(entry), specifier);
      if (specifier.startsWith('.') && modules.has(target) && !found.has(target)) reach(target, found);
    }
    return found;
  }

  test('only the named modules start processes, and none compiles code', () => {
    expect(modules.size).toBeGreaterThan(500);
    const used = [...modules].filter(([, { uses }]) => uses.length > 0);
    expect(Object.fromEntries(used.map(([name, { uses }]) => [name, uses]))).toEqual(NAMED);
  });

  test('only the command line and configuration files load the named modules', () => {
    const entries = [...modules.keys()].filter((name) => !name.includes('/'));
    expect(entries).toEqual(expect.arrayContaining(['index.js', 'http.js', 'openapi.js', 'redis.js']));
    const loading = entries.filter((entry) => [...reach(entry)].some((name) => Object.hasOwn(NAMED, name)));
    expect(loading.toSorted()).toEqual(ENTRIES);
  });

  test('only one folder uses Ajv', () => {
    const using = [...modules].filter(([, { imports }]) =>
      imports.some((name) => /^ajv(?:\/|-|$)/.test(name)),
    );
    expect(using.length).toBeGreaterThan(0);
    expect(using.map(([name]) => name).filter((name) => !AJV.test(name))).toEqual([]);
  });

  test.each([
    ['eval', 'globalThis.eval("1");', 'eval'],
    ['a function of a text', 'const f = new Function("a", "return a");', 'Function'],
    ['a timer of a text', 'setTimeout("run()", 1);', 'a timer with a text'],
    ['a process', 'const { exec } = await import("child_process");', 'child_process'],
    ['a context', 'import vm from "node:vm";', 'node:vm'],
    ['an addon', 'process.dlopen(module, path);', 'dlopen'],
  ])('is red with %s', (_, source, use) => {
    expect(scan(source).uses).toEqual([use]);
  });
});
