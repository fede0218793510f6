/**
 * Lists every message of the library in docs/errors.md. `--write` updates the list; without it, the script ends with 1 if the list is out of date.
 * Examples come from the page itself, then from literals of the tests. Write one by hand where neither has it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readMessages } from './messages/catalogue.mjs';
import { readExamples } from './messages/examples.mjs';
import { isFixed, readRows, writeMessages } from './messages/render.mjs';
import { root } from './steps.mjs';

process.chdir(root);
const PAGE = 'docs/errors.md';
const page = readFileSync(PAGE, 'utf8');
const written = writeMessages(page, readMessages(), readExamples());
const bare = readRows(written).filter(({ template, example }) => example === '' && !isFixed(template));
for (const { template } of bare) console.error(`No example: ${template}`);
if (process.argv.includes('--write')) writeFileSync(PAGE, written);
else if (written !== page) console.error(`${PAGE} is out of date. Run: node scripts/messages.mjs --write`);
process.exitCode = bare.length > 0 || (written !== page && !process.argv.includes('--write')) ? 1 : 0;
