import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveHttp } from '../../../src/http.ts';
import { createServer, silentLogger } from '../../../src/index.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';

let folder = '';
let empty = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-targets-'));
  empty = join(folder, 'empty');
  mkdirSync(empty);
  const config = (name: string): string =>
    JSON.stringify({
      name,
      prompts: [{ name: 'hi', template: 'Hi' }],
      resources: [{ uri: 'a://b.json', name: 'b', text: 'B' }],
    });
  writeFileSync(join(folder, 'toolwright.config.json'), config('here'));
  writeFileSync(join(folder, 'other.json'), config('other'));
  // Has the name of a prompt.
  writeFileSync(join(folder, 'hi'), 'not a server');
  writeFileSync(join(folder, 'throws.mjs'), 'const server = undefined;\nexport default server.name;\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (line: readonly string[], cwd = folder): Promise<Ran> => runCli(line, { cwd });

describe('a target', () => {
  test('is looked for in the folder of the terminal', async () => {
    expect((await run(['list', 'other.json'])).out).toMatch(/^other 0\.0\.0/);
    expect((await run(['list', './other.json'])).out).toMatch(/^other 0\.0\.0/);
    expect((await run(['list', '../other.json'], empty)).out).toMatch(/^other 0\.0\.0/);
  });

  test('on this machine is a URL without its scheme, too', async () => {
    const server = createServer({ name: 'served', version: '1.0.0', logger: silentLogger }).registerPrompt({
      name: 'hi',
      template: 'Hi there',
    });
    const { url, close } = await serveHttp(server, { port: 0 });
    const { port } = new URL(url);
    for (const host of ['localhost', '127.0.0.1', 'LOCALHOST']) {
      expect((await run(['list', `${host}:${port}/mcp`])).out).toMatch(/^served 1\.0\.0/);
      expect((await run(['prompt', `${host}:${port}/mcp`, 'hi'])).out).toBe('user: Hi there');
    }
    await close();
    await server.close();
    expect(await run(['list', 'localhost:1/mcp'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('Cannot connect to http://localhost:1/mcp') as string,
    });
    expect(await run(['list', '[::1]:1'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('Cannot connect to http://[::1]:1/') as string,
    });
  });

  test('on another machine is a URL with its scheme only', async () => {
    const err =
      'error Invalid target: a URL of another machine needs its scheme. Write https:// (or http://) before api.example.com:8080/mcp.';
    expect(await run(['list', 'api.example.com:8080/mcp?key=hunter2'])).toEqual({ code: 2, out: '', err });
  });

  test('is never a file that is named like what is asked for', async () => {
    expect(await run(['prompt', 'hi'])).toEqual({ code: 0, out: 'user: Hi', err: '' });
  });

  test('is never the address of a resource', async () => {
    expect(await run(['read', 'a://b.json'])).toEqual({ code: 0, out: 'B', err: '' });
    expect(await run(['read', 'other.json', 'a://b.json'])).toEqual({ code: 0, out: 'B', err: '' });
  });
});

const NO_TARGET = 'A target is one file such as ./server.js, one URL, or a command after "--".';

describe('mistakes in a command line are reported, and nothing is ignored', () => {
  test.each<[readonly string[], string]>([
    [['doctor', 'sever.js'], 'error File not found: {folder}/sever.js.'],
    [['list', 'typo.yaml'], 'error File not found: {folder}/typo.yaml.'],
    [['call', 'typo.mts', 'add'], 'error File not found: {folder}/typo.mts.'],
    [
      ['list', 'api.example.com/mcp'],
      'error File not found: {folder}/api.example.com/mcp. For a URL, write https:// before it.',
    ],
    [['read', 'no/where', 'a:b'], 'error File not found: {folder}/no/where.'],
    [['prompt', './hi.json', 'hi'], 'error File not found: {folder}/hi.json.'],
    [['list', './empty'], 'error {folder}/empty is a folder. Name the file in it.'],
    [['serve', 'empty'], 'error {folder}/empty is a folder. Name the file in it.'],
    [['list', 'sever'], `error Unexpected argument "sever". ${NO_TARGET}`],
    [['list', 'other.json', 'more'], `error Unexpected argument "more". ${NO_TARGET}`],
    [['list', 'other.json', '--', 'node', 'x.js'], `error Unexpected argument "other.json". ${NO_TARGET}`],
    [['doctor', 'sever'], `error Unexpected argument "sever". ${NO_TARGET}`],
    [['read', 'a://b.json', 'a://c'], `error Unexpected argument "a://c". ${NO_TARGET}`],
    [['schema', 'x'], 'error Unexpected argument "x". "toolwright schema" takes no arguments.'],
    [['completion', 'bash', 'x'], 'error Unexpected argument "x". "toolwright completion" takes one shell.'],
    [['worker', 'a.js', 'b.js'], 'error Unexpected argument "b.js". "toolwright worker" takes one file.'],
    [['worker', '--concurrency', '0'], 'error --concurrency must be a number from 1 to 1000; received "0".'],
    [['serve', 'a.js', 'b.js'], 'error Unexpected argument "b.js". "toolwright serve" takes one file.'],
    [['init', 'a', 'b'], 'error Unexpected argument "b". "toolwright init" takes one folder.'],
    [
      ['serve', '--', 'node', 'server.js'],
      'error Unexpected "--": "toolwright serve" does not start a command. See toolwright serve --help.',
    ],
    [
      ['dev', '--', 'node', 'server.js'],
      'error Unexpected "--": "toolwright dev" does not start a command. See toolwright dev --help.',
    ],
    [['list', '--'], 'error Missing command after "--". Write one that starts a server: -- node server.js'],
    [
      ['list', '--header', 'X-Key: 1'],
      'error --header applies only to a URL: files and commands have no request headers.',
    ],
    [
      ['list', '-H', 'X-Key: 1', '--', 'node', 'server.js'],
      'error --header applies only to a URL: files and commands have no request headers.',
    ],
    [['list', '--timeout', '0'], 'error --timeout must be at least 1 (milliseconds); received "0".'],
    [
      ['serve', '--http', '--port', '65536'],
      'error --port must be a number from 0 to 65535; received "65536".',
    ],
    [
      ['serve', '--http', '--path', 'mcp'],
      'error --path must begin with "/"; received "mcp". Write --path /mcp',
    ],
  ])('%j', async (line, message) => {
    expect(await run(line)).toEqual({ code: 2, out: '', err: message.replace('{folder}', folder) });
  });
});

describe('secrets of a command line are not repeated', () => {
  test.each<[string, readonly string[], number, string]>([
    [
      'a password in a URL',
      ['list', 'http://ada:hunter2@127.0.0.1:1/mcp'],
      2,
      'error The URL of 127.0.0.1:1 contains a user name or a password, which is not sent. Use --header "Authorization: Basic …".',
    ],
    [
      'one in what is no URL',
      ['list', 'http://ada:hunter2@127.0.0.1:123456/mcp'],
      2,
      'error Invalid target: expected a URL such as http://127.0.0.1:3000/mcp.',
    ],
    [
      'a token in a query',
      ['list', 'http://127.0.0.1:1/mcp?token=hunter2#hunter2'],
      3,
      'error Cannot connect to http://127.0.0.1:1/mcp. Check the URL, and that the server is running.',
    ],
    [
      'a value without a name',
      ['list', 'http://127.0.0.1:1/mcp', '-H', 'Bearer hunter2'],
      2,
      'error Invalid --header: expected "name: value", but the colon is missing. Quote the header: --header "X-Key: abc"',
    ],
    [
      'a value with a colon, and without a name',
      ['list', 'http://127.0.0.1:1/mcp', '-H', 'Bearer hunter2:x'],
      2,
      'error Invalid --header: expected "name: value" with a header name of letters, digits and "-".',
    ],
    [
      'a value that cannot be sent',
      ['list', 'http://127.0.0.1:1/mcp', '-H', 'X-Key: hunter2\nX-Admin: yes'],
      2,
      'error Invalid --header "X-Key": its value has a character that is not allowed in headers, such as a line break.',
    ],
  ])('%s', async (_what, line, code, err) => {
    expect(await run(line)).toEqual({ code, out: '', err });
  });
});

describe('the doctor', () => {
  test('says what a module throws, and where', async () => {
    const { code, out, err } = await run(['doctor', 'throws.mjs']);
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/^ok {3}Node /);
    expect(out).toContain("bad  TypeError: Cannot read properties of undefined (reading 'name')\n");
    expect(out).toMatch(/ {5}Thrown here: .*throws\.mjs:2/);
  });

  test('says it to scripts too', async () => {
    const { code, out } = await run(['doctor', 'throws.mjs', '--json']);
    expect(code).toBe(1);
    expect((JSON.parse(out) as object[]).at(-1)).toMatchObject({
      state: 'bad',
      what: "TypeError: Cannot read properties of undefined (reading 'name')",
    });
  });

  test('shows what it found of the set-up where there is no configuration', async () => {
    const { code, out, err } = await run(['doctor'], empty);
    expect([code, err]).toEqual([1, '']);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^ok {3}Node /);
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^bad {2}Missing target: this folder has no configuration \(/),
      '     To create a project in this folder: toolwright init',
    ]);
  });
});
