import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../support/dist.ts';

const MAIN = join(ROOT, 'servers/notes/dist/main.js');
const CLI = join(ROOT, 'dist/bundle/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'notes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly printed: string;
}

/** Starts the server as `npm start` does and waits until it prints its address. */
async function start(env: Readonly<Record<string, string>>): Promise<Started> {
  if (!existsSync(MAIN)) throw new Error('servers/notes/dist is missing: run `npm run build` first');
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (printed.includes('Stop with Ctrl+C.')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${printed}`)));
  });
  const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(printed)?.[0];
  if (url === undefined) throw new Error(`no URL in: ${printed}`);
  return { child, url, printed };
}

async function stop({ child }: Started): Promise<number | null> {
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return exit;
}

describe('the notes server, as npm start runs it', () => {
  const file = join(folder, 'notes.json');
  let server: Started;
  beforeAll(async () => {
    server = await start({ PORT: '0', NOTES_FILE: file });
  });
  afterAll(async () => {
    if (server.child.exitCode === null) await stop(server);
  });

  test('prints on one screen where it listens, its tools, three lines to paste and where the docs are', () => {
    const lines = server.printed.trimEnd().split('\n');
    // npm prints four lines and scripts/start.mjs one before these.
    expect(lines.length + 5).toBeLessThanOrEqual(24);
    for (const line of lines.filter((each) => !each.startsWith('  Notes ')))
      expect(line.length, line).toBeLessThanOrEqual(100);
    expect(lines).toContain(`  URL    ${server.url}`);
    expect(lines).toContain('  Tools  search_notes, read_note, add_note, update_note, delete_note');
    expect(lines).toContain(`Other clients: {"mcpServers":{"notes":{"url":"${server.url}"}}}`);
    expect(server.printed).toContain('docs/get-started.md');
    expect(server.printed).toContain(
      'npm run ynab -- --http (budgets), npm run fitness -- --http (training), servers/*/README.md',
    );
    const pasted = Array.from(server.printed.matchAll(/^ {2}((?:npx|claude) .*)$/gm), ([, line]) => line);
    expect(pasted).toEqual([
      `npx toolwright list ${server.url}`,
      `npx toolwright call ${server.url} add_note title=Milk`,
      `claude mcp add --transport http notes ${server.url}`,
    ]);
  });

  test('answers the printed lines of the command line', async () => {
    const lines = Array.from(server.printed.matchAll(/^ {2}npx toolwright (.+)$/gm), ([, line = '']) =>
      line.split(' '),
    );
    expect(lines).toHaveLength(2);
    const [list = '', call = ''] = await Promise.all(
      lines.map(async (words) => (await promisify(execFile)(process.execPath, [CLI, ...words])).stdout),
    );
    for (const part of ['add_note', 'summarize_tag', 'notes://all', 'notes://note/{id}'])
      expect(list).toContain(part);
    expect(call).toContain('Added note 1: Milk');
  });

  test('answers a plain POST', async () => {
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'add_note',
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_note","arguments":{"title":"Hello"},
        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Added note 2: Hello');
  });

  const clients: [
    string,
    () => Promise<{ call: Call; names: () => Promise<string[]>; close: () => Promise<void> }>,
  ][] = [
    [
      'v1 client',
      async () => {
        const client = new ClientV1({ name: 'c', version: '1' });
        await client.connect(new HttpV1(new URL(server.url)));
        return {
          call: async (name, args) => (await client.callTool({ name, arguments: args })) as Answer,
          names: async () => (await client.listTools()).tools.map((tool) => tool.name),
          close: () => client.close(),
        };
      },
    ],
    ...(['legacy', 'auto', { pin: '2026-07-28' }] as const).map((mode): (typeof clients)[number] => [
      `v2 client, ${JSON.stringify(mode)}`,
      async () => {
        const client = new ClientV2({ name: 'c', version: '1' }, { versionNegotiation: { mode } });
        await client.connect(new HttpV2(new URL(server.url)));
        return {
          call: async (name, args) => (await client.callTool({ name, arguments: args })) as Answer,
          names: async () => (await client.listTools()).tools.map((tool) => tool.name),
          close: () => client.close(),
        };
      },
    ]),
  ];

  test.each(clients)('serves the %s', async (_name, open) => {
    const { call, names, close } = await open();
    try {
      expect(await names()).toEqual(['search_notes', 'read_note', 'add_note', 'update_note', 'delete_note']);
      const added = await call('add_note', { title: 'Milk', tags: ['shop'] });
      const { id } = added.structuredContent as { id: number };
      expect(added.content).toEqual([{ type: 'text', text: `Added note ${id}: Milk` }]);
      // A number sent as a string, as models do: repaired here, but never for destructive tools.
      expect((await call('read_note', { id: String(id) })).structuredContent).toMatchObject({
        id,
        title: 'Milk',
        body: '',
      });
      expect((await call('delete_note', { id: String(id) })).isError).toBe(true);
      expect((await call('search_notes', { tag: 'shop', limit: 1 })).structuredContent).toMatchObject({
        total: 1,
      });
      expect((await call('delete_note', { id })).content).toEqual([
        { type: 'text', text: `Deleted note ${id}.` },
      ]);
      expect(await call('read_note', { id })).toMatchObject({
        isError: true,
        content: [
          {
            type: 'text',
            text: `There is no note ${id}.\nSuggestion: Call search_notes to see which notes there are.`,
          },
        ],
      });
      await expect(call('write_note', {})).rejects.toMatchObject({ code: -32602 });
    } finally {
      await close();
    }
  });

  test.each([
    ['another host', { host: 'evil.example' }, 403],
    ['another origin', { origin: 'https://evil.example' }, 403],
  ])('refuses a request for or from %s', async (_name, headers, status) => {
    const { request } = await import('node:http');
    const got = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      });
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      sent.end('{}');
    });
    expect(got).toBe(status);
  });

  test('serves a client that starts it on standard input and output', async () => {
    const client = new ClientV2({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const env = { ...process.env, NOTES_FILE: join(folder, 'stdio.json') } as Record<string, string>;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [MAIN, '--stdio'], env }),
    );
    try {
      const added = await client.callTool({ name: 'add_note', arguments: { title: 'Tea' } });
      expect(added.content).toEqual([{ type: 'text', text: 'Added note 1: Tea' }]);
    } finally {
      await client.close();
    }
  });

  test('keeps the notes, and stops when told', async () => {
    expect(await stop(server)).toBe(0);
    const { notes } = JSON.parse(readFileSync(file, 'utf8')) as { notes: { title: string }[] };
    expect(notes.map((note) => note.title)).toEqual(['Milk', 'Hello']);
  });
});

interface Answer {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}
type Call = (name: string, args: Record<string, unknown>) => Promise<Answer>;

describe('the notes server says what is wrong', () => {
  test('with its port', async () => {
    await expect(start({ PORT: 'http' })).rejects.toThrow(
      'PORT must be an integer from 0 to 65535; received "http".',
    );
  });

  test.each(['not json', '{}', '{"notes":[{"id":"x"}]}'])('with its notebook: %s', async (text) => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, text);
    await expect(start({ PORT: '0', NOTES_FILE: broken })).rejects.toThrow(
      `${broken} is not a notebook. Move it away, or name another file with NOTES_FILE.`,
    );
  });

  test('with a notebook that is a folder', async () => {
    await expect(start({ PORT: '0', NOTES_FILE: folder })).rejects.toThrow(
      `The notebook ${folder} cannot be read: EISDIR`,
    );
  });

  test('with a port that is taken', async () => {
    const first = await start({ PORT: '0', NOTES_FILE: join(folder, 'a.json') });
    const port = new URL(first.url).port;
    await expect(start({ PORT: port, NOTES_FILE: join(folder, 'b.json') })).rejects.toThrow(
      `serveHttp: port ${port} is in use.`,
    );
    await stop(first);
  });
});
