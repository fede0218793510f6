/** Writes the pages of the site to `.generated/`: those of docs/, of some other folders, and the home page, with links that hold on the site. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { readDecisions, readSections } from '../scripts/docs/pages.mjs';
import { replaceLinks, titleOf } from '../scripts/docs/markdown.mjs';
import { root } from '../scripts/steps.mjs';
import { formatHome } from './home.mjs';
import { STAGE, toPage } from './paths.mjs';

/** Stages all pages but the reference; returns how many there are. */
export function stagePages() {
  const pages = [
    ...readSections().flatMap(({ groups }) => groups.flatMap((group) => group.pages)),
    ...readDecisions(),
    ...readExamples(),
  ];
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const known = new Map([['README.md', { file: 'README.md', text: readme }]]);
  for (const page of pages) for (const name of [page.file, ...(page.aliases ?? [])]) known.set(name, page);
  for (const { file, text } of pages) write(toPage(file), withoutComments(rewriteLinks(file, text, known)));
  write('index.md', formatHome(withoutComments(rewriteLinks('README.md', readme, known))));
  cpSync(join(root, 'docs', 'pictures'), join(STAGE, 'pictures'), { recursive: true });
  return pages.length + 1;
}

/** A page for each example: its files and its output. */
function readExamples() {
  const folder = join(root, 'examples');
  const titles = readFileSync(join(folder, 'README.md'), 'utf8');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const [, shows = ''] = new RegExp(`\\[${name}\\][^|]*\\| (.*?) \\|`).exec(titles) ?? [];
      const files = readdirSync(join(folder, name)).filter((file) =>
        /\.(?:mjs|yaml|txt)$|^Dockerfile$/.test(file),
      );
      const blocks = files.map((file) => {
        const language = languageOf(file);
        return `\`${file}\`:\n\n\`\`\`${language}\n${readFileSync(join(folder, name, file), 'utf8').trimEnd()}\n\`\`\`\n`;
      });
      const text = `# Example: ${name}\n\n${shows.charAt(0).toUpperCase()}${shows.slice(1)}.\n\n${blocks.join('\n')}`;
      const aliases = [`examples/${name}`, ...files.map((file) => `examples/${name}/${file}`)];
      return { file: `examples/${name}.md`, aliases, text };
    });
}

function languageOf(file) {
  if (file.endsWith('.txt')) return 'text';
  return file === 'Dockerfile' ? 'dockerfile' : file.split('.').pop().replace('mjs', 'js');
}

/**
 * Links to pages of the site stay links. Other files of the repository are linked at its address if package.json has one; otherwise only the
 * text of the link stays. A file that does not exist is an error.
 */
function rewriteLinks(file, text, known) {
  const from = posix.dirname(toPage(file));
  return replaceLinks(text, (label, target, isImage) => {
    const written = (address) => `${isImage ? '!' : ''}[${label}](${address})`;
    if (/^(?:[a-z]+:|#)/i.test(target)) return written(target);
    const [path, anchor] = target.split('#');
    const wanted = posix.join(posix.dirname(file), decodeURI(path)).replace(/\/$/, '');
    if (!existsSync(join(root, wanted)))
      throw new Error(`Broken link in ${file}: "${target}" does not exist.`);
    if (isImage) return written(`./${posix.relative(from, toPage(wanted))}`);
    const page = known.get(wanted) ?? known.get(`${wanted}/README.md`);
    if (page !== undefined) {
      const relative = posix.relative(from, toPage(page.file));
      const address = `${relative.startsWith('.') ? '' : './'}${relative}${anchor === undefined ? '' : `#${anchor}`}`;
      // The site has titles instead of file names.
      const shown = label === posix.basename(page.file) ? titleOf(page.text) : label;
      return `[${shown}](${address})`;
    }
    return REPOSITORY === undefined ? label : written(addressOf(wanted));
  });
}

const REPOSITORY = readRepository();

/** The web address of the repository, if package.json has one. */
function readRepository() {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const url = typeof repository === 'string' ? repository : repository?.url;
  return url?.replace(/^git\+/, '').replace(/\.git$/, '');
}

function addressOf(file) {
  const kind = statSync(join(root, file)).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY}/${kind}/HEAD/${file}`;
}

/** Comments are for tests: `<!-- run: … -->`. */
function withoutComments(text) {
  return text.replaceAll(/^<!--.*?-->\n/gm, '');
}

function write(page, text) {
  if (titleOf(text) === '' && page !== 'index.md') throw new Error(`Missing title: ${page}`);
  const path = join(STAGE, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
