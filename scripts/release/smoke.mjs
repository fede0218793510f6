/** Installs a packed package in an empty folder, as a user does, and tests it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, runTool } from '../steps.mjs';

/** Tests by name, in this order. Each returns `{ ok, output }`. */
export function smokeChecks({ tarball, version, folder }) {
  const app = join(folder, 'app');
  const installed = join(app, 'node_modules', 'toolwright');
  const cli = (...args) => run('npx', ['--no-install', 'toolwright', ...args], { capture: true, cwd: app });
  return [
    ['install the package in an empty folder', () => install(app, tarball)],
    ['toolwright --version', () => expectOutput(cli('--version'), `${version}\n`)],
    ['every entry and the first example of the README compile', () => compile(app, installed)],
    [
      'the first example of the README answers a call',
      () => expectOutput(cli('call', 'add', 'a=1', 'b=2', '--', 'node', 'server.js'), '3\n'),
    ],
    ['toolwright init', () => cli('init', 'project', '--template', 'minimal', '--language', 'js')],
    [
      'the tests of the new project',
      () => run('npm', ['test'], { capture: true, cwd: join(app, 'project') }),
    ],
  ];
}

function install(app, tarball) {
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }\n');
  const packages = ['zod', '@types/node'].map((name) => `${name}@${versionOf(name)}`);
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  return run('npm', ['install', tarball, ...packages, ...flags], { capture: true, cwd: app });
}

function versionOf(name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** Compiles with the compiler of the repository, including declaration files. */
function compile(app, installed) {
  const [, example] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(installed, 'README.md'), 'utf8')) ?? [];
  if (example === undefined) return { ok: false, output: 'README.md has no code block in TypeScript.' };
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const entries = Object.keys(exports).filter((subpath) => !subpath.endsWith('.json'));
  const imports = entries.map((subpath) => `import 'toolwright${subpath.slice(1)}';\n`);
  writeFileSync(join(app, 'server.ts'), example);
  writeFileSync(join(app, 'entries.ts'), imports.join(''));
  const compilerOptions = { target: 'ES2023', module: 'NodeNext', strict: true, types: ['node'] };
  writeFileSync(
    join(app, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['server.ts', 'entries.ts'] }),
  );
  return runTool('typescript', ['-p', app], { capture: true });
}

function expectOutput({ ok, stdout, output }, expected) {
  return { ok: ok && stdout === expected, output: `expected ${JSON.stringify(expected)}, got:\n${output}` };
}
