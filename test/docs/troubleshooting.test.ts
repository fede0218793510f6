import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toFetchHandler } from '../../src/fetch.ts';
import { serveHttp } from '../../src/http.ts';
import { createServer, createTool, silentLogger } from '../../src/index.ts';
import { connectTestClient } from '../../src/testing.ts';
import * as z from 'zod';
import { assertBuilt, DIST, ROOT } from '../support/dist.ts';

// Provokes the messages that docs/troubleshooting.md quotes. Values that differ from run to run are replaced by those of the page.
const page = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');
const quoted = new Set(Array.from(page.matchAll(/^```text\n(.*)\n```$/gm), ([, line = '']) => line));
const provoked = new Set<string>();
const expectQuoted = (message: string): void => {
  provoked.add(message);
  expect([...quoted]).toContain(message);
};

const folder = mkdtempSync(join(tmpdir(), 'toolwright-trouble-'));
beforeAll(assertBuilt);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tool = (name: string, handler: () => unknown, more: object = {}) => ({
  name,
  description: name,
  inputSchema: {},
  handler,
  ...more,
});
const never = (): Promise<never> => new Promise(() => {});
const server = createServer({
  name: 'trouble',
  version: '1.0.0',
  logger: silentLogger,
  maxResultBytes: 50,
  tools: [
    tool('read', () => {
      throw new Error('secret');
    }),
    tool('slow', never, { timeoutMs: 10 }),
    tool('long', () => 'x'.repeat(100)),
    tool('reset', () => 'done', { scopes: ['admin'] }),
  ],
});
afterAll(() => server.close());

test.each(['read', 'slow', 'long'])('the result of the tool %s is quoted', async (name) => {
  const { text } = await connectTestClient(server).callTool(name);
  expectQuoted((text.split('\n')[0] ?? '').replace(/reference \w+/, 'reference 85a375aa'));
});

test('a hidden tool is unknown', async () => {
  const call = connectTestClient(server).callTool('reset');
  await expect(call).rejects.toMatchObject({ message: 'Unknown tool: reset' });
  expectQuoted('Unknown tool: reset');
});

test('a hidden action is unknown', async () => {
  const users = createTool('users')
    .action({ name: 'list', readOnly: true, handler: () => ['ada'] })
    .action({ name: 'ban', scopes: ['users:write'], handler: () => 'banned' });
  const grouped = createServer({ name: 'grouped', version: '1.0.0', tools: [users] });
  const client = connectTestClient(grouped);
  for (const action of ['ban', 'nothing']) expectQuoted((await client.callTool('users', { action })).text);
  await grouped.close();
});

test('too many calls', async () => {
  const limited = createServer({
    name: 'limited',
    version: '1.0.0',
    rateLimit: { limit: 1, perMs: 60_000 },
    tools: [tool('echo', () => 'echo')],
  });
  const client = connectTestClient(limited);
  await client.callTool('echo');
  expectQuoted((await client.callTool('echo')).text.replace(/\d+ s/, '60 s'));
  await limited.close();
});

test.each([
  ['host', 403, '/mcp', { host: 'mcp.example.com' }],
  ['origin', 403, '/mcp', { origin: 'https://app.example.com' }],
  ['accept', 406, '/mcp', { accept: 'application/json' }],
  ['path', 404, '/', {}],
  ['session', 404, '/mcp', { 'mcp-session-id': 'x', 'mcp-protocol-version': '2025-11-25' }],
] as const)('HTTP: %s is rejected with %s', async (_name, status, path, headers) => {
  const handle = toFetchHandler(server, { path: '/mcp' });
  expectQuoted(await reject(handle, path, headers, status));
});

test('HTTP: authentication is required', async () => {
  const handle = toFetchHandler(server, { authenticate: () => undefined as never });
  expectQuoted(await reject(handle, '/mcp', {}, 401));
});

test('serveHttp rejects a port that is taken, and a public host without names', async () => {
  const running = await serveHttp(server, { port: 0 });
  const messages = await Promise.all(
    [{ port: running.port }, { port: 0, host: '0.0.0.0' }].map((options) =>
      serveHttp(server, options).then(() => 'it listens', String),
    ),
  );
  await running.close();
  for (const message of messages) expectQuoted(message.replace(/port \d+/, 'port 3000'));
});

test('a client without elicitation, and one of an earlier revision without a session', async () => {
  const asking = createServer({ name: 'asking', version: '1.0.0' });
  asking.registerTool('ask', { description: 'Asks', inputSchema: {} }, async (_input, context) => {
    const { action } = await context.ask('sure', { message: 'Sure?', schema: z.object({ ok: z.boolean() }) });
    return action;
  });
  expectQuoted(
    await connectTestClient(asking)
      .callTool('ask')
      .then(
        () => 'it asked',
        ({ message }) => message,
      ),
  );
  const handle = toFetchHandler(asking, { sessions: false });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: {} } };
  const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
  });
  const { result } = (await (await handle(request)).json()) as { result: { content: { text: string }[] } };
  expectQuoted(result.content[0]?.text ?? '');
  await asking.close();
});

test('a package that is missing', async () => {
  writeFileSync(join(folder, 'server.mjs'), `import 'zod';`);
  const { stderr } = await fails(process.execPath, 'server.mjs');
  const line = /^Error \[ERR_MODULE_NOT_FOUND\].*$/m.exec(stderr)?.[0] ?? '';
  expectQuoted(line.replace(/from .*/, 'from /home/ada/server.js'));
});

test('the commands: jiti, decorators, standard output', async () => {
  writeFileSync(join(folder, 'server.ts'), 'export default 1;');
  expectQuoted((await cli('list', 'server.ts')).trim());

  writeFileSync(join(folder, 'tools.mjs'), '\nclass Tools { @tool() add() {} }\n');
  expect((await fails(process.execPath, 'tools.mjs')).stderr).toContain(
    'SyntaxError: Invalid or unexpected token',
  );
  expectQuoted('SyntaxError: Invalid or unexpected token');
  const parsed = (await cli('list', 'tools.mjs')).trim();
  expectQuoted(
    parsed.replace(/error \S+:2/, 'error /home/ada/dist/tools.js:2').replace(/Node [\d.]+/, 'Node 20.20.2'),
  );

  writeFileSync(join(folder, 'server.js'), `console.log('hello'); setInterval(() => {}, 1e6);`);
  expectQuoted((await cli('list', '--', 'node', 'server.js')).trim());
}, 60_000);

test('a private address', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    servers: [{ url: 'http://127.0.0.1:1' }],
    paths: { '/': { get: { operationId: 'get', responses: {} } } },
  };
  writeFileSync(join(folder, 'api.json'), JSON.stringify(document));
  const served = ['--', process.execPath, CLI, 'openapi', 'api.json'];
  expectQuoted((await cli('call', 'get', ...served)).trim().replace(/^error /, ''));
}, 60_000);

test('every quoted message was provoked', () => {
  expect(quoted.size).toBeGreaterThan(12);
  expect([...quoted].filter((message) => !provoked.has(message))).toEqual([]);
});

const CLI = join(DIST, 'bundle/cli.js');

async function cli(...args: string[]): Promise<string> {
  const lines = (await fails(process.execPath, CLI, ...args)).stderr.trim().split('\n');
  return lines.filter((line) => line.startsWith('error ')).join('\n');
}

/** Runs a program that must fail. */
async function fails(program: string, ...args: string[]): Promise<{ stderr: string }> {
  const run = promisify(execFile)(program, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });
  return run.then(
    () => expect.unreachable(`${args.join(' ')} did not fail`),
    (error: { stderr: string }) => error,
  );
}

async function reject(
  handle: (request: Request) => Promise<Response>,
  path: string,
  headers: Readonly<Record<string, string>>,
  status: number,
): Promise<string> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const response = await handle(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    }),
  );
  expect(response.status).toBe(status);
  return ((await response.json()) as { error: { message: string } }).error.message;
}
