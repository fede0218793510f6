import { expect, test } from 'vitest';
import * as z from 'zod';
import { toFetchHandler } from '../../../src/fetch.ts';
import type { HttpOptions } from '../../../src/fetch.ts';
import { serveHttp } from '../../../src/http.ts';
import { createServer, defineTool } from '../../../src/index.ts';
import type { ServerOptions, ToolwrightServer } from '../../../src/index.ts';

const tool = (name: string, description = name): ReturnType<typeof defineTool> =>
  defineTool({ name, description, inputSchema: z.object({ text: z.string() }), handler: () => name });

const GREET = { name: 'greet', template: 'Hello' };
const GUIDE = { uri: 'demo://guide', name: 'guide', text: 'Read this' };
const PAGE = { uriTemplate: 'demo://pages/{id}', name: 'page', contentProvider: () => 'A page' };

const server = (options: Partial<ServerOptions> = {}): ToolwrightServer =>
  createServer({ name: 'demo', version: '1', ...options });

const PATHS: HttpOptions = { healthPath: '/health', livePath: '/healthz', readyPath: '/readyz' };

interface Checked {
  readonly status: number;
  readonly body: { readonly catalog?: string };
}

async function check(
  of: ToolwrightServer | ReturnType<typeof toFetchHandler>,
  path: string,
  init: { readonly method?: string; readonly host?: string; readonly headers?: Record<string, string> } = {},
): Promise<Checked> {
  const { host = 'localhost', ...rest } = init;
  const handle = typeof of === 'function' ? of : toFetchHandler(of, PATHS);
  const response = await handle(new Request(`http://${host}${path}`, rest));
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Checked['body']) };
}

async function hashOf(options: Partial<ServerOptions>): Promise<string> {
  const { status, body } = await check(server(options), '/readyz');
  expect([status, Object.keys(body)]).toEqual([200, ['status', 'catalog']]);
  return body.catalog ?? '';
}

test('the readiness check fails while the server closes; the liveness check does not', async () => {
  const handle = toFetchHandler(server(), PATHS);
  expect(await check(handle, '/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
  expect((await check(handle, '/readyz')).status).toBe(200);
  await handle.close(0);
  expect(await check(handle, '/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await check(handle, '/readyz')).toMatchObject({ status: 503, body: { status: 'closing' } });
  expect(await check(handle, '/health')).toMatchObject({ status: 503, body: { status: 'closing' } });
});

test('a request by address gets no hash, and one of a foreign page gets nothing', async () => {
  const handle = toFetchHandler(server(), PATHS);
  const byAddress = { status: 200, body: { status: 'ok' } };
  expect(await check(handle, '/readyz', { host: '10.1.2.3' })).toEqual(byAddress);
  expect(await check(handle, '/healthz', { host: '10.1.2.3' })).toEqual(byAddress);
  const page = { headers: { origin: 'https://evil.example' } };
  expect((await check(handle, '/readyz', page)).status).toBe(403);
  expect((await check(handle, '/readyz', { host: '10.1.2.3', ...page })).status).toBe(403);
  expect((await check(handle, '/healthz', { method: 'POST' })).status).toBe(405);
  await handle.close(0);
  expect(await check(handle, '/readyz', { host: '10.1.2.3' })).toEqual({
    status: 503,
    body: { status: 'closing' },
  });
});

test('the hash of a catalog is that of its definitions, in whatever order they were registered', async () => {
  const [one, two] = [tool('one'), tool('two')];
  const hash = await hashOf({ tools: [one, two], prompts: [GREET], resources: [GUIDE, PAGE] });
  // SHA-256 of the canonical definitions above: changes with the format of the hash, which then is a breaking change.
  expect(hash).toBe('8bf1be02a489a9c9d91becc15ba2c9cd0694ea9c806363e6e2283f1edde33f77');
  expect(await hashOf({ tools: [two, one], prompts: [GREET], resources: [PAGE, GUIDE] })).toBe(hash);
  expect(await hashOf({ name: 'other', tools: [one, two], prompts: [GREET], resources: [GUIDE, PAGE] })).toBe(
    hash,
  );
});

test.each<[string, Partial<ServerOptions>]>([
  ['the description of a tool', { tools: [tool('one', 'Other words')] }],
  ['a further tool', { tools: [tool('one'), tool('two')] }],
  ['a tool that callers cannot see', { tools: [tool('one'), { ...tool('two'), scopes: ['admin'] }] }],
  ['a prompt', { prompts: [{ ...GREET, description: 'Says hello' }] }],
  ['a resource', { resources: [{ ...GUIDE, title: 'The guide' }, PAGE] }],
  ['a template', { resources: [GUIDE, { ...PAGE, uriTemplate: 'demo://pages/{page}' }] }],
])('%s changes the hash', async (_what, changed) => {
  const parts = { tools: [tool('one')], prompts: [GREET], resources: [GUIDE, PAGE] };
  expect(await hashOf({ ...parts, ...changed })).not.toBe(await hashOf(parts));
});

test('the hash follows changes at run time', async () => {
  const changing = server({ tools: [tool('one')] });
  const handle = toFetchHandler(changing, PATHS);
  const now = async (): Promise<string | undefined> => (await check(handle, '/readyz')).body.catalog;
  const before = await now();
  expect(await now()).toBe(before);
  changing.registerPrompt(GREET);
  const withPrompt = await now();
  expect(withPrompt).not.toBe(before);
  changing.registerTool(tool('two'));
  expect(await now()).not.toBe(withPrompt);
  changing.unregisterTool('two');
  expect(await now()).toBe(withPrompt);
});

test('serveHttp has all three checks, and its defaults give way to paths of the application', async () => {
  const statuses = async (options: Parameters<typeof serveHttp>[1]): Promise<string[]> => {
    await using running = await serveHttp(server(), { port: 0, ...options });
    return await Promise.all(
      ['/health', '/healthz', '/readyz'].map(async (path) => {
        const response = await fetch(new URL(path, running.url));
        return `${response.status} ${(await response.text()).slice(0, 14)}`;
      }),
    );
  };
  const ok = '200 {"status":"ok"';
  expect(await statuses({})).toEqual([ok, ok, ok]);
  const routes = { 'GET /healthz': () => new Response('mine') };
  expect(await statuses({ routes, healthPath: '/readyz' })).toEqual(['404 {"jsonrpc":"2.', '200 mine', ok]);
  const notFound = '404 {"jsonrpc":"2.';
  expect(await statuses({ livePath: false, readyPath: '/up' })).toEqual([ok, notFound, notFound]);
});

test.each<[HttpOptions, string]>([
  [{ livePath: '/up', readyPath: '/up' }, 'HTTP: readyPath and livePath are both "/up". Use two paths.'],
  [{ path: '/mcp', readyPath: '/mcp' }, 'HTTP: readyPath and path are both "/mcp". Use two paths.'],
  [{ healthPath: '/up', livePath: '/up' }, 'HTTP: livePath and healthPath are both "/up". Use two paths.'],
  [{ readyPath: 'up' }, 'HTTP: readyPath must be a path that begins with "/", or false; received "up".'],
  [
    { readyPath: '/up', routes: { 'GET /up': () => new Response() } },
    'routes: "/up" is already the health route. Use another path.',
  ],
])('paths that cannot be meant are refused: %o', (options, message) => {
  expect(() => toFetchHandler(server(), options)).toThrow(message);
});
