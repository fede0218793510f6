import { expect, test } from 'vitest';
import { useScratch } from './support.ts';

const { load, write, complaints } = useScratch();

const promptModule = (name: string): string => `export default { name: '${name}', template: 'Hi' };`;

function install(name: string, manifest: object, files: Readonly<Record<string, string>>): void {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', ...manifest }));
  for (const [file, content] of Object.entries(files)) write(`node_modules/${name}/${file}`, content);
}

/** The prompts of the named modules. */
async function promptsOf(...modules: readonly string[]): Promise<unknown> {
  const entries = modules.map((module) => `  - module: '${module}'\n`).join('');
  const { server } = await load('c.yaml', `name: demo\nprompts:\n${entries}`);
  return server.prompts?.getAllPrompts().map(({ name }) => name);
}

test('a package may export something for import alone', async () => {
  install('esm-only', { exports: { import: './main.js' } }, { 'main.js': promptModule('one') });
  install(
    '@scope/esm',
    {
      exports: {
        '.': { types: './x.d.ts', node: { import: './node.js' }, default: './other.js' },
        './tools': { require: './never.cjs', import: ['not-here', './tools.js'] },
        './parts/*': './parts/*.js',
        './parts/inner/*.js': { default: './parts/inner-*.js' },
      },
    },
    {
      'node.js': promptModule('two'),
      'tools.js': promptModule('three'),
      'parts/a.js': promptModule('four'),
      'parts/inner-b.js': promptModule('five'),
    },
  );
  expect(
    await promptsOf(
      'esm-only',
      '@scope/esm',
      '@scope/esm/tools',
      '@scope/esm/parts/a',
      '@scope/esm/parts/inner/b.js',
    ),
  ).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('of a package that exports something for both, what is for import is loaded', async () => {
  install(
    'dual',
    { exports: { require: './main.cjs', default: './main.js' } },
    { 'main.cjs': "module.exports = { name: 'wrong', template: 'Hi' };", 'main.js': promptModule('right') },
  );
  expect(await promptsOf('dual')).toEqual(['right']);
});

test('a package need not say what it exports', async () => {
  install(
    'old',
    { main: 'lib/main.js' },
    { 'lib/main.js': promptModule('m'), 'other.js': promptModule('o') },
  );
  install('text', { exports: './main.js' }, { 'main.js': promptModule('t') });
  expect(await promptsOf('old', 'old/other.js', 'text')).toEqual(['m', 'o', 't']);
});

test('a module that a package does not export is rejected', async () => {
  install('closed', { exports: { '.': './main.js', './private/*': null } }, { 'main.js': promptModule('c') });
  expect(
    await complaints(
      'c.yaml',
      `name: demo
prompts:
  - module: closed/other
  - module: closed/private/x
  - module: nowhere
`,
    ),
  ).toEqual([
    'c.yaml has 3 mistakes:',
    'c.yaml:3:5 prompts[0].module cannot be loaded: the package "closed" does not export "./other" for import.',
    'c.yaml:4:5 prompts[1].module cannot be loaded: the package "closed" does not export "./private/x" for import.',
    expect.stringContaining("c.yaml:5:5 prompts[2].module cannot be loaded: Cannot find module 'nowhere'"),
  ]);
});
