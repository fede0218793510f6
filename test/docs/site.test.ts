import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatFull, formatPackageList } from '../../scripts/docs/llms.mjs';
import { firstSentenceOf, titleOf } from '../../scripts/docs/markdown.mjs';
import { ERROR_CODES } from '../../src/index.ts';
import { ROOT } from '../support/dist.ts';

describe('the lists of pages', () => {
  test('docs/llms.txt is up to date: `npm run docs -- --llms` writes it', () => {
    // Throws if a page of docs/ is in no section.
    expect(read('docs/llms.txt')).toBe(formatPackageList());
  });

  test('llms-full.txt has the README and the guides', () => {
    const full = formatFull();
    for (const page of ['README.md', 'docs/get-started.md', 'docs/openapi.md', 'docs/errors.md'])
      expect(full).toContain(`<!-- ${page} -->\n\n# `);
  });

  test('a page is described by its title and its first sentence', () => {
    const page =
      '# The `x` page\n\n![alt](a.svg)\n\n```ts\n1;\n```\n\nUse **[x](x.md)**\nv1.2: it is short. More.\n';
    expect(titleOf(page)).toBe('The `x` page');
    expect(firstSentenceOf(page)).toBe('Use x v1.2: it is short.');
  });
});

describe('the pictures', () => {
  test('the life of a call has the stations of docs/architecture.md in their order, and codes that exist', () => {
    const picture = read('docs/pictures/life-of-a-call.svg');
    const page = read('docs/architecture.md');
    const rows = Array.from(page.matchAll(/^\| (\w+) \| `pipeline\//gm), ([, name]) => name);
    // Only for tools with confirmation: a part of run.
    const stations = rows.filter((name) => name !== 'confirm');
    expect(stations).toContain('guard');
    expect(textsOf(picture, 'b').slice(0, -1)).toEqual(stations);
    const codes = new Set(picture.match(/\b[A-Z]+_[A-Z_]+\b|\bCANCELLED\b/g));
    expect(codes.size).toBeGreaterThan(5);
    expect([...codes].filter((code) => !Object.hasOwn(ERROR_CODES, code))).toEqual([]);
  });

  test('the layers are those of docs/architecture.md, from the last row to the first', () => {
    const page = read('docs/architecture.md');
    const table = page.slice(page.indexOf('## Layers'), page.indexOf('`npm run house`'));
    const folders = Array.from(table.matchAll(/^\| `([\w-]+)\//gm), ([, name]) => name);
    const rows = new Map<string, string[]>();
    const chips = read('docs/pictures/layers.svg').matchAll(
      /class="[^"]*layer" x="[^"]*" y="([^"]*)">(.*?)</g,
    );
    for (const [, y = '', name = ''] of chips) rows.set(y, [...(rows.get(y) ?? []), name]);
    expect([...new Set(folders)]).toEqual(inOrder(rows));
  });
});

/** Lower rows first. Two lines of one box are one row, whose first line is the inner one. */
function inOrder(rows: ReadonlyMap<string, string[]>): string[] {
  const groups: string[][] = [];
  let last = -Infinity;
  for (const [y, names] of rows) {
    const top = Number(y);
    if (top - last < 40) groups.at(-1)?.push(...names);
    else groups.push([...names]);
    last = top;
  }
  return groups.toReversed().flat();
}

function textsOf(picture: string, style: string): string[] {
  return Array.from(
    picture.matchAll(new RegExp(`class="${style}" [^>]*>(.*?)<`, 'g')),
    ([, text = '']) => text,
  );
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
