import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedClient } from '../../support/served-clients.ts';
import { callAll, callOne, listTools, RUNS, start } from './side-by-side.ts';
import type { Call, Outcome, Run } from './side-by-side.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'files-')));
/** Created again for each server, so that both see the same paths. */
const root = join(folder, 'root');
/** Created once, because creation times cannot be set. */
const still = join(folder, 'still');
const secret = join(folder, 'secret');
const linked = join(folder, 'linked-root');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const LINES = Array.from({ length: 400 }, (_, index) => `line ${index + 1} – äöü €`).join('\n');

function makeStill(): void {
  for (const path of [still, secret]) mkdirSync(path);
  writeFileSync(join(still, 'one.txt'), 'one');
  writeFileSync(join(secret, 'key.txt'), 'secret');
  symlinkSync(root, linked);
}

function makeRoot(): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, 'src', 'deep'), { recursive: true });
  mkdirSync(join(root, 'empty'));
  mkdirSync(join(root, 'node_modules', 'pkg'), { recursive: true });
  const files: Record<string, string | Buffer> = {
    'a.txt': 'alpha\nbeta\ngamma\n',
    'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
    'long.txt': LINES,
    'empty.txt': '',
    'blank.txt': '\n\n\n',
    'bytes.bin': Buffer.from([0, 255, 10, 200, 13, 10]),
    'fence.md': '```js\ncode\n```\n',
    'indent.py': 'def f():\n    if x:\n        return 1\n    return 2\n',
    'photo.PNG': PNG,
    'sound.mp3': Buffer.from('ID3'),
    'vector.svg': '<svg/>',
    'big.txt': 'x'.repeat(3_000_000),
    'mode.sh': '#!/bin/sh\n',
    '.hidden': 'hidden',
    'name with  spaces.txt': 'spaces',
    'Zo\u00eb.txt': 'composed',
    'src/index.ts': 'export {};\n',
    'src/deep/index.test.ts': 'test();\n',
    'src/deep/data.json': '{}',
    'node_modules/pkg/index.js': '',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  chmodSync(join(root, 'mode.sh'), 0o750);
  symlinkSync('a.txt', join(root, 'link-inside.txt'));
  symlinkSync(join(secret, 'key.txt'), join(root, 'link-outside.txt'));
  symlinkSync(secret, join(root, 'folder-outside'));
  symlinkSync('nowhere', join(root, 'dangling'));
  symlinkSync('loop', join(root, 'loop'));
  symlinkSync('src', join(root, 'folder-inside'));
}

const at = (...names: string[]): string => join(root, ...names);
const edit = (path: string, oldText: string, newText: string, dryRun?: boolean): Call => [
  'edit_file',
  { path, edits: [{ oldText, newText }], ...(dryRun === undefined ? {} : { dryRun }) },
];

const READING: readonly Call[] = [
  ['list_allowed_directories', {}],
  ['read_file', { path: at('a.txt') }],
  ['read_text_file', { path: at('a.txt') }],
  ['read_text_file', { path: 'a.txt' }],
  ['read_text_file', { path: 'src/../a.txt' }],
  ['read_text_file', { path: `${root}//src///index.ts` }],
  ['read_text_file', { path: at('name with  spaces.txt') }],
  ['read_text_file', { path: at('empty.txt') }],
  ['read_text_file', { path: at('bytes.bin') }],
  ['read_text_file', { path: at('crlf.txt') }],
  ['read_text_file', { path: at('big.txt') }],
  ['read_text_file', { path: at('link-inside.txt') }],
  ['read_text_file', { path: at('folder-inside', 'index.ts') }],
  ['read_text_file', { path: join(linked, 'a.txt') }],
  ['read_text_file', { path: join(still, 'one.txt') }],
  // The same name in another Unicode form.
  ['read_text_file', { path: at('Zoe\u0308.txt') }],
  ['read_text_file', { path: at('a.txt'), head: 2 }],
  ['read_text_file', { path: at('a.txt'), head: 3 }],
  ['read_text_file', { path: at('a.txt'), head: 99 }],
  ['read_text_file', { path: at('a.txt'), head: 0 }],
  ['read_text_file', { path: at('a.txt'), head: -1 }],
  ['read_text_file', { path: at('a.txt'), tail: 1 }],
  ['read_text_file', { path: at('a.txt'), tail: 2 }],
  ['read_text_file', { path: at('a.txt'), tail: 99 }],
  ['read_text_file', { path: at('a.txt'), tail: -1 }],
  ['read_text_file', { path: at('a.txt'), head: 1, tail: 1 }],
  ['read_text_file', { path: at('blank.txt'), head: 2 }],
  ['read_text_file', { path: at('blank.txt'), tail: 2 }],
  ['read_text_file', { path: at('empty.txt'), head: 2 }],
  ['read_text_file', { path: at('empty.txt'), tail: 2 }],
  ['read_text_file', { path: at('crlf.txt'), head: 2 }],
  ['read_text_file', { path: at('crlf.txt'), tail: 2 }],
  ['read_text_file', { path: at('long.txt'), head: 150 }],
  ['read_text_file', { path: at('long.txt'), tail: 150 }],
  ['read_text_file', { path: at('big.txt'), tail: 1 }],
  ['read_file', { path: at('long.txt'), tail: 3 }],
  ['read_media_file', { path: at('photo.PNG') }],
  ['read_media_file', { path: at('sound.mp3') }],
  ['read_media_file', { path: at('vector.svg') }],
  ['read_media_file', { path: at('bytes.bin') }],
  ['read_media_file', { path: at('name with  spaces.txt') }],
  ['read_media_file', { path: at('missing.png') }],
  ['read_media_file', { path: at('src') }],
  ['read_multiple_files', { paths: [at('a.txt'), at('crlf.txt')] }],
  ['read_multiple_files', { paths: [at('missing.txt'), at('a.txt'), join(secret, 'key.txt'), at('src')] }],
];

const LISTING: readonly Call[] = [
  ['list_directory', { path: root }],
  ['list_directory', { path: at('empty') }],
  ['list_directory', { path: '.' }],
  ['list_directory', { path: at('folder-inside') }],
  ['list_directory', { path: at('missing') }],
  ['list_directory', { path: at('a.txt') }],
  ['list_directory_with_sizes', { path: root }],
  ['list_directory_with_sizes', { path: root, sortBy: 'name' }],
  ['list_directory_with_sizes', { path: root, sortBy: 'size' }],
  ['list_directory_with_sizes', { path: at('empty') }],
  ['list_directory_with_sizes', { path: at('missing') }],
  ['directory_tree', { path: root }],
  ['directory_tree', { path: at('empty') }],
  ['directory_tree', { path: root, excludePatterns: ['node_modules'] }],
  ['directory_tree', { path: root, excludePatterns: ['*.txt', '**/*.test.ts', 'deep'] }],
  ['directory_tree', { path: 'src', excludePatterns: ['deep/**'] }],
  ['directory_tree', { path: at('a.txt') }],
  ['search_files', { path: root, pattern: '*.txt' }],
  ['search_files', { path: root, pattern: '**/*.ts' }],
  ['search_files', { path: root, pattern: '**/index*', excludePatterns: ['node_modules/**'] }],
  ['search_files', { path: root, pattern: '**/*', excludePatterns: ['**/node_modules', '*.bin'] }],
  ['search_files', { path: root, pattern: '{a,crlf}.txt' }],
  ['search_files', { path: root, pattern: 'nothing' }],
  ['search_files', { path: at('src'), pattern: 'deep/*.json' }],
  ['search_files', { path: at('missing'), pattern: '*' }],
  ['search_files', { path: at('a.txt'), pattern: '*' }],
  ['get_file_info', { path: join(still, 'one.txt') }],
  ['get_file_info', { path: still }],
  ['get_file_info', { path: at('missing.txt') }],
];

const DENIED: readonly Call[] = [
  ['read_text_file', { path: join(secret, 'key.txt') }],
  ['read_text_file', { path: '/etc/passwd' }],
  ['read_text_file', { path: '../secret/key.txt' }],
  ['read_text_file', { path: `${root}/../secret/key.txt` }],
  ['read_text_file', { path: `${root}-other/key.txt` }],
  ['read_text_file', { path: '~/key.txt' }],
  ['read_text_file', { path: '~' }],
  ['read_text_file', { path: 'C:\\Windows\\win.ini' }],
  ['read_text_file', { path: 'c:/Windows' }],
  ['read_text_file', { path: `${root}/a.txt\0.png` }],
  ['read_text_file', { path: at('link-outside.txt') }],
  ['read_text_file', { path: at('folder-outside', 'key.txt') }],
  ['read_text_file', { path: at('folder-outside', 'missing.txt') }],
  ['read_text_file', { path: at('dangling') }],
  ['read_text_file', { path: at('loop') }],
  ['read_text_file', { path: at('missing.txt') }],
  ['read_text_file', { path: at('missing.txt'), head: 1 }],
  ['read_text_file', { path: at('missing.txt'), tail: 1 }],
  ['read_text_file', { path: at('missing', 'missing.txt') }],
  ['read_text_file', { path: at('a.txt', 'child') }],
  ['read_text_file', { path: at('src') }],
  ['read_text_file', { path: at('src'), head: 1 }],
  ['read_text_file', { path: at('src'), tail: 1 }],
  ['read_text_file', { path: '' }],
  ['write_file', { path: at('link-outside.txt'), content: 'changed' }],
  ['write_file', { path: at('folder-outside', 'new.txt'), content: 'new' }],
  ['write_file', { path: join(secret, 'new.txt'), content: 'new' }],
  ['write_file', { path: at('dangling'), content: 'x' }],
  ['create_directory', { path: join(secret, 'new') }],
  ['create_directory', { path: at('folder-outside', 'new') }],
  ['create_directory', { path: at('a.txt') }],
  ['list_directory', { path: secret }],
  ['list_directory', { path: at('folder-outside') }],
  ['list_directory_with_sizes', { path: '/' }],
  ['directory_tree', { path: folder }],
  ['search_files', { path: folder, pattern: '**' }],
  ['get_file_info', { path: at('link-outside.txt') }],
  ['move_file', { source: at('link-outside.txt'), destination: at('stolen.txt') }],
  ['move_file', { source: at('a.txt'), destination: join(secret, 'a.txt') }],
  edit(at('link-outside.txt'), 'secret', 'public'),
];

const WRITING: readonly Call[] = [
  ['write_file', { path: at('new.txt'), content: 'new\n' }],
  ['write_file', { path: 'relative.txt', content: 'relative' }],
  ['write_file', { path: at('mode.sh'), content: '#!/bin/sh\nexit 0\n' }],
  ['write_file', { path: at('link-inside.txt'), content: 'through a link\n' }],
  ['write_file', { path: at('Zoe\u0308.txt'), content: 'the same file' }],
  ['write_file', { path: at('no', 'parent.txt'), content: 'x' }],
  ['create_directory', { path: at('made') }],
  ['create_directory', { path: at('made') }],
  ['create_directory', { path: at('made', 'very', 'deep') }],
  ['move_file', { source: at('new.txt'), destination: at('made', 'moved.txt') }],
  ['move_file', { source: at('made', 'moved.txt'), destination: at('crlf.txt') }],
  ['move_file', { source: at('missing.txt'), destination: at('elsewhere.txt') }],
  ['move_file', { source: at('made'), destination: at('src') }],
  ['move_file', { source: at('made'), destination: at('renamed') }],
  ['move_file', { source: at('crlf.txt'), destination: at('dangling') }],
  ['move_file', { source: at('renamed', 'moved.txt'), destination: at('no', 'parent', 'x.txt') }],
  edit(at('long.txt'), 'line 7 – äöü €', 'seven', true),
  edit(at('long.txt'), 'line 7 – äöü €', 'seven', false),
  edit(at('long.txt'), 'line 7 – äöü €', 'again'),
  edit(at('long.txt'), 'line 9 –', '$& and $1'),
  edit(at('crlf.txt'), 'one\r\ntwo', 'uno\r\ndos'),
  edit(at('fence.md'), 'code', '````'),
  edit(at('indent.py'), 'if x:\n    return 1', 'if y:\n      return 3'),
  edit(at('indent.py'), '   return 2   ', 'return 4'),
  edit(at('indent.py'), 'return 4', 'if z:\n    return 5\n    return 6'),
  edit(at('indent.py'), 'nothing like it', ''),
  edit(at('missing.txt'), 'x', 'y'),
  edit(at('src'), 'x', 'y'),
  edit(at('mode.sh'), 'exit 0', 'exit 1'),
  ['edit_file', { path: at('a.txt'), edits: [] }],
  [
    'edit_file',
    {
      path: at('src/index.ts'),
      edits: [
        { oldText: 'export', newText: 'import' },
        { oldText: 'import {}', newText: 'import { x }' },
      ],
    },
  ],
  [
    'edit_file',
    {
      path: at('src/index.ts'),
      edits: [
        { oldText: 'import', newText: 'lost' },
        { oldText: 'unknown', newText: 'x' },
      ],
    },
  ],
  ['read_text_file', { path: at('indent.py') }],
];

const CALLS: readonly Call[] = [...READING, ...LISTING, ...DENIED, ...WRITING];

interface Recorded {
  readonly tools: unknown;
  readonly outcomes: readonly Outcome[];
  readonly left: unknown;
}

const recorded: Recorded[] = [];
const open = (run: Run, ...args: string[]): Promise<ServedClient> =>
  start('filesystem', run, { args, env: { HOME: folder, TZ: 'UTC' } });

beforeAll(async () => {
  makeStill();
  for (const run of RUNS) {
    makeRoot();
    await using client = await open(run, linked, still, join(folder, 'no such directory'));
    recorded.push({
      tools: await listTools(client),
      outcomes: await callAll(client, CALLS),
      left: [snapshot(root), snapshot(secret)],
    });
  }
}, 60_000);

describe.each([
  ['v1', 1],
  ['v2 auto', 2],
] as const)('the migrated filesystem server, through the client %s', (_client, index) => {
  const theirs = (): Recorded => recorded[0] as Recorded;
  const ours = (): Recorded => recorded[index] as Recorded;

  test('lists the same tools', () => {
    expect(theirs().tools).toHaveLength(14);
    expect(ours().tools).toEqual(theirs().tools);
  });

  test.each(CALLS.map(([tool, args], place) => [place, tool, describeArgs(args)] as const))(
    'call %i: %s(%s) has the same result',
    (place) => {
      expect(ours().outcomes[place]).toEqual(theirs().outcomes[place]);
    },
  );

  test('leaves the same files behind, with the same permissions', () => {
    expect(ours().left).toEqual(theirs().left);
  });
});

test('both answer what a call means, not merely the same', () => {
  const outcomeOf = (call: Call | undefined): Outcome | undefined =>
    recorded[0]?.outcomes[CALLS.findIndex((each) => each === call)];
  expect(DENIED.map((call) => outcomeOf(call)?.['isError'])).toEqual(DENIED.map(() => true));
  expect(outcomeOf(WRITING[0])?.['structuredContent']).toEqual({
    content: `Successfully wrote to ${at('new.txt')}`,
  });
  expect(outcomeOf(DENIED[0])?.['content']).toEqual([
    {
      type: 'text',
      text: `Access denied - path outside allowed directories: ${join(secret, 'key.txt')} not in ${linked}, ${root}, ${still}`,
    },
  ]);
});

describe('roots of the client', () => {
  const roots = (...paths: string[]): object => ({
    roots: paths.map((path) => ({ uri: pathToFileURL(path).href })),
  });
  const PROBES: readonly Call[] = [
    ['list_allowed_directories', {}],
    ['read_text_file', { path: 'one.txt' }],
    ['read_text_file', { path: join(secret, 'key.txt') }],
  ];
  /** Results of each server with these roots, instead of `still`, and after the roots have changed. */
  const probe = async (first: object, then: object = first): Promise<Outcome[][]> => {
    const outcomes: Outcome[][] = [];
    for (const run of RUNS.slice(0, 2)) {
      let current = first;
      let log = '';
      let onLog = (): void => {};
      // The published server accepts calls while it requests roots, and uses the previous directories for them.
      const isUpdated = async (times: number): Promise<void> => {
        if (run.server === 'ours') return;
        const lines = (): number => log.match(/from MCP roots|No valid root/g)?.length ?? 0;
        while (lines() < times) await new Promise<void>((resolve) => (onLog = resolve));
      };
      await using client = await start('filesystem', run, {
        args: [still],
        env: { HOME: folder },
        capabilities: { roots: { listChanged: true } },
        roots: () => current,
        onLog: (text) => {
          log += text;
          onLog();
        },
      });
      await isUpdated(1);
      const before = await callAll(client, PROBES);
      current = then;
      await (client.official as unknown as { sendRootsListChanged(): Promise<void> }).sendRootsListChanged();
      await isUpdated(2);
      outcomes.push([...before, ...(await callAll(client, PROBES))]);
    }
    return outcomes;
  };

  test.each([
    ['directories', roots('/', folder)],
    ['a link', roots(linked)],
    ['one that exists and others', roots(secret, join(folder, 'missing'), join(still, 'one.txt'))],
    ['none', roots()],
    ['none that is a directory', roots(join(still, 'one.txt'))],
  ])('%s: both allow the same', async (_name, given) => {
    const [theirs, ours] = await probe(given);
    expect(ours).toEqual(theirs);
  });

  test('others later: both allow those', async () => {
    const [theirs, ours] = await probe(roots(secret), roots(root, linked));
    expect(ours?.[0]?.['structuredContent']).toEqual({ content: `Allowed directories:\n${secret}` });
    expect(ours?.[3]?.['structuredContent']).toEqual({ content: `Allowed directories:\n${root}\n${root}` });
    expect(ours).toEqual(theirs);
  });
});

describe('differences, all on purpose:', () => {
  const both = async (args: readonly string[], tool: string, input: object): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const run of RUNS.slice(0, 2)) {
      await using client = await open(run, ...args);
      outcomes.push(await callOne(client, tool, input));
    }
    return outcomes;
  };
  const failure = (text: string): Outcome => ({ isError: true, content: [{ type: 'text', text }] });

  test('invalid arguments are explained field by field', async () => {
    expect(await both([still], 'read_text_file', { path: 'one.txt', head: 'two' })).toEqual([
      failure(
        'MCP error -32602: Input validation error: Invalid arguments for tool read_text_file: Invalid input: expected number, received string at head',
      ),
      failure(
        'Invalid arguments for tool \'read_text_file\'.\n- head: Invalid input: expected number, received string (expected: number; received: "two" (string))',
      ),
    ]);
  });

  test('a directory whose name has a space or a quote more than that of an allowed one is not allowed', async () => {
    const beside = `${still} `;
    mkdirSync(beside);
    writeFileSync(join(beside, 'key.txt'), 'not allowed');
    expect(await both([still], 'list_directory', { path: beside })).toEqual([
      {
        content: [{ type: 'text', text: '[FILE] key.txt' }],
        structuredContent: { content: '[FILE] key.txt' },
      },
      failure(`Access denied - path outside allowed directories: ${beside} not in ${still}`),
    ]);
  });

  test('roots hold from the first call on', async () => {
    await using client = await start('filesystem', RUNS[1] as Run, {
      args: [still],
      capabilities: { roots: {} },
      roots: () => ({ roots: [{ uri: pathToFileURL(secret).href }] }),
    });
    expect(await client.callText('list_allowed_directories')).toBe(`Allowed directories:\n${secret}`);
  });

  test('credentials in the messages of errors are blanked out', async () => {
    const path = join(still, 'password=hunter2', 'x.txt');
    expect(await both([still], 'read_text_file', { path })).toEqual([
      failure(`ENOENT: no such file or directory, open '${path}'`),
      failure(`ENOENT: no such file or directory, open '${join(still, 'password=[redacted]')}`),
    ]);
  });
});

/** Every file below a directory: its permissions, and its content or the target of a link. */
function snapshot(path: string): unknown {
  return Object.fromEntries(
    readdirSync(path, { withFileTypes: true }).map((entry) => {
      const file = join(path, entry.name);
      if (entry.isDirectory()) return [entry.name, snapshot(file)];
      if (entry.isSymbolicLink()) return [entry.name, `-> ${readlinkSync(file)}`];
      const content = readFileSync(file);
      const digest =
        content.length > 100
          ? createHash('sha256').update(content).digest('hex')
          : content.toString('latin1');
      return [entry.name, `${(lstatSync(file).mode & 0o777).toString(8)} ${digest}`];
    }),
  );
}

function describeArgs(args: object): string {
  return JSON.stringify(args).replaceAll(folder, '').slice(0, 100);
}
