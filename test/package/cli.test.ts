import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, DIST, VERSION } from '../support/dist.ts';

const scratch = createScratchFolder();
const CLI = join(DIST, 'bundle/cli.js');
const run = promisify(execFile);
/** More than any pipe can buffer. */
const LONG = 1_000_000;

beforeAll(() => {
  assertBuilt();
  writeFileSync(
    join(scratch.path, 'toolwright.config.yaml'),
    `name: demo
version: 1.0.0
prompts: [{ name: greet, arguments: [{ name: who, required: true }], template: 'Hello {{who}}' }]
resources: [{ uri: 'demo://long', name: long, file: ./long.txt }]
tools: [{ module: ./tools.mjs }]
`,
  );
  // It writes to standard output, which is for messages only, and never ends by itself.
  writeFileSync(
    join(scratch.path, 'tools.mjs'),
    `import * as z from 'zod';
console.log('loaded');
process.stdout.write('loaded');
setInterval(() => {}, 1e6);
export default [{
  name: 'add', description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }),
  handler: ({ input }) => { console.log('noise'); return input.a + input.b; },
}, {
  name: 'work', description: 'Takes its time', inputSchema: z.object({}),
  handler: async ({ context }) => { await context.progress(1, 2, 'halfway'); return 'done'; },
}, {
  name: 'ask', description: 'Asks who it is', inputSchema: z.object({}),
  handler: async ({ context }) => {
    const schema = z.object({ name: z.string(), age: z.int().default(1) });
    const { action, content } = await context.ask('who', { message: 'Who is it?', schema });
    return action === 'accept' ? content.name + ', ' + content.age : action;
  },
}, {
  name: 'fail', description: 'Throws what it should not', inputSchema: z.object({}),
  handler: () => { throw new TypeError('no such member'); },
}, {
  name: 'shout', description: 'Says more than anybody reads', inputSchema: z.object({}),
  handler: () => { console.error('x'.repeat(${LONG})); return 'done'; },
}];
`,
  );
  writeFileSync(join(scratch.path, 'long.txt'), 'x'.repeat(LONG));
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
      'Tools 5',
      '  add    a, b  Adds two numbers',
    ]);
    // Output of the server's modules.
    expect(stderr).toBe('loaded\nloaded');
  });

  test('nothing but the result is on standard output, whatever a tool prints', async () => {
    const { stdout, stderr } = await cli(['call', 'add', 'a=1', 'b=2', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text', text: '3' }] });
    expect(stderr).toBe('loaded\nloadednoise\n');
  });

  test('all of a long result is written', async () => {
    const { stdout } = await run(process.execPath, [CLI, 'read', 'demo://long'], {
      cwd: scratch.path,
      maxBuffer: LONG * 2,
    });
    expect(stdout).toBe(`${'x'.repeat(LONG)}\n`);
  });

  test('the reader of the results may close the pipe', async () => {
    const line = `"$0" "$1" list 2>&3 | true; "$0" "$1" list 2>&3 | head -1`;
    const { stdout, stderr } = await run('sh', ['-c', `exec 3>&2; ${line}`, process.execPath, CLI], {
      cwd: scratch.path,
    });
    expect(stdout).toBe('demo 1.0.0 (protocol 2026-07-28)\n');
    expect(stderr).toBe('loaded\nloaded'.repeat(2));
  });

  test('colours can be asked for', async () => {
    const { stdout } = await cli(['list'], { FORCE_COLOR: '1' });
    expect(stdout).toContain('\u001B[1mdemo\u001B[22m');
  });

  test('the version is that of the package', async () => {
    expect((await cli(['--version'])).stdout).toBe(`${VERSION}\n`);
  });

  test('exit codes are those of the documentation', async () => {
    await expect(cli(['lst'])).rejects.toMatchObject({ code: 2, stdout: '' });
    await expect(cli(['prompt', 'greet'])).rejects.toMatchObject({ code: 1, stdout: '' });
    await expect(cli(['list', 'http://127.0.0.1:1/mcp'])).rejects.toMatchObject({ code: 3, stdout: '' });
  });

  test.each([['list'], ['worker'], ['serve', '--http', '--port', '0']])(
    '%s names a module whose top-level await never settles',
    async (command, ...flags) => {
      const file = join(scratch.path, 'stuck.mjs');
      writeFileSync(file, `import './never.mjs'; export default { name: 'demo' };`);
      writeFileSync(join(scratch.path, 'never.mjs'), 'await new Promise(() => {});');
      await expect(cli([command, './stuck.mjs', ...flags])).rejects.toMatchObject({
        code: 3,
        stderr: `error ${file} cannot be loaded: a top-level await in it, or in a module that it imports, never settles. Remove the await, or make sure that its promise is settled.\n`,
      });
    },
  );

  test('a server that a command starts is listed, called and stopped', async () => {
    const { stdout } = await cli(['call', 'add', 'a=1', 'b=2', '--', process.execPath, CLI, 'serve']);
    expect(stdout).toBe('3\n');
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s also ends what a command has started', async (signal) => {
    const net = createServer().listen(0, '127.0.0.1');
    await once(net, 'listening');
    const { port } = net.address() as AddressInfo;
    // It never writes anything, and does not exit when its input ends. It stays connected while it lives.
    const silent = `require('node:net').connect(${port}, '127.0.0.1'); setInterval(() => {}, 1e6);`;
    const connected = once(net, 'connection');
    const child = spawn(
      process.execPath,
      [CLI, 'list', '--', 'sh', '-c', '"$0" -e "$1"; true', process.execPath, silent],
      { stdio: 'ignore' },
    );
    const [socket] = (await connected) as [Socket];
    const gone = once(socket.resume(), 'close');
    const exited = once(child, 'exit');
    child.kill(signal);
    await gone;
    expect(await exited).toEqual([null, signal]);
    net.close();
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
  /** Output as in a terminal. */
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

  test('lines are not wrapped if the width is unknown', async () => {
    const { stdout } = await inTerminal('list', { NO_COLOR: '1' });
    expect(stdout.split('\r\n')).toContain('  add    a, b  Adds two numbers');
  });

  test('progress is shown and taken away', async () => {
    const { stdout } = await inTerminal('call work', { NO_COLOR: '1' });
    expect(stdout.slice(stdout.indexOf('\r\u001B[K'))).toBe('\r\u001B[K1 of 2 halfway\r\u001B[Kdone\r\n');
  });

  test('the log is for people; in a pipe it is JSON', async () => {
    const { stdout: shown } = await inTerminal('call fail || true', { NO_COLOR: '1' });
    expect(shown).toMatch(
      /error tool call failed reference=\w+ tool=fail operation=fail\r\n {2}TypeError: no such member\r\n/,
    );
    const { stderr } = await cli(['call', 'fail']).catch((error: { stderr: string }) => error);
    const line = stderr.split('\n').find((each) => each.includes('"level"')) ?? '';
    expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({ level: 'error', tool: 'fail' });
  });

  test('elicitations of a tool are printed there', async () => {
    const child = spawn('script', ['-qec', `${process.execPath} ${CLI} call ask`, '/dev/null'], {
      cwd: scratch.path,
      env: { ...process.env, TERM: 'xterm', NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const before = shown;
      shown += text;
      for (const [question, answer] of [
        ['name (string): ', 'Ada\r'],
        ['age (integer) [1]: ', '\r'],
      ] as const)
        if (!before.includes(question) && shown.includes(question)) child.stdin.write(answer);
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(shown).toContain('? Who is it?\r\n');
    expect(shown).toContain('Ada, 1\r\n');
  });

  test('where nothing can be taken away, none is shown', async () => {
    const { stdout } = await inTerminal('call work', { TERM: 'dumb' });
    expect(stdout).not.toContain('\u001B');
    expect(stdout).toContain('done\r\n');
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

  test('speaks nothing else there from the first module on, also when the server ends', async () => {
    const child = spawn(process.execPath, [CLI, 'serve', '--stdio'], {
      cwd: scratch.path,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const calling = { name: 'add', arguments: { a: 1, b: 2 } };
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: calling })}\n`);
    expect(await once(child, 'close')).toEqual([0, null]);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
    expect(err).toContain('loaded\nloadednoise\n');
  });

  test('ends although its output is not read', async () => {
    const child = spawn(process.execPath, [CLI, 'serve'], {
      cwd: scratch.path,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdout.resume();
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    child.stdin.end(
      `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'shout' } })}\n`,
    );
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('prints a command that starts this very package from any folder', async () => {
    const { stdout } = await cli(['serve', '--print-client-config', 'cursor']);
    const { mcpServers } = JSON.parse(stdout) as {
      mcpServers: { demo: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.demo;
    expect([command, ...args]).toEqual([
      process.execPath,
      CLI,
      'serve',
      join(scratch.path, 'toolwright.config.yaml'),
      '--stdio',
    ]);
    const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StdioClientTransport({ command, args, cwd: '/', stderr: 'ignore' }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'add',
      'work',
      'ask',
      'fail',
      'shout',
    ]);
    await client.close();
  });

  /** A server over HTTP, once it has printed its address. */
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
    const line = /Try it: (.*)/.exec(said())?.[1] ?? '';
    expect((await run('sh', ['-c', line], { cwd: scratch.path })).stdout).toContain('demo 1.0.0');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(said()).toContain('Shutting down');
  });
});
