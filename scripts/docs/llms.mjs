/**
 * `docs/llms.txt`, in the format of llmstxt.org: a list of all pages with one sentence each, for language models. It is part of the package. The site
 * has the same list with its own addresses, and `llms-full.txt` with the text of the pages.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../steps.mjs';
import { firstSentenceOf } from './markdown.mjs';
import { readSections } from './pages.mjs';

/** Sections that a model can skip, by the format's own name for them. */
const OPTIONAL = 'Internals';

/** The list. `linkTo(file)` is the address of a file of the repository, or undefined for files to leave out. */
export function formatList(linkTo) {
  const lines = [`# Toolwright`, '', `> ${summarize()}`, ''];
  for (const { title, groups } of readSections()) {
    lines.push(`## ${title === OPTIONAL ? 'Optional' : title}`, '');
    for (const page of groups.flatMap(({ pages }) => pages)) {
      const link = linkTo(page.file);
      if (link !== undefined)
        lines.push(`- [${page.title}](${link})${page.summary === '' ? '' : `: ${page.summary}`}`);
    }
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The list as it is in docs/, with links relative to it. Files that the package does not carry are left out. */
export function formatPackageList() {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const isCarried = (file) => files.some((part) => file === part || file.startsWith(`${part}/`));
  return formatList((file) => (isCarried(file) ? posix.relative('docs', file) : undefined));
}

/** The text of the README and of all pages but the optional ones. */
export function formatFull() {
  const pages = readSections()
    .filter(({ title }) => title !== OPTIONAL)
    .flatMap(({ groups }) => groups.flatMap(({ pages }) => pages));
  const texts = [{ file: 'README.md', text: readme() }, ...pages];
  return texts.map(({ file, text }) => `<!-- ${file} -->\n\n${text.trim()}\n`).join('\n');
}

function summarize() {
  return firstSentenceOf(readme());
}

function readme() {
  return readFileSync(join(root, 'README.md'), 'utf8');
}
