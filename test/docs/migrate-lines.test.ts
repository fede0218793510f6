import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { assertBuilt, ROOT } from '../support/dist.ts';

const folder = mkdtempSync(join(tmpdir(), 'lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files of both versions, and the pattern of the counted lines. */
const ROWS = [
  { row: 'memory, `servers/memory`', server: 'memory', before: /./, after: /./ },
  { row: 'filesystem, `servers/filesystem`', server: 'filesystem', before: /./, after: /./ },
  {
    row: 'filesystem: tools and server, without the code for files',
    server: 'filesystem',
    before: /^index/,
    after: /^(?:main|define|.*-tools)\./,
  },
];

test.each(ROWS)('docs/migrate.md has the lines of both versions: $row', ({ row, server, before, after }) => {
  assertBuilt();
  const page = readFileSync(join(ROOT, 'docs/migrate.md'), 'utf8');
  const published = countLines(
    join(ROOT, `node_modules/@modelcontextprotocol/server-${server}/dist`),
    before,
  );
  const migrated = countLines(join(ROOT, `servers/${server}/dist`), after);
  expect(page).toContain(`| ${row} | ${published} | ${migrated} |`);
});

/** Lines of JavaScript without comments: joined into one line and then formatted, so that the layout of the source does not count. */
function countLines(path: string, pattern: RegExp): number {
  const copies = mkdtempSync(join(folder, 'copies-'));
  const names = readdirSync(path).filter((name) => name.endsWith('.js') && pattern.test(name));
  copyFileSync(join(ROOT, '.oxfmtrc.json'), join(copies, '.oxfmtrc.json'));
  for (const name of names) {
    const source = readFileSync(join(path, name), 'utf8');
    writeFileSync(
      join(copies, name),
      transformSync(source, { minifyWhitespace: true, legalComments: 'none' }).code,
    );
  }
  execFileSync(process.execPath, [join(ROOT, 'node_modules/oxfmt/bin/oxfmt'), '.'], { cwd: copies });
  const lines = names.flatMap((name) => readFileSync(join(copies, name), 'utf8').split('\n'));
  return lines.filter((line) => line.trim() !== '').length;
}
