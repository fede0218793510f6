import { describe, expect, test } from 'vitest';
import { ConnectedApi } from './support/connected-api.ts';
import type { RecordedRequest } from './support/recording-server.ts';
import { RecordingServer } from './support/recording-server.ts';
import type { JsonDocument } from './support/request-case.ts';

const OK = { responses: { 200: { description: 'It arrived' } } };
const INFO = { title: 'Places', version: '1' };

/** The address of one call of each operation. */
async function addressesOf(
  toDocument: (origin: string) => JsonDocument,
  serverVariables: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const connected = await ConnectedApi.open((origin) => ({
    document: toDocument(origin),
    openapi: { serverVariables },
  }));
  try {
    const addresses: [string, string][] = [];
    for (const { name } of await connected.client.listTools())
      addresses.push([name, lineOf(await connected.send(name))]);
    return Object.fromEntries(addresses);
  } finally {
    await connected.close();
  }
}

function lineOf({ method, target }: RecordedRequest): string {
  return `${method} ${target}`;
}

describe('where requests go', () => {
  test('the servers of an operation, of its path, of the document', async () => {
    const addresses = await addressesOf((origin) => ({
      openapi: '3.1.1',
      info: INFO,
      servers: [{ url: `${origin}/document/` }, { url: 'https://never.invalid' }],
      paths: {
        '/a': { get: { operationId: 'a', ...OK } },
        '/b': {
          servers: [{ url: `${origin}/of/path` }],
          get: { operationId: 'b', ...OK },
          post: { operationId: 'b2', servers: [{ url: `${origin}/of/operation?fixed=1` }], ...OK },
        },
      },
    }));
    expect(addresses).toEqual({
      a: 'GET /document/a',
      b: 'GET /of/path/b',
      b2: 'POST /of/operation/b?fixed=1',
    });
  });

  test('variables: their defaults, or what was chosen', async () => {
    const document = (origin: string): JsonDocument => ({
      openapi: '3.0.4',
      info: INFO,
      servers: [
        {
          url: 'http://{host}:{port}/{region}/{version}',
          variables: {
            host: { default: '127.0.0.1' },
            port: { default: new URL(origin).port },
            region: { default: 'eu', enum: ['eu', 'us'] },
            version: { default: 'v1' },
          },
        },
      ],
      paths: { '/a': { get: { operationId: 'a', ...OK } } },
    });
    expect(await addressesOf(document)).toEqual({ a: 'GET /eu/v1/a' });
    expect(await addressesOf(document, { region: 'us', version: 'v2' })).toEqual({ a: 'GET /us/v2/a' });
    await expect(addressesOf(document, { region: 'mars' })).rejects.toThrow(
      'The server variable region must be one of: eu, us.',
    );
  });

  test('Swagger 2.0: host, base path and schemes', async () => {
    const addresses = await addressesOf((origin) => ({
      swagger: '2.0',
      info: INFO,
      host: new URL(origin).host,
      basePath: '/v2/',
      schemes: ['ws', 'http'],
      paths: { '/a': { get: { operationId: 'a', ...OK } } },
    }));
    expect(addresses).toEqual({ a: 'GET /v2/a' });
  });

  test('a relative server starts where the document is', async () => {
    const origin = await RecordingServer.start();
    const document = {
      openapi: '3.1.1',
      info: INFO,
      servers: [{ url: '../api' }],
      paths: {
        '/a': { get: { operationId: 'a', ...OK } },
        '/b': { servers: [{ url: '/root' }], get: { operationId: 'b', ...OK } },
      },
    };
    origin.answer = ({ target }) =>
      target === '/docs/v1/openapi.json'
        ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) }
        : { status: 204 };
    const connected = await ConnectedApi.open(() => ({ document: `${origin.origin}/docs/v1/openapi.json` }));
    try {
      origin.take();
      await connected.call('a');
      await connected.call('b');
      expect(origin.take().map(lineOf)).toEqual(['GET /docs/api/a', 'GET /root/b']);
    } finally {
      await connected.close();
      origin.close();
    }
  });

  test('no server at all is an error that says what to give', async () => {
    const document = { openapi: '3.1.1', info: INFO, paths: { '/a': { get: OK } } };
    await expect(ConnectedApi.open(() => ({ document }))).rejects.toThrow('baseUrl');
  });
});

describe('methods of OpenAPI 3.2', () => {
  test('QUERY and others, with a body', async () => {
    const body = {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'object', properties: { q: { type: 'string' } } } },
        },
      },
    };
    const connected = await ConnectedApi.open((origin) => ({
      document: {
        openapi: '3.2.0',
        info: INFO,
        servers: [{ url: origin }],
        paths: {
          '/files/{id}': {
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            query: { operationId: 'ask', ...body, ...OK },
            additionalOperations: {
              COPY: { operationId: 'copy', ...OK },
              PURGE: { operationId: 'purge', ...body, ...OK },
            },
          },
        },
      },
    }));
    try {
      const asked = await connected.send('ask', { id: 'x y', q: 'é' });
      expect([lineOf(asked), asked.body.toString()]).toEqual(['QUERY /files/x%20y', '{"q":"é"}']);
      expect(lineOf(await connected.send('copy', { id: '1' }))).toBe('COPY /files/1');
      const purged = await connected.send('purge', { id: '1', q: '*' });
      expect([lineOf(purged), purged.body.toString()]).toEqual(['PURGE /files/1', '{"q":"*"}']);
    } finally {
      await connected.close();
    }
  });
});

describe('requests that are never sent', () => {
  test.for(['..', '.', '%2e%2e', 'a/..', String.raw`a\b`, 'a%2Fb', '', '\u0000'])(
    'the path value %j',
    async (value) => {
      const connected = await ConnectedApi.open((origin) => ({
        document: {
          openapi: '3.1.1',
          info: INFO,
          servers: [{ url: origin }],
          paths: {
            '/pets/{id}/toys': {
              get: {
                operationId: 'toys',
                parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
                ...OK,
              },
            },
          },
        },
      }));
      try {
        const { result, requests } = await connected.call('toys', { id: value });
        expect(requests).toEqual([]);
        expect(result.isError).toBe(true);
      } finally {
        await connected.close();
      }
    },
  );
});
