import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { CATALOG } from '../../src/gate/catalog.ts';
import { ADMIN_USAGE } from '../../src/gate/admin-commands.ts';
import { command, run, startHttp } from '../support/processes.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const CLI = fileURLToPath(new URL('../../../../dist/bundle/cli.js', import.meta.url));
if (!existsSync(CLI)) throw new Error('dist is missing: run `npm run build` first');
const folder = mkdtempSync(join(tmpdir(), 'fitness-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [, story = ''] = /<!-- story -->\n```sh\n([^]*?)```/.exec(readme) ?? [];
const FITNESS = 'npm run --silent fitness -- ';

/** The words of a line of a shell, with quotes. */
function toWords(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
}

test('the ten lines about tenants do what their comments say', async () => {
  const variables = { FITNESS_DATABASE: join(folder, 'fitness.db') };
  const lines = story
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/\s+# /));
  expect(lines).toHaveLength(10);
  let token = '';
  let http: Awaited<ReturnType<typeof startHttp>> | undefined;
  const counts: string[] = [];
  try {
    for (const [whole = '', comment = ''] of lines) {
      const line = whole.replace(/ until curl .*; done$|; kill %1$/, '').trim();
      const [, assigned] = /^TOKEN=\$\(npm run --silent fitness -- (.*) \| head -1\)$/.exec(line) ?? [];
      if (assigned !== undefined) token = await command(toWords(assigned), variables);
      else if (line === `${FITNESS}--http &`) http = await startHttp(variables);
      else if (line.startsWith(FITNESS)) await command(toWords(line.slice(FITNESS.length)), variables);
      else {
        const [npx, name, ...words] = toWords(
          line.replace('$TOKEN', token).replace(/http:\S+/, http?.url ?? ''),
        );
        expect([npx, name]).toEqual(['npx', 'toolwright']);
        const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...words]);
        const [, count] = /^Tools (\d+)/m.exec(stdout) ?? [];
        counts.push(`${count} tools`);
        expect(comment).toBe(counts.at(-1));
      }
    }
  } finally {
    await http?.stop();
  }
  expect(counts).toEqual(['17 tools', '45 tools', '44 tools']);
});

test('the table of tools has each tool of the catalog with its plan and whether it is public', () => {
  for (const { name, category, plan, isPublic } of CATALOG.values()) {
    const row = readme.split('\n').find((line) => line.startsWith(`| ${category} |`)) ?? '';
    const mark = plan === undefined ? '' : ` ${plan[0]?.toUpperCase()}${isPublic ? ' ●' : ''}`;
    expect(row.replace(/ \|$/, ',')).toContain(`\`${name}\`${mark}`);
  }
  expect(readme.match(/●[,\s]/g)).toHaveLength(17);
});

test('the variables are those that the server reads', () => {
  const source = ['settings', 'environment'].map((name) =>
    readFileSync(new URL(`../../src/settings/${name}.ts`, import.meta.url), 'utf8'),
  );
  const read = Array.from(
    source.join('').matchAll(/(?:text|choice|integer)\('([A-Z\d_]+)'/g),
    ([, name]) => name,
  );
  const table = readme.slice(readme.indexOf('## Variables'), readme.indexOf('## Data'));
  const documented = Array.from(table.matchAll(/`((?:FITNESS|LOG)_[A-Z\d_]+)`/g), ([, name]) => name);
  expect(new Set(documented)).toEqual(new Set(read));
});

test('the options and commands are those of --help', async () => {
  const { stdout } = await run(['--help'], {});
  const options = (text: string): string[] => [...new Set(text.match(/(?<=[\s`])--[a-z-]+/g))].toSorted();
  const help = stdout.slice(0, stdout.indexOf('Commands'));
  const table = readme.slice(readme.indexOf('## Options'), readme.indexOf('## Variables'));
  expect(options(table)).toEqual(options(help));
  for (const line of ADMIN_USAGE.split('\n'))
    expect(readme).toContain(`npm run fitness -- ${line.trim().replace(/ \(.*\)$/, '')}\n`);
});
