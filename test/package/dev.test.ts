import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, DIST } from '../support/dist.ts';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CLIENTS, connectOverHttp, createClient } from '../support/served-clients.ts';
import type { ServedClient } from '../support/served-clients.ts';

const CLI = join(DIST, 'bundle/cli.js');
const scratch = createScratchFolder();
beforeAll(assertBuilt);
afterAll(scratch.remove);

const EVERYTHING = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** A server whose tool returns `word`, which is in a module of its own. */
function createProject(word: string): { folder: string; write: (name: string, text: string) => void } {
  const folder = mkdtempSync(join(scratch.path, 'project-'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('word.mjs', `export const word = '${word}';`);
  write(
    'tools.mjs',
    `import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { watch } from 'node:fs';
import * as z from 'zod';
import { word } from './word.mjs';
const tool = (name, handler) => ({ name, description: name, inputSchema: z.object({}), handler });
export default [
  tool('say', () => word),
  tool('crash', () => { process.exit(3); }),
  tool('noise', () => { console.log('noise'); return word; }),
  tool('wait', async () => {
    const watcher = watch('.');
    while (!existsSync('go')) await once(watcher, 'change');
    watcher.close();
    return word;
  }),
];`,
  );
  write(
    'toolwright.config.yaml',
    `name: demo
version: 1.0.0
prompts: [{ name: greet, template: Hello }]
tools: [{ module: ./tools.mjs }]
`,
  );
  return { folder, write };
}

const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill();
    await once(child, 'exit');
  }
  running.clear();
});

/** Standard error of a process; its output can be awaited. */
class Said {
  text = '';
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
    });
  }

  /** Drops the previous output. */
  async next(sought: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = sought.exec(this.text);
      if (found !== null) {
        this.text = this.text.slice(found.index + found[0].length);
        return found;
      }
      await once(this.#child.stderr as NodeJS.ReadableStream, 'data');
    }
  }
}

async function startHttp(
  folder: string,
  ...flags: string[]
): Promise<{ child: ChildProcess; said: Said; url: string }> {
  const child = spawn(process.execPath, [CLI, 'dev', '--http', '--port', '0', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  const said = new Said(child);
  const [, url = ''] = await said.next(/serving demo 1\.0\.0 at (\S+)\n/);
  return { child, said, url };
}

async function connectStdio(name: (typeof CLIENTS)[number]['client'], folder: string): Promise<ServedClient> {
  const client = createClient(name);
  const Transport = name === 'v1' ? StdioV1 : StdioV2;
  await client.connect(
    new Transport({ command: process.execPath, args: [CLI, 'dev'], cwd: folder, stderr: 'ignore' }),
  );
  return client;
}

describe.each(CLIENTS)('the $client client', ({ client: name, era }) => {
  test.each(['stdio', 'HTTP'])('stays connected over %s while the server changes', async (transport) => {
    const { folder, write } = createProject('one');
    await using client =
      transport === 'stdio'
        ? await connectStdio(name, folder)
        : await connectOverHttp(name, (await startHttp(folder)).url);
    if (era === 'modern') await client.listen(EVERYTHING);
    expect(await client.callText('say')).toBe('one');
    for (const word of ['two', 'three']) {
      const heard = client.next('notifications/tools/list_changed');
      write('word.mjs', `export const word = '${word}';`);
      await heard;
      expect(await client.callText('say')).toBe(word);
    }
    const heard = client.next('notifications/prompts/list_changed');
    write(
      'toolwright.config.yaml',
      `name: demo
version: 2.0.0
prompts: [{ name: greet, template: Hello }, { name: leave, template: Goodbye }]
tools: [{ module: ./tools.mjs }]
`,
    );
    await heard;
    expect((await client.listPrompts()).map((prompt) => prompt.name)).toEqual(['greet', 'leave']);
  });
});

test('a call that runs is finished by the version it began with', async () => {
  const { folder, write } = createProject('one');
  const { said, url } = await startHttp(folder);
  await using client = await connectOverHttp('v2 auto', url);
  const waiting = client.callText('wait');
  expect(await client.callText('say')).toBe('one');
  write('word.mjs', "export const word = 'two';");
  await said.next(/reloaded demo 1\.0\.0 in \d+ ms\n/);
  expect(await client.callText('say')).toBe('two');
  write('go', '');
  expect(await waiting).toBe('one');
});

test('a version that cannot be loaded is reported, and the one before goes on', async () => {
  const { folder, write } = createProject('one');
  const { said, url } = await startHttp(folder);
  await using client = await connectOverHttp('v1', url);
  write('word.mjs', 'export const word = ;');
  const [problem] = await said.next(/changed word\.mjs\n[^]*The previous version continues to serve\.\n/);
  expect(problem).toContain('SyntaxError');
  expect(problem).toContain('word.mjs');
  expect(await client.callText('say')).toBe('one');
  write('toolwright.config.yaml', 'name: demo\nvresion: 1.0.0\n');
  const [mistake] = await said.next(/changed toolwright\.config\.yaml\n[^]*continues to serve\.\n/);
  expect(mistake).toContain('toolwright.config.yaml:2:1');
  expect(await client.callText('say')).toBe('one');
});

test('one that cannot be loaded from the beginning is served once it can', async () => {
  const { folder, write } = createProject('one');
  rmSync(join(folder, 'word.mjs'));
  const child = spawn(process.execPath, [CLI, 'dev', '--http', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  const said = new Said(child);
  await said.next(/word\.mjs[^]*waiting for a change\.\n/);
  write('word.mjs', "export const word = 'late';");
  const [, url = ''] = await said.next(/serving demo 1\.0\.0 at (\S+)\n/);
  await using client = await connectOverHttp('v2 auto', url);
  expect(await client.callText('say')).toBe('late');
});

test('a call that ends the process is answered, and the next change brings the server back', async () => {
  const { folder, write } = createProject('one');
  const { said, url } = await startHttp(folder);
  await using client = await connectOverHttp('v1', url);
  await expect(client.callText('crash')).rejects.toThrow(
    'The server process ended before it responded: it ended with code 3. Try again.',
  );
  await said.next(/crashed it ended with code 3\.\n/);
  write('word.mjs', "export const word = 'again';");
  await said.next(/reloaded demo/);
  expect(await client.callText('say')).toBe('again');
});

test('an error of a handler is shown whole, and its message goes to the model', async () => {
  const folder = mkdtempSync(join(scratch.path, 'failing-'));
  writeFileSync(
    join(folder, 'store.mjs'),
    `export function load(id) {
  const rows = new Map();
\treturn rows.get(id).name;
}
`,
  );
  writeFileSync(
    join(folder, 'server.mjs'),
    `import { createServer, PromptsManager, ToolError, ToolRegistry } from 'toolwright';
import { load } from './store.mjs';
const tool = (name, handler) => ({ name, description: name, inputSchema: { type: 'object' }, handler });
const mounted = new ToolRegistry().register(tool('save', () => { throw 'just a string'; }));
const tools = new ToolRegistry().register(tool('load', async () => {
  try {
    return load(7);
  } catch (cause) {
    const error = new Error('cannot load /home/ada/rows.db with password=hunter2', { cause });
    throw Object.assign(error, { code: 'E_ROWS' });
  }
}));
tools.register(tool('polite', () => { throw new ToolError('No such row.'); }));
tools.mount('old', mounted);
const prompts = new PromptsManager().addPrompt({ name: 'greet', handler: () => { throw new RangeError('too few'); } });
export default createServer({ name: 'demo', version: '1.0.0', tools, prompts });
`,
  );
  const { said, url } = await startHttp(folder, 'server.mjs');
  await using client = await connectOverHttp('v2 auto', url);
  expect(await client.callText('load')).toMatch(
    /^Tool 'load' failed: cannot load \[path\] with password=\[redacted\] \(reference \w{8}\)$/,
  );
  const [shown] = await said.next(/failed tool[^]*toolwright\n[^]*toolwright\n/);
  expect(shown.replace(/reference \w+/, 'reference r').replaceAll(/… \d+ more/g, '… n more')).toBe(
    `failed tool 'load' (reference r)
  Error: cannot load /home/ada/rows.db with password=[redacted]
  { code: 'E_ROWS' }
    at Object.handler (server.mjs:9:19)
       7 |     return load(7);
       8 |   } catch (cause) {
    >  9 |     const error = new Error('cannot load /home/ada/rows.db with password=hunter2', { cause });
         |                   ^
      10 |     throw Object.assign(error, { code: 'E_ROWS' });
      11 |   }
    … n more in Node, packages and toolwright
  Caused by TypeError: Cannot read properties of undefined (reading 'name')
    at load (store.mjs:3:21)
      1 | export function load(id) {
      2 |   const rows = new Map();
    > 3 | \treturn rows.get(id).name;
        | \t                   ^
      4 | }
      5 |
    at Object.handler (server.mjs:7:12)
    … n more in Node, packages and toolwright
`,
  );
  expect(await client.callText('polite')).toBe('No such row.');
  expect(await client.callText('old_save')).toMatch(/^Tool 'old_save' failed: just a string \(reference/);
  await said.next(/failed tool 'old_save' \(reference \w+\)\n {2}Thrown \(not an Error\): just a string\n/);
  await expect(client.official.getPrompt({ name: 'greet' })).rejects.toThrow(
    /Prompt 'greet' failed: too few/,
  );
  await said.next(/failed prompt 'greet' [^]*RangeError: too few\n {4}at Object.handler \(server\.mjs:15:/);
});

test('editors that put a new file in the place of the old one are noticed, again and again', async () => {
  const { folder, write } = createProject('one');
  const { said, url } = await startHttp(folder);
  await using client = await connectOverHttp('v2 auto', url);
  for (const word of ['two', 'three']) {
    write('.word.mjs.swp', `export const word = '${word}';`);
    renameSync(join(folder, '.word.mjs.swp'), join(folder, 'word.mjs'));
    await said.next(/changed word\.mjs\n[^]*reloaded demo/);
    expect(await client.callText('say')).toBe(word);
  }
});

test('--watch: a change of another file reloads as well; that of an unwatched file does not', async () => {
  const { folder, write } = createProject('one');
  mkdirSync(join(folder, 'data'));
  const { said } = await startHttp(folder, '--watch', 'data', '-w', 'tools.mjs');
  write('unwatched.txt', 'x');
  write('data/list.txt', 'x');
  const [heard] = await said.next(/changed .*\n/);
  expect(heard).toBe(`changed ${join('data', 'list.txt')}\n`);
  await said.next(/reloaded demo/);
});

test('the end of the input or a signal ends both processes', async () => {
  const { folder } = createProject('one');
  const child = spawn(process.execPath, [CLI, 'dev'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  child.stdin.write(
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n',
  );
  child.stdin.write(
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"noise","arguments":{}}}\n',
  );
  child.stdin.end();
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  // Only messages, whatever the server prints.
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id),
  ).toEqual([1, 2]);

  const http = await startHttp(folder);
  http.child.kill('SIGTERM');
  expect(await once(http.child, 'exit')).toEqual([0, null]);
});

test.each([
  [['dev', 'nowhere.js'], /File not found: .*nowhere\.js\./],
  [['dev', '.'], /is a folder\. Name the file in it\./],
  [['dev', '--http', '--port', '99999'], /--port must be a number from 0 to 65535; received "99999"\./],
  [['dev', '--watch', 'nowhere'], /--watch: file or folder not found: .*nowhere\./],
  [['dev', 'a', 'b'], /Unexpected argument "b"\. "toolwright dev" takes one file\./],
])('%j is refused with what is wrong', async (args, message) => {
  const { folder } = createProject('one');
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = new Said(child);
  expect((await once(child, 'close'))[0]).toBe(2);
  expect(said.text).toMatch(message);
});

test('requests that overlap do not take back what the others have set up', async () => {
  const { folder, write } = createProject('one');
  write(
    'server.mjs',
    `import { createServer } from 'toolwright';
import * as z from 'zod';
let release;
const server = createServer({
  name: 'demo',
  version: '1.0.0',
  tools: [
    { name: 'slow', description: 'd', inputSchema: z.object({}), handler: () => new Promise((resolve) => { release = () => resolve('slow'); }) },
    { name: 'go', description: 'd', inputSchema: z.object({}), handler: () => { release(); server.resources.notifyUpdated('a://1'); server.resources.notifyUpdated('a://2'); return 'gone'; } },
  ],
  resources: [{ uri: 'a://1', name: '1', text: '' }, { uri: 'a://2', name: '2', text: '' }],
});
export default server;`,
  );
  const client = createClient('v1');
  const args = [CLI, 'dev', 'server.mjs'];
  await client.connect(new StdioV1({ command: process.execPath, args, cwd: folder, stderr: 'ignore' }));
  await using _closed = client;
  const slow = client.callText('slow');
  await Promise.all(['a://1', 'a://2'].map((uri) => client.official.subscribeResource({ uri })));
  const heard = client.next('notifications/resources/updated');
  await client.callText('go');
  expect(await slow).toBe('slow');
  await heard;
  const again = client.next('notifications/resources/updated');
  const [waiting] = [client.callText('slow')];
  await client.callText('go');
  await waiting;
  await again;
  const uris = client.heard
    .filter(({ method }) => method === 'notifications/resources/updated')
    .map(({ params }) => params?.['uri']);
  expect(new Set(uris)).toEqual(new Set(['a://1', 'a://2']));
});

test('a folder that is deleted and made again is watched again', async () => {
  const { folder, write } = createProject('one');
  mkdirSync(join(folder, 'lib'));
  write('lib/deep.mjs', "export const deep = 'one';");
  write('word.mjs', "export { deep as word } from './lib/deep.mjs';");
  const { said, url } = await startHttp(folder);
  await using client = await connectOverHttp('v2 auto', url);
  for (const word of ['two', 'three', 'four']) {
    rmSync(join(folder, 'lib'), { recursive: true });
    mkdirSync(join(folder, 'lib'));
    write('lib/deep.mjs', `export const deep = '${word}';`);
    await said.next(/changed lib\/deep\.mjs\n[^]*reloaded demo/);
    expect(await client.callText('say')).toBe(word);
  }
});

test('--watch: files that are replaced, added and deleted are noticed; the same content is no change', async () => {
  const { folder, write } = createProject('one');
  mkdirSync(join(folder, 'data'));
  write('data/a.txt', 'one');
  const { said } = await startHttp(folder, '--watch', 'data');
  for (const text of ['two', 'three']) {
    write('.swap', text);
    renameSync(join(folder, '.swap'), join(folder, 'data/a.txt'));
    await said.next(/changed data\/a\.txt\n[^]*reloaded demo/);
  }
  write('data/a.txt', 'three');
  write('data/b.txt', '');
  expect((await said.next(/changed .*\n/))[0]).toBe('changed data/b.txt\n');
  await said.next(/reloaded demo/);
  rmSync(join(folder, 'data/b.txt'));
  await said.next(/changed data\/b\.txt\n[^]*reloaded demo/);
});

test('a client that leaves a server that cannot be loaded leaves nothing behind', async () => {
  const { folder, write } = createProject('one');
  write('word.mjs', 'export const word = ;');
  const child = spawn(process.execPath, [CLI, 'dev'], { cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] });
  running.add(child);
  const said = new Said(child);
  child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await said.next(/word\.mjs:1: SyntaxError/);
  expect(await once(child, 'exit')).toEqual([3, null]);
});
