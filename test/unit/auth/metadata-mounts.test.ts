import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { custom } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import { toNodeHandler } from '../../../src/http.ts';
import type { HttpOptions } from '../../../src/http.ts';
import { createServer, silentLogger } from '../../../src/index.ts';
import type { ToolwrightServer } from '../../../src/index.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

function create(name: string): ToolwrightServer {
  const server = createServer({ name, version: '1.0.0', logger: silentLogger });
  open.push(() => server.close());
  return server;
}

const optionsOf = (path: string): HttpOptions => ({
  path,
  auth: { verify: custom(() => undefined), resource: `https://api.example.com${path}` },
});

type Ask = (path: string, method?: string) => Promise<Response>;

/** Two servers in one application. The root path belongs to the first. */
const FACES: Readonly<Record<string, () => Promise<Ask>>> = {
  node: async () => {
    const [notes, files] = ['/notes', '/files'].map((path) =>
      toNodeHandler(create(path), optionsOf(path)),
    ) as [ReturnType<typeof toNodeHandler>, ReturnType<typeof toNodeHandler>];
    const http = createHttpServer((request, response) =>
      (request.url?.endsWith('/files') === true ? files : notes)(request, response),
    );
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    open.push(async () => {
      http.close();
      http.closeAllConnections();
    });
    const { port } = http.address() as AddressInfo;
    return (path, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  },
  fetch: async () => {
    const [notes, files] = ['/notes', '/files'].map((path) =>
      toFetchHandler(create(path), optionsOf(path) as HttpOptions<Request>),
    ) as [ReturnType<typeof toFetchHandler>, ReturnType<typeof toFetchHandler>];
    return (path, method = 'GET') =>
      (path.endsWith('/files') ? files : notes)(new Request(`http://localhost${path}`, { method }));
  },
};

describe.each(Object.entries(FACES))('two resources in one application, %s (RFC 9728)', (_, start) => {
  test('each challenge names the metadata of its own resource, which names that resource', async () => {
    const ask = await start();
    for (const path of ['/notes', '/files']) {
      const challenge = (await ask(path, 'POST')).headers.get('www-authenticate');
      expect(challenge).toBe(`Bearer resource_metadata="https://api.example.com${WELL_KNOWN}${path}"`);
      const metadata = await ask(`${WELL_KNOWN}${path}`);
      expect([metadata.status, await metadata.json()]).toEqual([
        200,
        { resource: `https://api.example.com${path}`, bearer_methods_supported: ['header'] },
      ]);
    }
  });

  test('the root path has the metadata of the resource that it is routed to; other paths have none', async () => {
    const ask = await start();
    const root = await ask(WELL_KNOWN);
    expect([root.status, await root.json()]).toMatchObject([
      200,
      { resource: 'https://api.example.com/notes' },
    ]);
    // Routed to the first, which is not this resource.
    for (const path of [`${WELL_KNOWN}/other`, `${WELL_KNOWN}/files/`])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });
});

test.each(['https://api.example.com', 'https://api.example.com/'])(
  'a resource at the root path, %s, has its metadata at the root path, behind fetch too',
  async (resource) => {
    const auth = { verify: custom(() => undefined), resource };
    const handle = toFetchHandler(create('root'), { auth });
    const challenged = await handle(new Request('http://localhost/', { method: 'POST' }));
    expect([challenged.status, challenged.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="https://api.example.com${WELL_KNOWN}"`,
    ]);
    const metadata = await handle(new Request(`http://localhost${WELL_KNOWN}`));
    expect(await metadata.json()).toEqual({ resource, bearer_methods_supported: ['header'] });
    // RFC 9728, 3.1: the slash of a resource without a path is left out.
    expect((await handle(new Request(`http://localhost${WELL_KNOWN}/`))).status).toBe(401);
  },
);
