/** Builds the site into `dist/`: stages the pages, generates the reference, runs VitePress, checks all links, writes the files for language models. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { formatFull, formatList } from '../scripts/docs/llms.mjs';
import { checkSite } from './check-site.mjs';
import { OUT, SITE, STAGE, toPage } from './paths.mjs';
import { writeReference } from './reference.mjs';
import { stagePages } from './stage.mjs';

rmSync(STAGE, { recursive: true, force: true });
rmSync(OUT, { recursive: true, force: true });
const pages = stagePages();
const reference = await writeReference();
console.log(`${pages} pages, ${reference} pages of reference`);
await build(SITE);

// The Markdown of every page beside it, for readers that are programs.
for (const file of readdirSync(STAGE, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.md')) continue;
  mkdirSync(dirname(join(OUT, file)), { recursive: true });
  cpSync(join(STAGE, file), join(OUT, file));
}
writeFileSync(join(OUT, 'llms.txt'), formatList(toPage));
writeFileSync(join(OUT, 'llms-full.txt'), formatFull());

const { checked, problems } = checkSite(OUT, process.env.DOCS_BASE ?? '/');
for (const problem of problems) console.error(problem);
console.log(`${checked} links checked, ${problems.length} broken`);
process.exitCode = problems.length === 0 && checked > 0 ? 0 : 1;
