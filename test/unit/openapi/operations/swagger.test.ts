import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../../src/openapi/model/operation.ts';
import { notesOf, operationOf, readFirst } from './reading.ts';
import type { Json } from '../import/support.ts';

function read(operation: Json, given: Json = {}, path = '/x'): Promise<Operation> {
  return operationOf({ swagger: '2.0', paths: { [path]: { post: operation } }, ...given });
}

describe('parameters of Swagger 2.0', () => {
  test.each([
    ['query', undefined, ['form', false]],
    ['query', 'csv', ['form', false]],
    ['query', 'multi', ['form', true]],
    ['query', 'ssv', ['spaceDelimited', false]],
    ['query', 'tsv', ['tabDelimited', false]],
    ['query', 'pipes', ['pipeDelimited', false]],
    ['query', 'constructor', ['form', false]],
    ['path', 'csv', ['simple', false]],
    ['path', 'multi', ['simple', false]],
    ['path', 'pipes', ['pipeDelimited', false]],
    ['header', 'ssv', ['spaceDelimited', false]],
  ])('in %s with collectionFormat %s', async (place, collectionFormat, expected) => {
    const { parameters } = await read(
      { parameters: [{ name: 'p', in: place, type: 'array', items: { type: 'string' }, collectionFormat }] },
      {},
      '/{p}',
    );
    const found = parameters.find((each) => each.in === place);
    expect([found?.style, found?.explode]).toEqual(expected);
  });

  test('have a schema of the members beside their name', async () => {
    const { parameters } = await read({
      parameters: [
        {
          name: 'p',
          in: 'query',
          description: 'D',
          required: true,
          type: 'integer',
          minimum: 1,
          default: 5,
          allowEmptyValue: true,
          'x-example': 7,
        },
        { name: 'q', in: 'query', schema: { type: 'boolean' } },
      ],
    });
    expect(parameters).toMatchObject([
      {
        name: 'p',
        description: 'D',
        required: true,
        schema: { value: { type: 'integer', minimum: 1, default: 5 } },
        example: 7,
      },
      { name: 'q', schema: { value: { type: 'boolean' } } },
    ]);
    expect(Object.keys(parameters[0]?.schema?.value as object)).toEqual(['type', 'minimum', 'default']);
  });

  test('can be shared by reference and by the path', async () => {
    const { parameters, body } = await operationOf({
      swagger: '2.0',
      parameters: {
        limit: { name: 'limit', in: 'query', type: 'integer' },
        pet: { name: 'pet', in: 'body', required: true, schema: { type: 'object' } },
      },
      paths: {
        '/x': {
          parameters: [{ $ref: '#/parameters/limit' }, { name: 'a', in: 'query', type: 'string' }],
          post: { parameters: [{ $ref: '#/parameters/pet' }, { name: 'a', in: 'query', type: 'integer' }] },
        },
      },
    });
    expect(parameters.map(({ name, schema }) => [name, schema?.value])).toEqual([
      ['limit', { type: 'integer' }],
      ['a', { type: 'integer' }],
    ]);
    expect(body).toMatchObject({ required: true, contents: [{ mediaType: 'application/json' }] });
  });

  test.each([
    [{ name: 'a', in: 'cookie' }, 'the parameter "a" has an unknown location: in is "cookie"'],
    [{ name: 'a' }, 'the parameter "a" has no location: set "in" to path, query, header, body or formData'],
    [5, 'a parameter is not an object'],
  ])('that are %j cost the operation', async (parameter, refused) => {
    expect(
      await readFirst({ swagger: '2.0', paths: { '/x': { get: { parameters: [parameter] } } } }),
    ).toEqual({
      key: 'GET /x',
      refused,
    });
  });

  test('that no argument can provide are left out', async () => {
    const parameters = [{ in: 'query' }, { name: 'Content-Type', in: 'header', type: 'string' }];
    expect(await notesOf({ swagger: '2.0', paths: { '/x': { get: { parameters } } } })).toEqual([
      'a parameter without a name is left out',
      'the header Content-Type is not an argument: it is set automatically, or cannot be sent',
    ]);
  });
});

describe('bodies of Swagger 2.0', () => {
  const pet = {
    name: 'pet',
    in: 'body',
    description: 'D',
    required: true,
    schema: { $ref: '#/definitions/Pet' },
  };

  test('are a parameter, of the types that the operation or the document takes', async () => {
    const types = async (operation: Json, given: Json = {}): Promise<unknown> =>
      (await read({ parameters: [pet], ...operation }, given)).body?.contents.map(
        ({ mediaType }) => mediaType,
      );
    expect(await types({})).toEqual(['application/json']);
    expect(await types({}, { consumes: ['application/xml'] })).toEqual(['application/xml']);
    expect(
      await types({ consumes: ['application/json', 5, 'x'] }, { consumes: ['application/xml'] }),
    ).toEqual(['application/json']);
    expect(await types({ consumes: [] }, { consumes: ['application/xml'] })).toEqual(['application/json']);
    expect((await read({ parameters: [pet] })).body).toMatchObject({
      description: 'D',
      required: true,
      contents: [{ schema: { value: { $ref: '#/definitions/Pet' } } }],
    });
  });

  test('of an operation win over that of its path', async () => {
    const { body } = await operationOf({
      swagger: '2.0',
      paths: {
        '/x': { parameters: [{ ...pet, name: 'other', description: 'path' }], post: { parameters: [pet] } },
      },
    });
    expect(body?.description).toBe('D');
  });

  test('are a form of fields', async () => {
    const parameters = JSON.parse(
      '[{"name":"a","in":"formData","type":"string","description":"A","required":true},{"name":"b","in":"formData","type":"array","items":{"type":"string"},"collectionFormat":"multi"},{"name":"__proto__","in":"formData","type":"integer"},{"in":"formData","type":"string"}]',
    ) as unknown[];
    const { body, parameters: others } = await read({ parameters });
    expect(others).toEqual([]);
    expect(body).toMatchObject({
      required: true,
      contents: [{ mediaType: 'application/x-www-form-urlencoded' }],
    });
    expect(JSON.stringify(body?.contents[0]?.schema?.value)).toBe(
      '{"type":"object","properties":{"a":{"type":"string","description":"A"},"b":{"type":"array","items":{"type":"string"}},"__proto__":{"type":"integer"}},"required":["a"]}',
    );
    expect(body?.contents[0]?.encoding['b']).toEqual({
      contentType: undefined,
      style: { style: 'form', explode: true, allowReserved: false },
      headers: {},
    });
  });

  test.each([
    [[], ['multipart/form-data']],
    [['application/x-www-form-urlencoded'], ['multipart/form-data']],
    [['application/x-www-form-urlencoded', 'multipart/form-data'], ['multipart/form-data']],
    [['application/json'], ['multipart/form-data']],
  ])('with a file, where %j is taken, are %j', async (consumes, expected) => {
    const parameters = [{ name: 'f', in: 'formData', type: 'file' }];
    const { body } = await read({ parameters, consumes });
    expect(body?.contents.map(({ mediaType }) => mediaType)).toEqual(expected);
  });

  test('without a file are what is taken', async () => {
    const parameters = [{ name: 'f', in: 'formData', type: 'string' }];
    const consumes = ['multipart/form-data', 'application/json'];
    const { body } = await read({ parameters, consumes });
    expect(body?.contents.map(({ mediaType }) => mediaType)).toEqual(['multipart/form-data']);
  });
});

describe('answers of Swagger 2.0', () => {
  test('have the types that the operation or the document makes', async () => {
    const responses = {
      200: { description: 'OK', schema: { type: 'file' } },
      204: { description: 'Nothing' },
      'x-y': 1,
    };
    expect((await read({ responses, produces: ['image/png'] })).responses).toMatchObject([
      { status: '200', contents: [{ mediaType: 'image/png', schema: { value: { type: 'file' } } }] },
      { status: '204', contents: [] },
    ]);
    expect((await read({ responses }, { produces: ['a/b', 'c/d'] })).responses[0]?.contents.length).toBe(2);
    expect((await read({ responses: { 200: { $ref: '#/responses/no' } } })).responses).toEqual([]);
  });
});

describe('servers of Swagger 2.0', () => {
  test.each([
    [
      { host: 'api.example', basePath: '/v1', schemes: ['http', 'https'] },
      ['https://api.example/v1', 'http://api.example/v1'],
    ],
    [{ host: 'api.example' }, ['//api.example/']],
    [{ host: 'api.example', schemes: ['ws'] }, ['//api.example/']],
    [{ host: 'api.example', basePath: 'v1', schemes: ['HTTP'] }, ['http://api.example/v1']],
    [{ host: 'https://api.example/', basePath: '/v1', schemes: ['https'] }, ['https://api.example/v1']],
    [{ basePath: '/v1' }, ['/v1']],
    [{}, ['/']],
    [{ host: 5, basePath: 5, schemes: 5 }, ['/']],
  ])('of %j', async (given, expected) => {
    expect((await read({}, given)).servers.map(({ url }) => url)).toEqual(expected);
  });

  test('an operation can have schemes of its own', async () => {
    const { servers } = await read({ schemes: ['http'] }, { host: 'api.example', schemes: ['https'] });
    expect(servers.map(({ url }) => url)).toEqual(['http://api.example/']);
  });
});
