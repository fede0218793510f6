import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { AnyToolDefinition } from '../../../../src/index.ts';
import { ToolRegistry } from '../../../../src/index.ts';
import {
  aDocument,
  check,
  inputOf,
  outputOf,
  schemaOf,
  toolOf,
  useApi,
  withBody,
  withOperation,
} from '../import/support.ts';
import type { Json } from '../import/support.ts';

const api = useApi();

/** A document with one operation whose body has these contents. */
function withContents(content: Json, given: Json = {}): Json {
  const {
    required = true,
    openapi = '3.0.3',
    schemas = {},
  } = given as { required?: boolean; openapi?: string; schemas?: Json };
  return withOperation({ requestBody: { required, content } }, { openapi, components: { schemas } }, [
    'post',
    '/pets',
  ]);
}

/** Calls the only tool of a document and returns the request. */
async function send(document: Json, args: Json): Promise<{ type: string | undefined; body: string }> {
  const registry = new ToolRegistry();
  const { tools } = await fromOpenAPI(document, { ...api.options, registry });
  const [tool] = tools as readonly AnyToolDefinition[];
  const result = await registry.executeTool({ name: tool?.name ?? '', arguments: args });
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  const { headers, body } = api.arrived.at(-1) ?? { headers: {}, body: '' };
  return { type: headers['content-type'], body };
}

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

describe('an object is one argument for each of its properties', () => {
  const Base = {
    type: 'object',
    properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
    required: ['id'],
  };

  test.each<[string, unknown, Json, readonly string[]]>([
    [
      'of properties alone',
      { properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
      { a: { type: 'string' }, b: {} },
      ['a'],
    ],
    [
      'of parts',
      {
        allOf: [
          ref('Base'),
          { properties: { tag: { type: 'string' } } },
          { required: ['name', 'id'] },
          { description: 'D' },
          { type: 'object' },
        ],
      },
      { name: { type: 'string' }, tag: { type: 'string' } },
      ['name'],
    ],
    ['of a reference', ref('Base'), { name: { type: 'string' } }, []],
    [
      'of two parts that describe one property',
      { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { maxLength: 3 } } }] },
      { a: { allOf: [{ type: 'string' }, { maxLength: 3 }] } },
      [],
    ],
    ['that is closed', { type: 'object', properties: { a: {} }, additionalProperties: false }, { a: {} }, []],
    ['that asks for what it does not describe', { type: 'object', required: ['a'] }, { a: {} }, ['a']],
    ['whose type is written large', { type: 'Object', properties: { a: {} } }, { a: {} }, []],
    [
      'of a concrete subtype',
      { allOf: [ref('Poly'), { properties: { b: {} } }] },
      { kind: { type: 'string' }, b: {} },
      [],
    ],
  ])('%s', async (_name, schema, properties, required) => {
    const Poly = { properties: { kind: { type: 'string' } }, discriminator: { propertyName: 'kind' } };
    expect(await schemaOf(withBody(schema, { Base, Poly }))).toEqual({
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
    });
  });

  test('from 3.1 on, with what stands beside a reference', async () => {
    const schema = { ...ref('Base'), properties: { tag: {} }, required: ['name'] };
    expect(await schemaOf(withBody(schema, { Base }, '3.1.0'))).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, tag: {} },
      required: ['name'],
    });
    expect(await schemaOf(withBody(schema, { Base }))).toEqual({
      type: 'object',
      properties: { name: { type: 'string' } },
    });
  });

  test('that may be sent or not: then they are needed together', async () => {
    const schema = { properties: { a: { type: 'string', description: 'A.' }, b: {} }, required: ['a', 'b'] };
    const document = withContents({ 'application/json': { schema } }, { required: false });
    expect(await schemaOf(document)).toEqual({
      type: 'object',
      properties: {
        a: { description: 'A. (Required if a body is sent.)', type: 'string' },
        b: { description: '(Required if a body is sent.)' },
      },
    });
    expect(await send(document, {})).toEqual({ type: undefined, body: '' });
    expect(await send(document, { a: '1', b: 2 })).toEqual({
      type: 'application/json',
      body: '{"a":"1","b":2}',
    });
    await expect(send(document, { a: '1' })).rejects.toThrow('b: is missing');
  });

  test('with any names', async () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"a b":{},"\\u540d":{}}',
    ) as Json;
    const document = withBody({ properties });
    expect(Object.keys((await schemaOf(document))['properties'] as object)).toEqual([
      '__proto___',
      'constructor_',
      'a_b',
      'argument',
    ]);
    const { body } = await send(document, { __proto___: 'p', constructor_: 'c', a_b: 1, argument: 2 });
    expect(Buffer.from(body, 'latin1').toString()).toBe(
      '{"__proto__":"p","constructor":"c","a b":1,"\u540d":2}',
    );
  });

  test('that has nothing to give is sent as it is, if it must be there', async () => {
    for (const schema of [
      { type: 'object', additionalProperties: false },
      { properties: { id: { readOnly: true } }, required: ['id'] },
    ]) {
      const document = withBody(schema);
      expect(await schemaOf(document)).toEqual({ type: 'object', properties: {} });
      expect(await send(document, {})).toEqual({ type: 'application/json', body: '{}' });
      const optional = withContents({ 'application/json': { schema } }, { required: false });
      expect(await send(optional, {})).toEqual({ type: undefined, body: '' });
    }
  });
});

describe('everything else is one argument', () => {
  test.each<[string, unknown, Json]>([
    ['a list', { type: 'array', items: { type: 'string' } }, { type: 'array', items: { type: 'string' } }],
    ['a text', { type: 'string' }, { type: 'string' }],
    ['anything', {}, {}],
    ['any object', { type: 'object' }, { type: 'object' }],
    ['an object of which nothing is said', { properties: {} }, {}],
    [
      'an object with further members',
      { properties: { a: {} }, additionalProperties: { type: 'string' } },
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } },
    ],
    [
      'null as well',
      { type: 'object', properties: { a: {} }, nullable: true },
      { type: ['object', 'null'], properties: { a: {} } },
    ],
    [
      'a choice',
      { oneOf: [{ properties: { a: {} } }, { type: 'string' }] },
      { oneOf: [{ type: 'object', properties: { a: {} } }, { type: 'string' }] },
    ],
    [
      'an object with a choice in a part',
      { allOf: [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { properties: { a: {}, b: {} } }] },
      {
        allOf: [
          { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
          { type: 'object', properties: { a: {}, b: {} } },
        ],
      },
    ],
    [
      'an object with a condition',
      { properties: { a: {} }, not: { required: ['b'] } },
      { type: 'object', properties: { a: {} }, not: { required: ['b'] } },
    ],
    ['true', true, {}],
  ])('%s', async (_name, schema, body) => {
    expect(await schemaOf(withBody(schema))).toEqual({
      type: 'object',
      properties: { body },
      required: ['body'],
    });
  });

  test('which is sent as it is', async () => {
    expect(await send(withBody({ type: 'array', items: {} }), { body: [1, 'a'] })).toEqual({
      type: 'application/json',
      body: '[1,"a"]',
    });
    expect(await send(withBody({ type: 'string' }), { body: 'x' })).toEqual({
      type: 'application/json',
      body: '"x"',
    });
    expect(await send(withBody({ type: 'object' }), { body: { a: 1 } })).toEqual({
      type: 'application/json',
      body: '{"a":1}',
    });
  });

  test('parts that lead to each other, and parts without number, come to an end', async () => {
    expect(
      await schemaOf(withBody(ref('A'), { A: { allOf: [ref('A'), { properties: { a: {} } }] } })),
    ).toEqual({
      type: 'object',
      properties: { a: {} },
    });
    const names = Array.from({ length: 60 }, (_, index) => `S${index}`);
    const doubled = Object.fromEntries(
      names.map((name, index) => [
        name,
        index === 59 ? { properties: { a: {} } } : { allOf: [ref(`S${index + 1}`), ref(`S${index + 1}`)] },
      ]),
    );
    expect(await schemaOf(withBody(ref('S0'), doubled))).toEqual({ type: 'object', properties: { a: {} } });
  });
});

describe('names are made unique', () => {
  const parameters = ['path', 'query', 'header', 'cookie'].map((place) => ({
    name: 'id',
    in: place,
    required: true,
    schema: { type: 'string', description: place },
  }));
  const document = withOperation(
    {
      parameters,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { properties: { id: { type: 'integer' }, query_id: {} } } },
        },
      },
    },
    {},
    ['post', '/pets/{id}'],
  );

  test('by where they go', async () => {
    const { properties } = (await schemaOf(document)) as { properties: Json };
    expect(Object.keys(properties)).toEqual([
      'id',
      'query_id',
      'header_id',
      'cookie_id',
      'body_id',
      'body_query_id',
    ]);
    const { body } = await send(document, {
      id: 'p',
      query_id: 'q',
      header_id: 'h',
      cookie_id: 'c',
      body_id: 1,
      body_query_id: 2,
    });
    expect(body).toBe('{"id":1,"query_id":2}');
    expect(api.arrived.at(-1)).toMatchObject({
      line: 'POST /pets/p?id=q',
      headers: { id: 'h', cookie: 'id=c' },
    });
  });

  test('also if a whole body has the name of a parameter', async () => {
    const query = { name: 'body', in: 'query', schema: { type: 'string' } };
    const whole = withOperation(
      {
        parameters: [query],
        requestBody: { content: { 'application/json': { schema: { type: 'array', items: {} } } } },
      },
      {},
      ['post', '/pets'],
    );
    expect(Object.keys((await schemaOf(whole))['properties'] as object)).toEqual(['body', 'request_body']);
  });
});

describe('media types', () => {
  const file = { type: 'string', format: 'binary' };
  const FILE = {
    anyOf: [
      { type: 'string', contentEncoding: 'base64', description: 'The content, as base64' },
      expect.anything(),
    ],
  };

  test('multipart carries files that JSON cannot', async () => {
    const document = withContents({
      'application/json': { schema: { properties: { url: { type: 'string' } }, required: ['url'] } },
      'multipart/form-data': {
        schema: { properties: { photo: file, note: { type: 'string' } }, required: ['photo'] },
      },
    });
    expect(await schemaOf(document)).toEqual({
      type: 'object',
      properties: { url: { type: 'string' }, photo: FILE, note: { type: 'string' } },
    });
    expect(await send(document, { url: 'https://x' })).toEqual({
      type: 'application/json',
      body: '{"url":"https://x"}',
    });
    const { type, body } = await send(document, { photo: Buffer.from('hi').toString('base64') });
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toContain('\r\n\r\nhi\r\n');
    await expect(send(document, {})).rejects.toThrow('url: is missing');
  });

  test('arguments that both require are required', async () => {
    const document = withContents({
      'application/json': { schema: { properties: { name: {}, url: {} }, required: ['name', 'url'] } },
      'multipart/form-data': {
        schema: { properties: { name: {}, photo: file }, required: ['name', 'photo'] },
      },
    });
    expect((await schemaOf(document))['required']).toEqual(['name']);
  });

  test('of one schema with a file, the one that can carry it is sent', async () => {
    const schema = { properties: { photo: file }, required: ['photo'] };
    const document = withContents({ 'application/json': { schema }, 'multipart/form-data': { schema } });
    expect(await schemaOf(document)).toEqual({
      type: 'object',
      properties: { photo: FILE },
      required: ['photo'],
    });
    expect((await send(document, { photo: 'aGk=' })).type).toMatch(/^multipart/);
  });

  test('beside a choice, a form with files is still possible', async () => {
    const document = withContents({
      'application/json': { schema: { oneOf: [{ type: 'string' }, { type: 'object' }] } },
      'multipart/form-data': { schema: { properties: { photo: file } } },
    });
    expect(Object.keys((await schemaOf(document))['properties'] as object)).toEqual(['body', 'photo']);
    expect((await send(document, { body: 'x' })).body).toBe('"x"');
    expect((await send(document, { photo: 'aGk=' })).body).toContain('\r\n\r\nhi\r\n');
  });

  test('bytes beside an object', async () => {
    const document = withContents({
      'application/json': { schema: { properties: { url: {} }, required: ['url'] } },
      'application/octet-stream': { schema: file },
    });
    const schema = await schemaOf(document);
    expect(schema).toMatchObject({
      properties: { url: {}, file: { description: 'The body as application/octet-stream' } },
    });
    expect(schema['required']).toBeUndefined();
    expect(await send(document, { file: 'aGk=' })).toEqual({ type: 'application/octet-stream', body: 'hi' });
    expect((await send(document, { url: 1 })).body).toBe('{"url":1}');
  });

  test('forms, texts, XML and bytes alone', async () => {
    const form = {
      'application/x-www-form-urlencoded': {
        schema: { properties: { a: { type: 'string' }, b: { type: 'array', items: {} } } },
      },
    };
    expect(await send(withContents(form), { a: 'x y', b: [1, 2] })).toEqual({
      type: 'application/x-www-form-urlencoded',
      body: 'a=x+y&b=1&b=2',
    });
    expect(await schemaOf(withContents({ 'text/plain': { schema: { type: 'string' } } }))).toMatchObject({
      properties: { body: { type: 'string', description: 'text/plain' } },
      required: ['body'],
    });
    const xml = withContents({ 'application/xml': { schema: { properties: { a: {} } } } });
    expect(await schemaOf(xml)).toMatchObject({
      properties: { body: { type: 'string', description: 'A document of XML (application/xml)' } },
    });
    expect(await send(xml, { body: '<a/>' })).toEqual({ type: 'application/xml', body: '<a/>' });
    expect(await schemaOf(withContents({ 'image/png': {} }))).toMatchObject({ properties: { body: FILE } });
    expect(await send(withContents({ 'image/png': {} }), { body: 'aGk=' })).toEqual({
      type: 'image/png',
      body: 'hi',
    });
  });

  test('in the configured order', async () => {
    const document = withContents({
      'application/json': { schema: { properties: { a: {} } } },
      'application/xml': { schema: { properties: { a: {} } } },
    });
    const tool = await toolOf(document, { preferredBodies: ['application/xml'] });
    expect(inputOf(tool)).toMatchObject({ properties: { body: { type: 'string' } } });
  });

  test('parts of a multipart body are arguments whatever else is said, so that they can be files', async () => {
    const schema = {
      properties: { photo: file, list: { type: 'array', items: file } },
      additionalProperties: true,
      anyOf: [
        { required: ['photo'] },
        { properties: { url: { type: 'string' } }, required: ['url'] },
        ref('A'),
      ],
    };
    const document = withContents(
      { 'multipart/form-data': { schema } },
      { schemas: { A: { anyOf: [ref('A')] } } },
    );
    expect(await schemaOf(document)).toEqual({
      type: 'object',
      properties: { photo: FILE, list: { type: 'array', items: FILE }, url: { type: 'string' } },
    });
  });

  test.each<[string, unknown, unknown]>([
    [
      'one file or several',
      { anyOf: [file, { type: 'array', items: file }] },
      { type: 'array', items: FILE },
    ],
    ['a file or nothing', { oneOf: [file, { type: 'null' }] }, FILE],
    [
      'a file with something beside it',
      { allOf: [ref('File')], description: 'D' },
      { description: 'D', ...FILE },
    ],
    ['a file or a text', { anyOf: [file, { type: 'string' }] }, { anyOf: [file, { type: 'string' }] }],
  ])('%s', async (_name, schema, expected) => {
    const contents = { 'multipart/form-data': { schema: { properties: { photo: schema } } } };
    const document = withContents(contents, { openapi: '3.1.0', schemas: { File: file } });
    expect((await schemaOf(document))['properties']).toEqual({ photo: expected });
  });

  test('a part whose encoding is that of a file is one', async () => {
    const content = {
      schema: { properties: { photo: {} } },
      encoding: { photo: { contentType: 'image/png' } },
    };
    expect(
      await schemaOf(withContents({ 'multipart/form-data': content }, { openapi: '3.1.0' })),
    ).toMatchObject({
      properties: { photo: FILE },
    });
  });
});

describe('a base that others are built on', () => {
  const Pet = {
    type: 'object',
    properties: { kind: { type: 'string' }, name: { type: 'string' } },
    required: ['kind'],
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  };
  const schemas = {
    Pet,
    Cat: { allOf: [ref('Pet'), { properties: { lives: { type: 'integer' } } }] },
    Dog: { allOf: [ref('Pet'), { properties: { bark: { type: 'string' } } }] },
    Puppy: { allOf: [ref('Dog'), { properties: { age: { type: 'integer' } } }] },
    Rock: { properties: { weight: { type: 'number' } } },
  };

  test('is a choice of all of them', async () => {
    const schema = await schemaOf(withBody(ref('Pet'), schemas));
    expect(schema['properties']).toEqual({
      body: {
        anyOf: [
          { $ref: '#/$defs/Cat', type: 'object', properties: { kind: { const: 'cat' } }, required: ['kind'] },
          { $ref: '#/$defs/Dog', type: 'object', properties: { kind: { const: 'Dog' } }, required: ['kind'] },
          {
            $ref: '#/$defs/Puppy',
            type: 'object',
            properties: { kind: { const: 'Puppy' } },
            required: ['kind'],
          },
          { $ref: '#/$defs/Pet' },
        ],
      },
    });
    expect(Object.keys(schema['$defs'] as object)).toEqual(['Cat', 'Dog', 'Puppy', 'Pet']);
    const tool = await toolOf(withBody(ref('Pet'), schemas));
    expect(await check(tool, { body: { kind: 'cat', lives: 9 } })).toEqual([]);
    expect(await check(tool, { body: { kind: 'other', name: 'x' } })).toEqual([]);
    expect(await check(tool, { body: { name: 'x' } })).not.toEqual([]);
  });

  test('whatever its schemas are called', async () => {
    const odd = {
      Pet: {
        ...Pet,
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: '#/components/schemas/Pet Cat', dog: 'H\u00FCnd' },
        },
      },
      'Pet Cat': { allOf: [ref('Pet'), { properties: { lives: { type: 'integer' } } }] },
      'H\u00FCnd': { allOf: [ref('Pet'), { properties: { bark: { type: 'string' } } }] },
    };
    const schema = await schemaOf(withBody(ref('Pet'), odd));
    expect(schema).toMatchObject({
      properties: {
        body: {
          anyOf: [{ properties: { kind: { const: 'cat' } } }, { properties: { kind: { const: 'dog' } } }, {}],
        },
      },
    });
    expect(Object.keys(schema['$defs'] as object)).toHaveLength(3);
  });

  test('also in a file of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'subtypes-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const mapping = { cat: '#/components/schemas/Cat', dog: 'Dog' };
    const named = { ...schemas, Pet: { ...Pet, discriminator: { propertyName: 'kind', mapping } } };
    writeFileSync(join(folder, 'pets.json'), JSON.stringify({ components: { schemas: named } }));
    const outside = { $ref: 'pets.json#/components/schemas/Pet' };
    writeFileSync(join(folder, 'api.json'), JSON.stringify(withBody(outside)));
    expect(await schemaOf(join(folder, 'api.json'))).toMatchObject({
      properties: {
        body: {
          anyOf: [{ properties: { kind: { const: 'cat' } } }, { properties: { kind: { const: 'dog' } } }, {}],
        },
      },
    });
  });

  test('in Swagger 2.0 as well', async () => {
    const written = JSON.parse(
      JSON.stringify(schemas).replaceAll('components/schemas', 'definitions'),
    ) as Json;
    const definitions = { ...written, Pet: { ...(written['Pet'] as Json), discriminator: 'kind' } };
    const document = {
      swagger: '2.0',
      info: { title: 't', version: '1' },
      paths: {
        '/pets': { post: { parameters: [{ in: 'body', name: 'b', schema: { $ref: '#/definitions/Pet' } }] } },
      },
      definitions,
    };
    expect(await schemaOf(document)).toMatchObject({
      properties: {
        body: { anyOf: [{ properties: { kind: { const: 'Cat' } } }, {}, {}, { $ref: '#/$defs/Pet' }] },
      },
    });
  });

  test('inside a body, by one definition for each choice', async () => {
    const Shop = {
      type: 'object',
      properties: { star: ref('Pet'), pets: { type: 'array', items: ref('Pet') } },
    };
    const schema = await schemaOf(withBody(ref('Shop'), { ...schemas, Shop }));
    expect(schema['properties']).toEqual({
      star: { $ref: '#/$defs/Pet_any' },
      pets: { type: 'array', items: { $ref: '#/$defs/Pet_any' } },
    });
    const definitions = schema['$defs'] as Record<string, { anyOf?: readonly Json[] }>;
    expect(Object.keys(definitions).toSorted()).toEqual(['Cat', 'Dog', 'Pet', 'Pet_any', 'Puppy']);
    expect(definitions['Pet_any']).toEqual({
      anyOf: [
        { $ref: '#/$defs/Cat', type: 'object', properties: { kind: { const: 'cat' } }, required: ['kind'] },
        { $ref: '#/$defs/Dog', type: 'object', properties: { kind: { const: 'Dog' } }, required: ['kind'] },
        {
          $ref: '#/$defs/Puppy',
          type: 'object',
          properties: { kind: { const: 'Puppy' } },
          required: ['kind'],
        },
        { $ref: '#/$defs/Pet' },
      ],
    });
  });

  test('in responses, a base is what it says', async () => {
    const content = { 'application/json': { schema: { type: 'object', properties: { star: ref('Pet') } } } };
    const tool = await toolOf(
      aDocument({
        paths: { '/pets': { get: { responses: { 200: { description: 'D', content } } } } },
        components: { schemas },
      }),
      { outputSchemas: true },
    );
    const output = JSON.stringify(outputOf(tool));
    expect(output).toContain('"star":{"$ref":"#/$defs/Pet"}');
    expect(output).not.toContain('Pet_any');
  });

  test('without subtypes, or with too many, is advertised as it is', async () => {
    const alone = await schemaOf(
      withBody(ref('Pet'), { Pet: { ...Pet, discriminator: { propertyName: 'kind' } } }),
    );
    expect(Object.keys(alone['properties'] as object)).toEqual(['kind', 'name']);
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`S${index}`, { allOf: [ref('Pet')] }]),
    );
    const crowded = await schemaOf(withBody(ref('Pet'), { Pet, ...many }));
    expect(Object.keys(crowded['properties'] as object)).toEqual(['kind', 'name']);
  });
});
