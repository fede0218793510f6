import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonSchema, ToolRegistry, ValidationError } from '../../../src/index.ts';
import { containPath } from '../../../src/files.ts';

let base = '';
let root = '';
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'contain-')));
  root = join(base, 'root');
  mkdirSync(join(root, 'sub', '.hidden'), { recursive: true });
  mkdirSync(join(base, 'root-sibling'));
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'outside', 'secret.txt'), 'x');
  writeFileSync(join(root, 'a.txt'), 'a');
  symlinkSync(root, join(base, 'link-to-root'));
  symlinkSync(join(base, 'outside'), join(root, 'out'));
  symlinkSync(join(base, 'outside', 'secret.txt'), join(root, 'out.txt'));
  symlinkSync(join(base, 'outside', 'not-yet.txt'), join(root, 'dangling.txt'));
  symlinkSync(join(base, 'not-yet'), join(root, 'dangling'));
  symlinkSync(join(root, 'sub'), join(root, 'in'));
  symlinkSync('loop', join(root, 'loop'));
});
afterAll(() => rmSync(base, { recursive: true }));

describe('containPath', () => {
  test('an empty root is refused: it would be the working directory', async () => {
    await expect(containPath('', 'x')).rejects.toThrow(
      'containPath: root must be the path of an existing folder; received "".',
    );
  });

  test.each([
    ['a.txt', 'a.txt'],
    ['./a.txt', 'a.txt'],
    ['sub//new.txt', 'sub/new.txt'],
    ['.', ''],
    ['sub/', 'sub'],
    ['sub/.hidden/x', 'sub/.hidden/x'],
    ['new/deeper/file.csv', 'new/deeper/file.csv'],
    ['in/new.txt', 'sub/new.txt'],
    ['..a', '..a'],
    ['a b[1]::é.csv', 'a b[1]::é.csv'],
  ])('%j is %j in the root', async (given, expected) => {
    expect(await containPath(root, given)).toBe(join(root, expected));
  });

  test('an absolute path below the root is taken, by either name of the root', async () => {
    expect(await containPath(root, join(root, 'sub/x'))).toBe(join(root, 'sub/x'));
    const link = join(base, 'link-to-root');
    expect(await containPath(link, join(link, 'sub/x'))).toBe(join(root, 'sub/x'));
    expect(await containPath(link, join(root, 'sub/x'))).toBe(join(root, 'sub/x'));
    expect(await containPath(pathToFileURL(link), 'sub/x')).toBe(join(root, 'sub/x'));
    expect(await containPath('/', join(root, 'a.txt'))).toBe(join(root, 'a.txt'));
  });

  test.each([
    '',
    '..',
    '../outside/secret.txt',
    'sub/../../outside/secret.txt',
    'sub/../a.txt',
    'new/../../outside/x',
    '/etc/passwd',
    'out',
    'out/secret.txt',
    'out/new.txt',
    'out.txt',
    'dangling.txt',
    'dangling/new.txt',
    'loop',
    'loop/x',
    'a.txt/x',
    'a\u0000.txt',
    'sub\\..\\..\\x',
    'C:\\Windows\\x',
    'c:/x',
    'C:x',
    '\\\\server\\share\\x',
    '//server/share/x',
    '\\\\?\\C:\\x',
    'x'.repeat(5000),
    `sub/${'x'.repeat(300)}`,
  ])('%j is refused', async (given) => {
    await expect(containPath(root, given)).rejects.toBeInstanceOf(ValidationError);
  });

  test('an absolute path with .. is refused: after a link, it leads elsewhere than its text', async () => {
    await expect(containPath(root, `${root}/in/../a.txt`)).rejects.toBeInstanceOf(ValidationError);
  });

  test('a sibling whose name begins like the root is outside', async () => {
    await expect(containPath(root, `${root}-sibling/x`)).rejects.toBeInstanceOf(ValidationError);
  });

  test('values that are not strings are rejected', async () => {
    await expect(containPath(root, 7 as never)).rejects.toBeInstanceOf(ValidationError);
  });

  test('the model reads which argument is wrong, and nothing of the root', async () => {
    const registry = new ToolRegistry();
    registry.register({
      name: 'export',
      description: 'Exports',
      inputSchema: jsonSchema<{ filename: string }>({ type: 'object' }),
      handler: ({ input }) => containPath(root, input.filename, { field: 'filename' }),
    });
    const result = await registry.executeTool({ name: 'export', arguments: { filename: 'out/x' } });
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          text:
            "Invalid arguments for tool 'export'.\n" +
            '- filename: must be a path inside the folder of this tool, without ".." and without links that lead out of it (expected: a relative path; received: "out/x")',
        },
      ],
      _meta: { 'toolwright/error': { code: 'INVALID_ARGUMENTS' } },
    });
    expect(JSON.stringify(result)).not.toContain(base);
  });

  test('a root that does not exist is a mistake of the author', async () => {
    await expect(containPath(join(base, 'nowhere'), 'a')).rejects.toMatchObject({
      code: 'INVALID_DEFINITION',
      option: 'root',
    });
  });
});
