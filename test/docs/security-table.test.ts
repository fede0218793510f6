import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/dist.ts';

/** Cells that need no test. */
const WITHOUT_TEST = /Not offered:|Not followed:|\bClient\b/;

interface Citation {
  readonly file: string;
  readonly titles: readonly string[];
}

/** The tests that a row cites: a file as code, then the titles of tests in it, in typographic quotes. */
function citationsOf(row: string): Citation[] {
  const parts = row.split(/(?=`test\/)/).slice(1);
  return parts.map((part) => ({
    file: /^`(?<file>[^`]+)`/.exec(part)?.groups?.['file'] ?? '',
    titles: Array.from(part.matchAll(/“(?<title>[^”]+)”/g), ({ groups }) => groups?.['title'] ?? ''),
  }));
}

const titleIn = (source: string, title: string): boolean =>
  [`'${title}'`, `'${title.replaceAll("'", "\\'")}'`, `"${title}"`].some((literal) =>
    source.includes(literal),
  );

describe.each([
  ['docs/security.md', /^\| 10\.\d/, 21],
  ['conformance/authorization.md', /^\| \d\d-\d\d/, 67],
])('%s', (page, first, count) => {
  const rows = readFileSync(join(ROOT, page), 'utf8')
    .split('\n')
    .filter((line) => first.test(line));

  test('has its rows, each with a test or the reason why it has none', () => {
    expect(rows).toHaveLength(count);
    const bare = rows.filter((row) => citationsOf(row).length === 0 && !WITHOUT_TEST.test(row));
    expect(bare).toEqual([]);
  });

  test('cites tests that exist', () => {
    const missing = rows.flatMap(citationsOf).flatMap(({ file, titles }) => {
      if (!existsSync(join(ROOT, file))) return [file];
      const source = readFileSync(join(ROOT, file), 'utf8');
      return titles.filter((title) => !titleIn(source, title)).map((title) => `${file}: ${title}`);
    });
    expect(missing).toEqual([]);
  });
});
