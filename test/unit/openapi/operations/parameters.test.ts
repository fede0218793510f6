import { describe, expect, test } from 'vitest';
import { notesOf, operationOf, operationWith, readFirst } from './reading.ts';

describe('parameters of OpenAPI 3', () => {
  test('have the style of their place, where nothing else is said', async () => {
    const { parameters } = await operationWith(
      {
        parameters: ['path', 'query', 'header', 'cookie', 'querystring'].map((place) => ({
          name: 'p',
          in: place,
        })),
      },
      { openapi: '3.2.0' },
      '/{p}',
    );
    expect(parameters.map((each) => [each.in, each.style, each.explode, each.required])).toEqual([
      ['path', 'simple', false, true],
      ['query', 'form', true, false],
      ['header', 'simple', false, false],
      ['cookie', 'form', true, false],
      ['querystring', 'form', true, false],
    ]);
  });

  test.each([
    ['path', { style: 'label' }, ['label', false, false]],
    ['path', { style: 'matrix', explode: true }, ['matrix', true, false]],
    ['path', { style: 'form' }, ['simple', false, false]],
    ['query', { style: 'deepObject' }, ['deepObject', true, false]],
    ['query', { style: 'spaceDelimited' }, ['spaceDelimited', false, false]],
    ['query', { style: 'pipeDelimited', explode: 'yes' }, ['pipeDelimited', false, false]],
    ['query', { explode: false, allowReserved: true }, ['form', false, true]],
    ['query', { style: 'toString' }, ['form', true, false]],
    ['cookie', { style: 'cookie' }, ['cookie', true, false]],
    ['header', { style: 'form' }, ['simple', false, false]],
  ])('in %s with %j', async (place, members, expected) => {
    const { parameters } = await operationWith(
      { parameters: [{ name: 'p', in: place, ...members }] },
      {},
      '/{p}',
    );
    const found = parameters.find((each) => each.in === place);
    expect([found?.style, found?.explode, found?.allowReserved]).toEqual(expected);
  });

  test('of the operation win over those of the path; headers in any case', async () => {
    const { parameters } = await operationOf({
      paths: {
        '/x': {
          parameters: [
            { name: 'a', in: 'query', description: 'path' },
            { name: 'a', in: 'header', description: 'path' },
            { name: 'X-B', in: 'header', description: 'path' },
          ],
          get: {
            parameters: [
              { name: 'a', in: 'query', description: 'own' },
              { name: 'x-b', in: 'header', description: 'own' },
              { name: 'A', in: 'query', description: 'own' },
            ],
          },
        },
      },
    });
    expect(parameters.map((each) => [each.in, each.name, each.description])).toEqual([
      ['query', 'a', 'own'],
      ['header', 'a', 'path'],
      ['header', 'x-b', 'own'],
      ['query', 'A', 'own'],
    ]);
  });

  test('can be referred to, and have a content instead of a schema', async () => {
    const { parameters } = await operationWith(
      {
        parameters: [
          { $ref: '#/components/parameters/limit' },
          {
            name: 'filter',
            in: 'query',
            required: 'true',
            deprecated: true,
            content: { 'application/json': { schema: { type: 'object' }, example: { a: 1 } } },
          },
          { name: 'none', in: 'query', examples: { one: { value: 5 } } },
        ],
      },
      {
        components: {
          parameters: { limit: { name: 'limit', in: 'query', schema: { type: 'integer' }, example: 9 } },
        },
      },
    );
    expect(parameters).toMatchObject([
      { name: 'limit', contentType: undefined, schema: { value: { type: 'integer' } }, example: 9 },
      {
        name: 'filter',
        required: true,
        deprecated: true,
        contentType: 'application/json',
        schema: { value: { type: 'object' } },
        example: { a: 1 },
      },
      { name: 'none', schema: undefined, example: 5 },
    ]);
  });

  test('that say where they come from are set by us', async () => {
    const parameters = ['Accept', 'content-type', 'Authorization', 'X-Ok'].map((name) => ({
      name,
      in: 'header',
    }));
    expect((await operationWith({ parameters })).parameters.map(({ name }) => name)).toEqual(['X-Ok']);
    expect(await notesOf({ paths: { '/x': { get: { parameters } } } })).toEqual([
      'the header Accept is not an argument: it is set automatically, or cannot be sent',
      'the header content-type is not an argument: it is set automatically, or cannot be sent',
      'the header Authorization is not an argument: it is set automatically, or cannot be sent',
    ]);
  });

  test('without a name are left out', async () => {
    const parameters = [{ in: 'query' }, { name: '', in: 'query' }, { name: 5, in: 'query' }];
    expect(await notesOf({ paths: { '/x': { get: { parameters } } } })).toEqual([
      'a parameter without a name is left out',
    ]);
  });

  test.each([
    [{ name: 'a', in: 'body' }, 'the parameter "a" has an unknown location: in is "body"'],
    [{ name: 'a' }, 'the parameter "a" has no location: set "in" to path, query, header or cookie'],
    [{ name: 'a', in: 'toString' }, 'the parameter "a" has an unknown location: in is "toString"'],
    [null, 'a parameter is not an object'],
    [{ $ref: '#/x' }, 'a parameter cannot be read: "#/x" cannot be resolved'],
    [{ $ref: 'https://elsewhere.example/x' }, /^a parameter cannot be read: .*elsewhere/],
  ])('that are %j cost the operation', async (parameter, refused) => {
    const read = await readFirst({ paths: { '/x': { get: { parameters: [parameter] } } } });
    expect('refused' in read ? read.refused : '').toMatch(refused);
  });

  test('that are no list are none', async () => {
    expect((await operationWith({ parameters: { a: 1 } })).parameters).toEqual([]);
  });
});

describe('bodies and answers of OpenAPI 3', () => {
  test('have contents in the order of the document', async () => {
    const { body } = await operationWith({
      requestBody: {
        description: 'D',
        required: true,
        content: {
          'application/xml': { schema: { type: 'string' } },
          'application/json; charset=utf-8': {
            schema: { type: 'object' },
            examples: { a: { value: { x: 1 } } },
          },
          'text/plain': null,
        },
      },
    });
    expect(body).toMatchObject({
      description: 'D',
      required: true,
      contents: [
        { mediaType: 'application/xml' },
        {
          mediaType: 'application/json; charset=utf-8',
          schema: { value: { type: 'object' } },
          example: { x: 1 },
        },
      ],
    });
  });

  test('can be referred to', async () => {
    const given = { components: { requestBodies: { B: { content: { 'text/plain': {} } } } } };
    const { body } = await operationWith({ requestBody: { $ref: '#/components/requestBodies/B' } }, given);
    expect(body).toMatchObject({
      required: false,
      contents: [{ mediaType: 'text/plain', schema: undefined }],
    });
    expect(await readFirst({ paths: { '/x': { post: { requestBody: { $ref: '#/no' } } } } })).toEqual({
      key: 'POST /x',
      refused: 'its body cannot be read: "#/no" cannot be resolved',
    });
  });

  test.each([[null], [{}], [{ content: {} }], [{ content: 5 }], ['x']])('%j is none', async (requestBody) => {
    expect((await operationWith({ requestBody })).body).toBeUndefined();
  });

  test('a type that is none is JSON', async () => {
    const requestBody = { content: { json: { schema: {} } } };
    expect((await operationWith({ requestBody })).body?.contents[0]?.mediaType).toBe('application/json');
    expect(await notesOf({ paths: { '/x': { post: { requestBody } } } })).toEqual([
      '"json" is not a media type; it is treated as application/json',
    ]);
  });

  test('encodings say how properties are written', async () => {
    const encoding = JSON.parse(
      '{"a":{"contentType":"image/png","headers":{"X-A":{"schema":{"const":"v"}},"X-B":{"schema":{"enum":[5]}},"X-C":{"schema":{}}}},"b":{"style":"deepObject"},"__proto__":{"explode":false},"d":5}',
    ) as object;
    const { body } = await operationWith({
      requestBody: { content: { 'multipart/form-data': { schema: {}, encoding } } },
    });
    expect(Object.entries(body?.contents[0]?.encoding ?? {})).toEqual([
      ['a', { contentType: 'image/png', style: undefined, headers: { 'X-A': 'v', 'X-B': '5' } }],
      [
        'b',
        {
          contentType: undefined,
          style: { style: 'deepObject', explode: true, allowReserved: false },
          headers: {},
        },
      ],
      [
        '__proto__',
        {
          contentType: undefined,
          style: { style: 'form', explode: false, allowReserved: false },
          headers: {},
        },
      ],
    ]);
  });

  test('a stream is a list of what it is made of', async () => {
    const requestBody = { content: { 'application/jsonl': { itemSchema: { type: 'integer' } } } };
    const { body } = await operationWith({ requestBody }, { openapi: '3.2.0' });
    expect(body?.contents[0]?.schema?.value).toEqual({ type: 'array', items: { type: 'integer' } });
  });

  test('answers that cannot be read are left out', async () => {
    const { responses } = await operationWith(
      {
        responses: {
          200: { $ref: '#/components/responses/Ok' },
          404: { $ref: '#/no' },
          default: 5,
          'x-y': {},
        },
      },
      {
        components: {
          responses: { Ok: { description: 'OK', content: { 'application/json': { schema: {} } } } },
        },
      },
    );
    expect(responses).toMatchObject([
      { status: '200', description: 'OK', contents: [{ mediaType: 'application/json' }] },
      { status: 'default', description: undefined, contents: [] },
    ]);
  });
});
