import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/main.ts';
import { runCli } from './run-cli.ts';

const help = async (columns: number | undefined, ...line: string[]): Promise<string[]> =>
  (await runCli(line, { cwd: '/', columns })).out.split('\n');

describe.each([60, 80, 200])('in a terminal of %i columns', (columns) => {
  test.each(['', ...COMMANDS.map(({ name }) => name)])('the help of "%s" wraps to it', async (name) => {
    const shown = await help(columns, ...(name === '' ? ['help'] : [name, '--help']));
    const commands = new Set(
      COMMANDS.flatMap(({ examples, usage }) => [
        ...examples.map(([line]) => line),
        ...usage.map((each) => `toolwright ${name} ${each}`),
      ]),
    );
    // Commands to copy are not wrapped; neither is a word, such as a flag with its value.
    const long = shown.filter(
      (line) => line.length > columns && line.trim().includes(' ') && !commands.has(line.trim()),
    );
    expect(long.filter((line) => !/^ +(?:-\w, )?--[\w-]+ <[^>]+>(?: …)?$/.test(line))).toEqual([]);
    const words = (lines: readonly string[]): string => lines.join(' ').replaceAll(/\s+/g, ' ');
    expect(words(shown)).toBe(words(await help(undefined, ...(name === '' ? ['help'] : [name, '--help']))));
  });
});

test('continued lines begin where the description does, and below a long flag in a narrow terminal', async () => {
  const wide = await help(80, 'call', '--help');
  const first = wide.findIndex((line) => line.includes('--timeout <ms>'));
  expect(wide.slice(first, first + 2)).toEqual([
    '  -t, --timeout <ms>            Timeout for connecting (default: 30000) and for',
    '                                each response (default: 60000)',
  ]);
  const narrow = await help(60, 'call', '--help');
  const below = narrow.findIndex((line) => line.includes('--timeout <ms>'));
  expect(narrow.slice(below, below + 3)).toEqual([
    '  -t, --timeout <ms>',
    '          Timeout for connecting (default: 30000) and for',
    '          each response (default: 60000)',
  ]);
});
