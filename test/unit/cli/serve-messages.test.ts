import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shopDocument } from './openapi-api.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';
import { whileServing } from './while-serving.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-serve-'));
  writeFileSync(
    join(folder, 'toolwright.config.json'),
    JSON.stringify({ name: 'demo', prompts: [{ name: 'hi', template: 'Hi' }] }),
  );
  writeFileSync(join(folder, 'shop.json'), JSON.stringify(shopDocument()));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (line: readonly string[]): Promise<Ran> => runCli(line, { cwd: folder });

describe.each([
  ['serve', ['serve']],
  ['openapi', ['openapi', 'shop.json', '--base-url', 'https://shop.example.com']],
])('errors of %s name its flags', (_name, command) => {
  test.each([
    [
      ['--host', '0.0.0.0'],
      'error The host "0.0.0.0" is reachable from other machines. Name the allowed Host headers: --allow-host api.example.com.',
    ],
    [
      ['--allow-origin', 'app'],
      'error --allow-origin must be an origin such as "https://app.example.com", without a path and without wildcards; received "app".',
    ],
    [
      ['--allow-host', 'http://a/b'],
      'error --allow-host must be a host such as "api.example.com" or "api.example.com:8443"; received "http://a/b".',
    ],
  ])('%j', async (flags, message) => {
    const { code, err } = await run([...command, '--http', '--port', '0', ...flags]);
    expect([code, err.split('\n').at(-1)]).toEqual([3, message]);
  });
});

test('a port that is in use is an error that says what to do', async () => {
  await whileServing(['serve', '--http', '--port', '0'], { cwd: folder }, async ({ port }) => {
    expect(await run(['serve', '--http', '--port', port])).toEqual({
      code: 3,
      out: '',
      err: `error Port ${port} is already in use. Choose another with --port; --port 0 picks a free port.`,
    });
  });
});

test('an address that the machine does not have is an error that says what to do', async () => {
  // From TEST-NET-1, which no machine has.
  const flags = ['--host', '192.0.2.1', '--allow-host', 'a.example'];
  expect(await run(['serve', '--http', '--port', '0', ...flags])).toEqual({
    code: 3,
    out: '',
    err: 'error This machine has no address "192.0.2.1". Omit --host for 127.0.0.1, or use --host 0.0.0.0 for all addresses.',
  });
});

test('clientAddress of a configuration tells the clients behind a proxy apart', async () => {
  writeFileSync(
    join(folder, 'proxied.yaml'),
    `name: demo
prompts: [{ name: hi, template: Hi }]
rateLimit: { limit: 1, perMs: 600000 }
transport: { type: http, port: 0, clientAddress: { forwardedFor: [127.0.0.1] } }
`,
  );
  await whileServing(['serve', 'proxied.yaml'], { cwd: folder }, async (url) => {
    const hi = async (address: string): Promise<boolean> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'prompts/get',
          'mcp-name': 'hi',
          'x-forwarded-for': address,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'prompts/get',
          params: {
            name: 'hi',
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
      return (await response.text()).includes('"result"');
    };
    expect([await hi('192.0.2.1'), await hi('192.0.2.1'), await hi('192.0.2.2')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('the line to try a server with', () => {
  /** Output of a program that is installed as `file`. */
  async function printed(
    file: string,
    { flags = [], path = '' }: { flags?: readonly string[]; path?: string } = {},
  ): Promise<string> {
    const where = { cwd: folder, env: { PATH: path }, program: [process.execPath, file] as const };
    const { err } = await whileServing(['serve', '--http', '--port', '0', ...flags], where, async () => {});
    return (/^Try it: (.*)$/m.exec(err)?.[1] ?? 'none').replace(/:\d+\//, ':PORT/');
  }

  const install = (folders: string): { file: string; bin: string } => {
    const file = join(folder, folders, 'cli.js');
    const bin = join(folder, folders, '.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(file, '');
    symlinkSync(file, join(bin, 'toolwright'));
    return { file: realpathSync(file), bin };
  };

  test('names this very program as it can be started from here', async () => {
    const url = 'http://127.0.0.1:PORT/mcp';
    const elsewhere = install('some where');
    expect(await printed(elsewhere.file)).toBe(`node '${elsewhere.file}' list ${url}`);
    expect(await printed(elsewhere.file, { path: elsewhere.bin })).toBe(`toolwright list ${url}`);
    expect(await printed(install('node_modules').file)).toBe(`npx toolwright list ${url}`);
    expect(await printed('/home/ada/.npm/_npx/1/node_modules/toolwright/cli.js')).toBe(
      `npx toolwright list ${url}`,
    );
  });

  test.each([
    [['--host', '0.0.0.0', '--allow-host', '127.0.0.1'], 'http://127.0.0.1:PORT/mcp'],
    [['--allow-host', 'a.example', '--allow-host', 'localhost'], 'http://localhost:PORT/mcp'],
    [['--path', "/it's"], "'http://127.0.0.1:PORT/it'\\''s'"],
  ])('with %j names an address that is served', async (flags, url) => {
    expect(await printed('/cli.js', { flags })).toBe(`node /cli.js list ${url}`);
  });

  test('is left out where no address of this machine is served', async () => {
    expect(await printed('/cli.js', { flags: ['--allow-host', 'a.example'] })).toBe('none');
  });
});
