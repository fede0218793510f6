import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ResourcesManager, ToolRegistry } from '../../../../src/index.ts';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import { connect } from '../../../support/sdk.ts';
import type { SdkCallResult } from '../../../support/sdk.ts';
import { withOperation } from '../import/support.ts';
import type { Json } from '../import/support.ts';

/** Paths and their redirects; other paths return their own address. */
let routes: Record<string, { status: number; location?: string }> = {};
const asked: { line: string; headers: IncomingHttpHeaders }[] = [];

function startServer(): Server {
  return createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push({ line: `${method} ${url}`, headers });
    const found = routes[url.split('?')[0] ?? ''];
    if (found !== undefined) {
      if (found.location !== undefined) response.setHeader('location', found.location);
      response.writeHead(found.status).end();
      return;
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ at: url }));
  });
}

const [api, other] = [startServer(), startServer()];
const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  for (const server of [api, other])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const server of [api, other]) {
    server.close();
    server.closeAllConnections();
  }
});
beforeEach(() => {
  routes = {};
  asked.length = 0;
});

const at = (method: string, responses: Json = {}, more: Json = {}): Json =>
  withOperation({ operationId: 'get', responses }, more, [method, '/start']);

async function call(document: Json, options: OpenApiOptions = {}): Promise<SdkCallResult> {
  const registry = new ToolRegistry();
  const outbound = { allowPrivate: ['127.0.0.1'], maxRetries: 0 };
  await fromOpenAPI(document, { baseUrl: originOf(api), outbound, ...options, registry });
  await using connection = await connect(registry, { client: 'v2 Client', server: 'v2 Server' });
  return await connection.client.callTool('get', {});
}

const textOf = ({ content = [] }: SdkCallResult): string => (content[0] as { text: string }).text;
const lines = (): string[] => asked.map(({ line }) => line);

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('of GET are followed within the origin: %i', async (status) => {
    routes = { '/start': { status, location: '/moved?a=1#part' } };
    expect(textOf(await call(at('get')))).toBe('{"at":"/moved?a=1"}');
    expect(lines()).toEqual(['GET /start', 'GET /moved?a=1']);
  });

  test('of HEAD too, and of nothing else', async () => {
    routes = { '/start': { status: 307, location: '/moved' } };
    expect((await call(at('head'))).isError).not.toBe(true);
    expect(lines()).toEqual(['HEAD /start', 'HEAD /moved']);
    for (const method of ['post', 'put', 'delete', 'options']) {
      asked.length = 0;
      const result = await call(at(method));
      expect([result.isError, lines()]).toEqual([true, [`${method.toUpperCase()} /start`]]);
      expect(textOf(result)).toContain(
        'answered 307 Temporary Redirect: it has moved to /moved. Only redirects of',
      );
    }
  });

  test('are followed five times', async () => {
    const hops = ['/start', '/1', '/2', '/3', '/4', '/5', '/6'];
    const chain = (count: number): typeof routes =>
      Object.fromEntries(
        hops.slice(0, count).map((from, index) => [from, { status: 302, location: hops[index + 1] ?? '' }]),
      );
    routes = chain(5);
    expect(textOf(await call(at('get')))).toBe('{"at":"/5"}');
    routes = chain(6);
    const result = await call(at('get'));
    expect([result.isError, textOf(result)]).toEqual([
      true,
      `${originOf(api)} redirected more than 5 times.`,
    ]);
  });

  test('elsewhere are not followed, nor do keys go there', async () => {
    routes = { '/start': { status: 302, location: `${originOf(other)}/away?sig=1` } };
    const result = await call(at('get'));
    expect([result.isError, lines()]).toEqual([true, ['GET /start']]);
    expect(textOf(result)).toContain(
      `it has moved to ${originOf(other)}/away. Only redirects of GET and HEAD`,
    );
    expect(textOf(result)).not.toContain('sig');
  });

  test.each(['http://', 'ftp://127.0.0.1/', 'javascript:1', undefined])(
    'to %s are answers',
    async (location) => {
      routes = { '/start': { status: 302, ...(location === undefined ? {} : { location }) } };
      expect([(await call(at('get'))).isError, lines()]).toEqual([true, ['GET /start']]);
    },
  );

  test('to a blob: URL of the origin are answers', async () => {
    routes = { '/start': { status: 302, location: `blob:${originOf(api)}/moved` } };
    const result = await call(at('get'));
    expect([result.isError, lines()]).toEqual([true, ['GET /start']]);
    expect(textOf(result)).toContain('answered 302 Found: it has moved to blob:');
  });

  test('keep their credentials, and take none from an address', async () => {
    routes = {
      '/start': { status: 302, location: originOf(api).replace('//', '//me:secret@') + '/moved?b=2' },
    };
    const securitySchemes = {
      query: { type: 'apiKey', in: 'query', name: 'key' },
      header: { type: 'apiKey', in: 'header', name: 'x-key' },
    };
    const security = [{ query: [], header: [] }];
    const credentials = { query: 'q-secret', header: 'h-secret' };
    await call(at('get', {}, { security, components: { securitySchemes } }), { credentials });
    expect(lines()).toEqual(['GET /start?key=q-secret', 'GET /moved?b=2&key=q-secret']);
    expect(asked.map(({ headers }) => [headers['x-key'], headers.authorization])).toEqual([
      ['h-secret', undefined],
      ['h-secret', undefined],
    ]);
  });

  test('are not followed with redirects: false', async () => {
    routes = { '/start': { status: 302, location: '/moved' } };
    const result = await call(at('get'), { redirects: false });
    expect([result.isError, lines()]).toEqual([true, ['GET /start']]);
  });
});

describe('a redirect that an operation documents', () => {
  const documented = { 302: { description: 'The archive', headers: { Location: {} } } };

  test('is its result: the whole location, with its query', async () => {
    const location = 'https://storage.example.com/logs.zip?sig=a%2Fb&expires=60';
    routes = { '/start': { status: 302, location } };
    expect(await call(at('get', documented))).toMatchObject({
      content: [
        { type: 'text', text: location },
        {
          type: 'text',
          text: 'GET /start answered 302 Found: the result is at this location, which was not followed.',
        },
      ],
      _meta: { 'toolwright/headers': { Location: location } },
    });
  });

  test('has a whole address where it is relative, and is not followed', async () => {
    routes = { '/start': { status: 302, location: 'logs?sig=1' } };
    const result = await call(at('get', { '3XX': { description: 'elsewhere' } }));
    expect([result.isError, textOf(result)]).toEqual([undefined, `${originOf(api)}/logs?sig=1`]);
    expect(lines()).toEqual(['GET /start']);
  });

  test('is the result of where another redirect leads: a repository that was renamed', async () => {
    const location = 'https://storage.example.com/logs.zip?sig=1';
    routes = { '/start': { status: 301, location: '/renamed' }, '/renamed': { status: 302, location } };
    expect(textOf(await call(at('get', documented)))).toBe(location);
    expect(lines()).toEqual(['GET /start', 'GET /renamed']);
    routes = { '/start': { status: 301, location: '/renamed' } };
    expect((await call(at('get', documented), { redirects: false })).isError).toBe(true);
  });

  test('beside a success is followed within the origin, and a result elsewhere', async () => {
    const both = { ...documented, 200: { description: 'here' } };
    routes = { '/start': { status: 302, location: '/moved' } };
    expect(textOf(await call(at('get', both)))).toBe('{"at":"/moved"}');
    routes = { '/start': { status: 302, location: `${originOf(other)}/away?sig=1` } };
    expect(textOf(await call(at('get', both)))).toBe(`${originOf(other)}/away?sig=1`);
  });

  test('shows no credentials of the request', async () => {
    routes = { '/start': { status: 302, location: 'https://storage.example.com/?key=very-secret-key' } };
    const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'x-key' } };
    const document = at('get', documented, { security: [{ key: [] }], components: { securitySchemes } });
    const result = await call(document, { credentials: { key: 'very-secret-key' } });
    expect(JSON.stringify(result)).not.toContain('very-secret-key');
    expect(textOf(result)).toContain('https://storage.example.com/?key=');
  });

  test('is the content of a resource', async () => {
    routes = { '/start': { status: 302, location: 'https://storage.example.com/?sig=1' } };
    const resources = new ResourcesManager();
    await fromOpenAPI(at('get', documented), {
      baseUrl: originOf(api),
      outbound: { allowPrivate: ['127.0.0.1'] },
      routeMaps: [{ kind: 'resource' }],
      resources,
    });
    expect(await resources.readResource({ uri: 'openapi://pets/start' })).toMatchObject({
      value: { contents: [{ text: 'https://storage.example.com/?sig=1', mimeType: 'text/uri-list' }] },
    });
  });
});

test('an option of another kind is refused', async () => {
  await expect(call(at('get'), { redirects: 'no' as never })).rejects.toThrow(
    'fromOpenAPI: redirects must be true or false; received "no".',
  );
});
