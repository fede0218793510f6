import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, linksOf, replaceLinks } from '../../scripts/docs/markdown.mjs';
import { ROOT } from '../support/dist.ts';

const pages = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md'].filter(exists),
  ...filesIn('docs', ['.md', '.txt']),
  ...filesIn('examples', ['.md']),
  ...readdirSync(join(ROOT, 'servers'))
    .map((name) => `servers/${name}/README.md`)
    .filter(exists),
];

describe('links between the pages of the repository', () => {
  test('lead to a file and a heading that exist', () => {
    const links = pages.flatMap((page) =>
      linksOf(read(page))
        .filter(({ link }) => !/^[a-z]+:/i.test(link))
        .map(({ link, line }) => ({ page, link, line })),
    );
    expect(links.length).toBeGreaterThan(300);
    const broken = links.filter(({ page, link }) => !resolves(link, page));
    expect(broken.map(({ page, line, link }) => `${page}:${line} ${link}`)).toEqual([]);
  });

  test('are found wherever they are, and not in code', () => {
    const page = [
      '# A `b()` & c_d',
      'See [one](one.md#x) and [`two`](two.md), ![alt](three.svg), `[no](no.md)`.',
      '```ts',
      '[no](no.md)',
      '```',
      '# A `b()` & c_d',
      '[ref]: four.md',
    ].join('\n');
    expect(linksOf(page)).toEqual([
      { link: 'one.md#x', line: 2 },
      { link: 'two.md', line: 2 },
      { link: 'three.svg', line: 2 },
      { link: 'four.md', line: 7 },
    ]);
    expect([...anchorsOf(page)]).toEqual(['a-b--c_d', 'a-b--c_d-1']);
    const rewritten = replaceLinks(page, (label, target, isImage) => `<${label}|${target}|${isImage}>`);
    expect(rewritten.split('\n')[1]).toBe(
      'See <one|one.md#x|false> and <`two`|two.md|false>, <alt|three.svg|true>, `[no](no.md)`.',
    );
    expect(rewritten).toContain('```ts\n[no](no.md)\n```');
  });
});

test('pages that comments and messages of src/ name exist, with their headings', () => {
  const sources = filesIn('src', ['.ts'])
    // The files of a new project, which has its own docs/.
    .filter((file) => file !== 'src/cli/project/templates.ts');
  const named = sources.flatMap((file) =>
    Array.from(read(file).matchAll(/\b(?:docs|bench|examples)\/[\w/-]+\.md(?:#[\w-]+)?/g), ([name]) => ({
      file,
      name,
    })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(
    named.filter(({ name }) => !resolves(name, 'README.md')).map(({ file, name }) => `${file} ${name}`),
  ).toEqual([]);
});

/** Whether a link in a page leads to something. */
function resolves(link: string, from: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, from) : resolve(ROOT, dirname(from), decodeURI(path));
  if (relative(ROOT, target).startsWith('..') || !existsSync(target)) return false;
  if (anchor === undefined) return true;
  const page = statSync(target).isDirectory() ? join(target, 'README.md') : target;
  return existsSync(page) && anchorsOf(readFileSync(page, 'utf8')).has(anchor);
}

function exists(file: string): boolean {
  return existsSync(join(ROOT, file));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The files below a folder, as paths from the root. */
function filesIn(folder: string, endings: readonly string[]): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((name) => endings.some((ending) => name.endsWith(ending)));
}
