/** The reference: one page for each entry of the package, generated from the doc comments of src/ by TypeDoc, with the TypeScript of this folder. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application } from 'typedoc';
import { root } from '../scripts/steps.mjs';
import { pageOf, readEntries, STAGE } from './paths.mjs';

/** Writes the pages; returns how many. */
export async function writeReference() {
  // A name that several entries export is described by the first of them: HTTP before fetch, which shares its options.
  const entries = readEntries();
  const sorted = entries.toSorted((one, other) => rankOf(one) - rankOf(other));
  const out = join(STAGE, 'reference');
  const app = await Application.bootstrapWithPlugins({
    ...OPTIONS,
    entryPoints: sorted.map(({ name }) => join(root, 'src', `${name}.ts`)),
    out,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc could not read src/.');
  // The root would take the name of the overview.
  for (const child of project.children ?? []) if (child.name === 'index') child.name = 'toolwright';
  await app.generateOutputs(project);
  rmSync(join(out, 'README.md'));
  if (app.logger.hasErrors()) throw new Error('TypeDoc reported errors; see above.');
  const rows = entries.map((entry) => {
    const file = join(STAGE, pageOf(entry));
    const summary = describe(entry);
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, `# ${entry.subpath}\n\n${summary}\n\n${importLine(entry)}\n${rest.join('\n')}`);
    return `| [\`${entry.subpath}\`](./${pageOf(entry).replace('reference/', '')}) | ${summary} |`;
  });
  const head =
    '# Reference\n\nEvery export of the package, generated from the doc comments of its source. One page for each entry:\n';
  writeFileSync(join(out, 'index.md'), `${head}\n| entry | exports |\n|---|---|\n${rows.join('\n')}\n`);
  return entries.length + 1;
}

/** The first sentence of the first comment of the entry's file, without the name of the entry. */
function describe({ name }) {
  const text = readFileSync(join(root, 'src', `${name}.ts`), 'utf8');
  const [comment = ''] = /^(?:\/\*\*[\s\S]*?\*\/|(?:\/\/.*\n)+)/.exec(text) ?? [];
  const plain = comment
    .replaceAll(/^\s*(?:\/\*\*|\*\/|\*|\/\/) ?|\*\/$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const [summary] = /^.*?\.(?= |$)/.exec(plain.replace(/^`toolwright[\w/-]*`: /, '')) ?? [plain];
  return summary.charAt(0).toUpperCase() + summary.slice(1);
}

function importLine({ subpath }) {
  return `\`\`\`ts\nimport { … } from '${subpath}';\n\`\`\`\n`;
}

function rankOf({ name }) {
  return ['index', 'http'].includes(name) ? ['index', 'http'].indexOf(name) : 2;
}

const OPTIONS = {
  plugin: ['typedoc-plugin-markdown'],
  tsconfig: join(root, 'tsconfig.build.json'),
  // Errors of types are found by `npm run check`.
  skipErrorChecking: true,
  logLevel: 'Error',
  readme: 'none',
  router: 'module',
  disableSources: true,
  sortEntryPoints: false,
  // Pages of docs/ are in the same folder.
  cleanOutputDir: false,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeExternals: true,
  githubPages: false,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases', '*'],
  useCodeBlocks: true,
  expandParameters: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
};
