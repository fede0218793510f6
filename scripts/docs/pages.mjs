/** The pages of the documentation, in reading order: the sidebar of the site and the sections of `docs/llms.txt`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../steps.mjs';
import { firstSentenceOf, titleOf } from './markdown.mjs';

/** `folder`: where the site has the pages. A page is a file of the repository. Titles are the first headings of the pages. */
const SECTIONS = [
  {
    title: 'Get started',
    folder: '',
    groups: [
      {
        title: 'Get started',
        pages: [
          'docs/get-started.md',
          'docs/typescript.md',
          'examples/README.md',
          'docs/troubleshooting.md',
          'docs/glossary.md',
        ],
      },
    ],
  },
  {
    title: 'Guides',
    folder: 'guides/',
    groups: [
      {
        title: 'Tools',
        pages: [
          'docs/registry.md',
          'docs/grouped-tools.md',
          'docs/exposure.md',
          'docs/schemas.md',
          'docs/results.md',
          'docs/middleware.md',
          'docs/decorators.md',
        ],
      },
      {
        title: 'Users and long calls',
        pages: ['docs/asking.md', 'docs/confirmation.md', 'docs/tasks.md', 'docs/state.md'],
      },
      {
        title: 'Prompts, resources, skills',
        pages: ['docs/prompts.md', 'docs/resources.md', 'docs/skills.md'],
      },
      { title: 'Without code', pages: ['docs/openapi.md', 'docs/configuration.md', 'docs/cli.md'] },
      {
        title: 'Serving',
        pages: [
          'docs/serving.md',
          'docs/http.md',
          'docs/authentication.md',
          'docs/authorization-servers.md',
          'docs/security.md',
          'docs/deploying.md',
          'docs/scaling.md',
          'docs/sqlite.md',
        ],
      },
      { title: 'Testing and migrating', pages: ['docs/testing.md', 'docs/migrate.md', 'docs/attach.md'] },
      { title: 'Extending', pages: ['docs/collaborators.md', 'docs/strategies.md', 'docs/model.md'] },
    ],
  },
  {
    title: 'Reference',
    folder: 'reference/',
    groups: [
      {
        title: 'Tables',
        pages: ['docs/errors.md', 'docs/limits.md', 'docs/protocol.md', 'docs/compatibility.md'],
      },
    ],
  },
  {
    title: 'Internals',
    folder: 'internals/',
    groups: [
      { title: 'Design', pages: ['docs/architecture.md', 'docs/decisions/README.md'] },
      {
        title: 'Measurements',
        pages: [
          'docs/performance.md',
          'docs/promises.md',
          'docs/corpus.md',
          'docs/soak.md',
          'bench/README.md',
        ],
      },
      { title: 'Project', pages: ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'] },
    ],
  },
];

/** The folder of the site for a listed page. */
export function folderOf(file) {
  const isListed = ({ pages }) => pages.includes(file);
  return SECTIONS.find(({ groups }) => groups.some(isListed))?.folder;
}

/** The sections with the title, the first sentence and the text of each page. Throws if a page of docs/ is in no section, or a listed page is missing. */
export function readSections() {
  const sections = SECTIONS.map(({ title, groups }) => ({
    title,
    groups: groups.map((group) => ({ title: group.title, pages: group.pages.map(readPage) })),
  }));
  const listed = new Set(
    sections.flatMap(({ groups }) => groups.flatMap(({ pages }) => pages.map(({ file }) => file))),
  );
  const missing = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .filter((file) => !listed.has(file));
  if (missing.length > 0)
    throw new Error(
      `Missing in SECTIONS of scripts/docs/pages.mjs: ${missing.join(', ')}. Add each to a group.`,
    );
  return sections;
}

/** The decision records, oldest first. */
export function readDecisions() {
  return readdirSync(join(root, 'docs/decisions'))
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .toSorted()
    .map((name) => readPage(`docs/decisions/${name}`));
}

function readPage(file) {
  if (!existsSync(join(root, file)))
    throw new Error(`Unknown page "${file}" in SECTIONS of scripts/docs/pages.mjs: the file does not exist.`);
  const text = readFileSync(join(root, file), 'utf8');
  const title = titleOf(text);
  if (title === '') throw new Error(`Missing title: ${file} has no heading of the first level.`);
  return { file, title, summary: firstSentenceOf(text), text };
}
