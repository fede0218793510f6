import { describe, expect, test } from 'vitest';
import { notesOf, operationOf, operationWith, readAll, readFirst } from './reading.ts';

describe('an operation', () => {
  test('is read with what its path says', async () => {
    const operation = await operationOf({
      paths: {
        '/pets/{id}': {
          summary: 'S of the path',
          description: 'D of the path',
          'x-a': 1,
          'x-b': 1,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          get: { description: 'D', operationId: 'getPet', deprecated: true, tags: ['a', 7, {}], 'x-b': 2 },
        },
      },
    });
    expect(operation).toMatchObject({
      key: 'GET /pets/{id}',
      method: 'GET',
      path: '/pets/{id}',
      operationId: 'getPet',
      summary: 'S of the path',
      description: 'D',
      deprecated: true,
      tags: ['a', '7'],
      body: undefined,
      responses: [],
      servers: [],
      security: undefined,
      extensions: { 'x-a': 1, 'x-b': 2 },
      parameters: [{ name: 'id', in: 'path', required: true, style: 'simple', explode: false }],
    });
  });

  test('is read for every method, in one order', async () => {
    const item = { trace: {}, patch: {}, get: {}, query: {}, additionalOperations: { COPY: {} }, copy: {} };
    const keys = async (openapi: string): Promise<string[]> =>
      (await readAll({ openapi, paths: { '/x': item } })).operations.map(({ key }) => key);
    expect(await keys('3.1.0')).toEqual(['GET /x', 'PATCH /x', 'TRACE /x']);
    expect(await keys('3.2.0')).toEqual(['GET /x', 'PATCH /x', 'TRACE /x', 'QUERY /x', 'COPY /x']);
  });

  test('with a method that is none is refused', async () => {
    const additionalOperations = { 'A B\r\nX: y': {} };
    expect(await readFirst({ openapi: '3.2.0', paths: { '/x': { additionalOperations } } })).toEqual({
      key: 'A B\r\nX: Y /x',
      refused: 'its method is not an HTTP method',
    });
  });

  test.each([[null], ['x'], [[]]])('that is %j is refused', async (get) => {
    expect(await readFirst({ paths: { '/x': { get } } })).toEqual({
      key: 'GET /x',
      refused: 'it is not an object',
    });
  });

  test('has callbacks that are ignored, with a note', async () => {
    expect(await notesOf({ paths: { '/x': { get: { callbacks: {} } } } })).toEqual([
      'its callbacks are ignored',
    ]);
  });

  test('may have any name', async () => {
    const paths = JSON.parse(
      '{"/__proto__":{"get":{"operationId":"constructor"}},"x-internal":{"get":{}}}',
    ) as object;
    const { operations } = await readAll({ paths });
    expect(operations).toMatchObject([{ key: 'GET /__proto__', operation: { operationId: 'constructor' } }]);
  });
});

describe('a path', () => {
  test('can be shared by reference; what stands beside it wins', async () => {
    const shared = {
      get: { summary: 'shared' },
      post: { summary: 'shared' },
      parameters: [{ name: 'a', in: 'query' }],
    };
    const { operations } = await readAll({
      openapi: '3.1.0',
      paths: {
        '/x': { $ref: '#/components/pathItems/X' },
        '/y': { $ref: '#/components/pathItems/X', post: { summary: 'own' }, parameters: [] },
      },
      components: { pathItems: { X: shared } },
    });
    expect(
      operations.map((read) =>
        'operation' in read ? [read.key, read.operation.summary, read.operation.parameters.length] : [],
      ),
    ).toEqual([
      ['GET /x', 'shared', 1],
      ['POST /x', 'shared', 1],
      ['GET /y', 'shared', 0],
      ['POST /y', 'own', 0],
    ]);
  });

  test.each([
    [null, 'the path is not an object'],
    [[], 'the path is not an object'],
    [{ $ref: '#/nowhere' }, 'the reference of the path cannot be resolved: "#/nowhere" leads nowhere'],
  ])('that is %j is refused', async (item, refused) => {
    expect(await readFirst({ paths: { '/x': item } })).toEqual({ key: '/x', refused });
  });

  test('needs a parameter for each name in it', async () => {
    const paths = {
      '/{a}/{b}?c={c}&d={d}#e={e}': {
        get: {
          parameters: [
            { name: 'd', in: 'query' },
            { name: 'z', in: 'path' },
          ],
        },
      },
    };
    const operation = await operationOf({ paths });
    expect(operation.parameters.map((each) => `${each.in} ${each.name}`)).toEqual([
      'path a',
      'path b',
      'path c',
      'query d',
    ]);
    expect(operation.parameters[0]).toMatchObject({ required: true, schema: { value: { type: 'string' } } });
    expect(await notesOf({ paths })).toEqual([
      'the path has no {z}, so that parameter is left out',
      '{a} in the path is not declared; it is treated as a string',
      '{b} in the path is not declared; it is treated as a string',
      '{c} in the path is not declared; it is treated as a string',
    ]);
  });

  test('of a document without any', async () => {
    expect(await readAll({ paths: 5 })).toEqual({ operations: [], notes: ['the document has no paths'] });
    expect(await readAll({ openapi: '3.1.0', paths: undefined, webhooks: { a: {}, b: {} } })).toEqual({
      operations: [],
      notes: ['2 webhooks are ignored: they are requests from the API, not to it'],
    });
  });
});

describe('servers', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ url: `https://${name}.example` }));

  test('of the operation win over those of the path, and these over those of the document', async () => {
    const urls = async (get: object, item: object): Promise<string[]> =>
      (await operationOf({ servers: [a], paths: { '/x': { get, ...item } } })).servers.map(({ url }) => url);
    expect(await urls({ servers: [c] }, { servers: [b] })).toEqual(['https://c.example']);
    expect(await urls({}, { servers: [b] })).toEqual(['https://b.example']);
    expect(await urls({ servers: [] }, {})).toEqual(['https://a.example']);
    expect(await urls({ servers: [5, {}, { url: ' ' }] }, {})).toEqual(['https://a.example']);
  });

  test('have variables', async () => {
    const variables = JSON.parse(
      '{"__proto__":{"default":"p"},"port":{"default":8080,"enum":[8080,"8443"]},"no":5,"none":{"enum":[]}}',
    ) as object;
    const { servers } = await operationWith({
      servers: [{ url: 'https://{__proto__}:{port}', description: 'D', variables }],
    });
    expect(servers).toEqual([
      {
        url: 'https://{__proto__}:{port}',
        description: 'D',
        variables: Object.fromEntries([
          ['__proto__', { default: 'p', enum: undefined }],
          ['port', { default: '8080', enum: ['8080', '8443'] }],
          ['none', { default: undefined, enum: undefined }],
        ]),
      },
    ]);
  });
});

describe('security', () => {
  const root = { security: [{ key: [] }] };

  test.each([
    [undefined, [{ key: [] }]],
    [null, [{ key: [] }]],
    [{ key: [] }, [{ key: [] }]],
    [[5, 'x'], [{ key: [] }]],
    [[], []],
    [[{}], [{}]],
    [
      [{ oauth: ['read', 7, {}] }, { a: 'x', b: [] }],
      [{ oauth: ['read', '7'] }, { a: [], b: [] }],
    ],
  ])('of an operation: %j', async (security, expected) => {
    expect((await operationWith({ security }, root)).security).toEqual(expected);
  });

  test('that nobody speaks of', async () => {
    expect((await operationWith({})).security).toBeUndefined();
  });
});
