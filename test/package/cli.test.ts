import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, DIST } from '../support/dist.ts';

const scratch = createScratchFolder();
const CLI = join(DIST, 'bundle/cli.js');
const run = promisify(execFile);

beforeAll(() => {
  assertBuilt();
  writeFileSync(
    join(scratch.path, 'toolwright.config.yaml'),
    `name: demo
version: 1.0.0
prompts: [{ name: greet, arguments: [{ name: who, required: true }], template: 'Hello {{who}}' }]
tools: [{ module: ./tools.mjs }]
`,
  );
  // A tool that writes to standard output, where nothing but messages may go.
  writeFileSync(
    join(scratch.path, 'tools.mjs'),
    `import * as z from 'zod';
export default [{
  name: 'add', description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }),
  handler: ({ input }) => { console.log('noise'); return input.a + input.b; },
}];
`,
  );
});
afterAll(scratch.remove);

const cli = (
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ stdout: string; stderr: string }> =>
  run(process.execPath, [CLI, ...args], { cwd: scratch.path, env: { ...process.env, ...env } });

describe('in a pipe', () => {
  test('results go to standard output, without colours', async () => {
    const { stdout, stderr } = await cli(['list']);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'demo 1.0.0 (protocol 2026-07-28)',
      '',
      'Tools 1',
      '  add  a, b  Adds two numbers',
    ]);
    expect(stderr).toBe('');
  });

  test('colours can be asked for', async () => {
    const { stdout } = await cli(['list'], { FORCE_COLOR: '1' });
    expect(stdout).toContain('\u001B[1mdemo\u001B[22m');
  });

  test('exit codes are those of the documentation', async () => {
    await expect(cli(['lst'])).rejects.toMatchObject({ code: 2, stdout: '' });
    await expect(cli(['prompt', 'greet'])).rejects.toMatchObject({ code: 1, stdout: '' });
    await expect(cli(['list', 'http://127.0.0.1:1/mcp'])).rejects.toMatchObject({ code: 3, stdout: '' });
  });

  test('a server that a command starts is listed, called and stopped', async () => {
    const { stdout } = await cli(['call', 'add', 'a=1', 'b=2', '--', process.execPath, CLI, 'serve']);
    expect(stdout).toBe('3\n');
  });
});

describe('servers of others', () => {
  test('an old one that says nothing to what it does not know is asked again in the older way', async () => {
    const silent = `
      const lines = require('node:readline').createInterface({ input: process.stdin });
      const send = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      lines.on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') send(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } });
        if (method === 'tools/list') send(id, { tools: [{ name: 'add', inputSchema: { type: 'object' } }] });
      });`;
    const { stdout } = await cli(['list', '--', process.execPath, '-e', silent]);
    expect(stdout).toBe('old 1 (protocol 2025-06-18)\n\nTools 1\n  add\n');
  }, 20_000);
});

describe('in a terminal', () => {
  /** As a person would see it. */
  const inTerminal = (line: string, env: NodeJS.ProcessEnv = {}): Promise<{ stdout: string }> =>
    run('script', ['-qec', `${process.execPath} ${CLI} ${line}`, '/dev/null'], {
      cwd: scratch.path,
      env: { ...process.env, TERM: 'xterm', ...env },
    });

  test('there are colours, and none where they are not wanted', async () => {
    expect((await inTerminal('list')).stdout).toContain('\u001B[1mdemo\u001B[22m');
    expect((await inTerminal('list', { NO_COLOR: '1' })).stdout).not.toContain('\u001B[1m');
    expect((await inTerminal('--help')).stdout).toContain('\u001B[1mUsage\u001B[22m');
  });
});

describe('serve', () => {
  test('speaks nothing but the protocol on standard output, with both official clients', async () => {
    const start = {
      command: process.execPath,
      args: [CLI, 'serve'],
      cwd: scratch.path,
      stderr: 'ignore' as const,
    };
    const modern = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await modern.connect(new StdioClientTransport(start));
    expect(modern.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await modern.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).content).toEqual([
      { type: 'text', text: '3' },
    ]);
    await modern.close();
    const legacy = new ClientV1({ name: 'c', version: '1' });
    await legacy.connect(new StdioV1(start));
    expect((await legacy.callTool({ name: 'add', arguments: { a: 2, b: 2 } })).content).toEqual([
      { type: 'text', text: '4' },
    ]);
    expect((await legacy.getPrompt({ name: 'greet', arguments: { who: 'Ada' } })).messages).toHaveLength(1);
    await legacy.close();
  });

  /** A server over HTTP, once it has said where it is. */
  async function startHttp(
    ...flags: string[]
  ): Promise<{ child: ChildProcess; url: string; said: () => string }> {
    const child = spawn(process.execPath, [CLI, 'serve', '--http', '--port', '0', ...flags], {
      cwd: scratch.path,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const url = await new Promise<string>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const found = /at (http:\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    return { child, url, said: () => said };
  }

  test('over HTTP lets in the hosts and origins it is told to', async () => {
    const { child, url } = await startHttp(
      '--host',
      '127.0.0.1',
      '--allow-host',
      'demo.example',
      '--allow-origin',
      'https://app.example',
    );
    const { port } = new URL(url);
    const statusOf = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request({ port, host: '127.0.0.1', path: '/mcp', method: 'OPTIONS', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    const origin = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    expect(await statusOf({ host: 'demo.example', ...origin })).toBe(204);
    expect(await statusOf({ host: 'evil.example', ...origin })).toBe(403);
    expect(await statusOf({ host: 'demo.example', ...origin, origin: 'https://evil.example' })).toBe(403);
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
  });

  test('over HTTP says where it is, and leaves when it is told to', async () => {
    const { child, url, said } = await startHttp('--path', '/demo');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/demo$/);
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect((await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).content).toEqual([
      { type: 'text', text: '3' },
    ]);
    await client.close();
    expect((await cli(['call', url, 'add', 'a=20', 'b=22'])).stdout).toBe('42\n');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(said()).toContain('Closing');
  });
});
