/** `npm run house`: prints figures about the code as a whole. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { circlesOf, readGraph, sourceFiles } from './house/graph.mjs';
import { root } from './steps.mjs';

process.chdir(root);
execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });

function trace(what) {
  const out = execFileSync(process.execPath, ['scripts/house/trace.mjs', what], { encoding: 'utf8' });
  const { functions, files, switches } = JSON.parse(out.trim().split('\n').at(-1));
  return `${functions} / ${files} / ${switches}`;
}

function inCircles(graph) {
  const circles = circlesOf(graph);
  return `${circles.flat().length} of ${graph.size}, in ${circles.length}`;
}

function linesOf(folder) {
  return sourceFiles(folder)
    .map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
    .reduce((sum, lines) => sum + lines, 0);
}

function largeFolders(folders) {
  const sizes = [...folders.keys()].map((folder) => [
    folder,
    readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length,
  ]);
  const large = sizes.filter(([, count]) => count > 15);
  return large.map(([folder, count]) => `${folder} ${count}`).join(', ') || 'none';
}

function exportsOf(entry) {
  const { module } = parseSync(entry, readFileSync(join('src', entry), 'utf8'));
  const names = module.staticExports.flatMap(({ entries }) => entries);
  return `${names.filter(({ isType }) => !isType).length} + ${names.filter(({ isType }) => isType).length}`;
}

const { files, folders } = readGraph('src');
const topFolders = new Set([...files.keys()].map((file) => dirname(file).split('/')[1] ?? '.'));
const rows = [
  [
    'one HTTP `tools/call` (2026-07-28): functions entered / files / switches between top-level folders',
    trace('call'),
  ],
  ['the same, of a GET imported from OpenAPI', trace('imported')],
  ['`createServer` with one tool: functions / files / switches', trace('register')],
  ['folders in circles, types included', inCircles(folders)],
  ['files in circles, types included', inCircles(files)],
  ['folders with more than 15 files', largeFolders(folders)],
  [
    'top-level folders, folders, files, lines of `src`',
    `${topFolders.size}, ${folders.size}, ${files.size}, ${linesOf('src')}`,
  ],
  ['lines of `src/schema`', String(linesOf('src/schema'))],
  ['names exported by the root entry (values + types)', exportsOf('index.ts')],
];
console.log('| | |\n|---|--:|');
for (const [name, value] of rows) console.log(`| ${name} | ${value} |`);
