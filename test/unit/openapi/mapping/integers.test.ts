import { afterEach, describe, expect, test } from 'vitest';
import { ToolRegistry } from '../../../../src/index.ts';
import type { AnyToolDefinition, McpCallToolResult } from '../../../../src/index.ts';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import { aDocument, check, inputOf, toolOf, useApi, withBody, withOperation } from '../import/support.ts';
import type { Json } from '../import/support.ts';

const api = useApi();
afterEach(() => {
  api.answer = {};
  api.arrived.length = 0;
});

const int64 = { type: 'integer', format: 'int64' };
/** The result of `JSON.parse` for 9007199254740993. */
const ROUNDED = 9007199254740992;

async function callOf(
  document: Json,
  options: OpenApiOptions = {},
): Promise<(args: Json) => Promise<McpCallToolResult>> {
  const registry = new ToolRegistry();
  const { tools } = await fromOpenAPI(document, { ...api.options, ...options, registry });
  const [tool] = tools as readonly AnyToolDefinition[];
  return (args) => registry.executeTool({ name: tool?.name ?? '', arguments: args });
}

const sentBody = (): string | undefined => api.arrived[0]?.body;
const textOf = ({ content: [block] }: McpCallToolResult): string =>
  block?.type === 'text' ? block.text : '';

function withParameter(parameter: Json, [method, path] = ['delete', '/users']): Json {
  return withOperation(
    { operationId: 'call', parameters: [{ name: 'id', required: true, ...parameter }] },
    {},
    [String(method), String(path)],
  );
}

describe('an integer of 64 bits as a string of digits', () => {
  test('reaches the path of a DELETE as these digits', async () => {
    const call = await callOf(withParameter({ in: 'path', schema: int64 }, ['delete', '/users/{id}']));
    expect((await call({ id: '9007199254740993' })).isError).not.toBe(true);
    expect(api.arrived.map(({ line }) => line)).toEqual(['DELETE /users/9007199254740993']);
  });

  test('is still advertised as an integer', async () => {
    const tool = await toolOf(withParameter({ in: 'query', schema: int64 }));
    expect(inputOf(tool)['properties']).toEqual({ id: int64 });
  });

  test.each([
    ['a query', { in: 'query', schema: int64 }, (sent) => sent.line, 'DELETE /users?id=-9007199254740993'],
    [
      'a list in a query',
      { in: 'query', schema: { type: 'array', items: int64 } },
      (sent) => sent.line,
      'DELETE /users?id=-9007199254740993&id=1',
    ],
    [
      'JSON in a query',
      {
        in: 'query',
        content: { 'application/json': { schema: { type: 'object', properties: { a: int64 } } } },
      },
      (sent) => sent.line,
      'DELETE /users?id=%7B%22a%22%3A-9007199254740993%7D',
    ],
    ['a header', { in: 'header', schema: int64 }, ({ headers }) => headers['id'], '-9007199254740993'],
    ['a cookie', { in: 'cookie', schema: int64 }, ({ headers }) => headers.cookie, 'id=-9007199254740993'],
  ] as readonly (readonly [string, Json, (sent: (typeof api.arrived)[number]) => unknown, string])[])(
    'is sent in %s',
    async (_, parameter, read, expected) => {
      const call = await callOf(withParameter(parameter));
      const id =
        'content' in parameter
          ? { a: '-9007199254740993' }
          : (parameter['schema'] as Json)['type'] === 'array'
            ? ['-9007199254740993', 1]
            : '-9007199254740993';
      expect(textOf(await call({ id }))).toBe('{"ok":true}');
      expect(api.arrived.map(read)).toEqual([expected]);
    },
  );

  test('is a number of a JSON body, at any depth, and other strings stay strings', async () => {
    const schema = {
      type: 'object',
      properties: {
        id: int64,
        name: { type: 'string' },
        note: { type: ['string', 'integer'], format: 'int64' },
        maybe: { type: ['integer', 'null'], format: 'int64' },
        list: { type: 'array', items: { $ref: '#/components/schemas/Ref' } },
        open: { type: 'object', additionalProperties: true },
      },
    };
    const ref = { allOf: [{ type: 'object', properties: { id: { allOf: [int64], minimum: 5 } } }] };
    const call = await callOf(withBody(schema, { Ref: ref }, '3.1.0'));
    const args = {
      id: '9223372036854775807',
      name: '9007199254740993',
      note: '9007199254740993',
      maybe: '-9223372036854775808',
      list: [{ id: '9007199254740995' }, { id: 7 }],
      open: { id: '9007199254740993', text: 'a"b\u2028' },
    };
    expect(textOf(await call(args))).toBe('{"ok":true}');
    expect(sentBody()).toBe(
      Buffer.from(
        '{"id":9223372036854775807,"name":"9007199254740993","note":"9007199254740993","maybe":-9223372036854775808,' +
          '"list":[{"id":9007199254740995},{"id":7}],"open":{"id":"9007199254740993","text":"a\\"b\u2028"}}',
      ).toString('latin1'),
    );
  });

  test('is sent in forms and parts', async () => {
    const schema = { type: 'object', properties: { id: int64 } };
    for (const mediaType of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      api.arrived.length = 0;
      const call = await callOf(
        withOperation({ requestBody: { required: true, content: { [mediaType]: { schema } } } }, {}, [
          'post',
          '/users',
        ]),
      );
      await call({ id: '9007199254740993' });
      expect(sentBody()).toMatch(/(?:^id=|name="id"\r\n\r\n)9007199254740993(?:\r\n|$)/);
    }
  });

  test('is not the same as another one that a double cannot tell from it', async () => {
    const call = await callOf(withBody({ type: 'array', items: int64, uniqueItems: true }));
    await call({ body: ['9007199254740992', '9007199254740993'] });
    expect(sentBody()).toBe('[9007199254740992,9007199254740993]');
  });

  test('belongs to the alternative that has it', async () => {
    const schema = {
      oneOf: [
        { type: 'object', properties: { id: int64 } },
        { type: 'object', properties: { name: { type: 'string' } } },
      ],
    };
    const call = await callOf(withBody(schema));
    await call({ body: { id: '9007199254740993' } });
    expect(sentBody()).toBe('{"id":9007199254740993}');
  });

  test.each([
    ['9223372036854775808', {}, 'id must be in the range of int64'],
    ['-9223372036854775809', {}, 'id must be in the range of int64'],
    ['-1', { format: 'uint64' }, 'id must be in the range of uint64'],
    ['9007199254740993', { maximum: 1000 }, 'id must be <= 1000'],
    ['-9007199254740993', { minimum: 0 }, 'id must be >= 0'],
    ['9007199254740992', { maximum: 9007199254740992 }, undefined],
    ['9007199254740991', { exclusiveMaximum: 9007199254740992 }, undefined],
    ['9007199254740995', { multipleOf: 5 }, undefined],
    ['1', { enum: [1, 2] }, undefined],
    ['2', { const: 1 }, 'id must be equal to constant'],
    ['18446744073709551615', { format: 'uint64' }, undefined],
    ['18446744073709551616', { format: 'uint64' }, 'id must be in the range of uint64'],
    ['9007199254740993', { type: 'number' }, undefined],
    ['9007199254740993', { format: 'int32' }, 'id must be integer'],
    ['007', {}, 'id must be integer'],
    ['-0', {}, 'id must be integer'],
    ['1.0', {}, 'id must be integer'],
    ['1e3', {}, 'id must be integer'],
    ['+1', {}, 'id must be integer'],
    ['1,"admin":true', {}, 'id must be integer'],
    ['', {}, 'id must be integer'],
    ['123456789012345678901', {}, 'id must be integer'],
  ])('%s is held against the schema with %j', async (digits, more, issue) => {
    const document = withOperation(
      { parameters: [{ name: 'id', in: 'query', schema: { ...int64, ...more } }] },
      { openapi: '3.1.0' },
    );
    expect(await check(await toolOf(document), { id: digits })).toEqual(issue === undefined ? [] : [issue]);
  });
});

describe('a number beyond 2^53', () => {
  const beyond = 'is beyond ±9007199254740991, where JSON numbers are rounded, so it is not sent.';

  test('is refused where an integer is meant, and nothing is sent', async () => {
    const call = await callOf(withParameter({ in: 'path', schema: int64 }, ['delete', '/users/{id}']));
    const refused = await call({ id: ROUNDED });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain(`id: ${beyond} Send it as a string of digits`);
    expect(api.arrived).toEqual([]);
  });

  test.each([
    [{ type: 'integer' }, `id ${beyond}`],
    [{ type: ['integer', 'null'], format: 'int64' }, `id ${beyond} Send it as a string of digits`],
    [{ type: 'number', format: 'int64' }, `id ${beyond} Send it as a string of digits`],
    [{ anyOf: [int64, { type: 'boolean' }] }, `id ${beyond} Send it as a string of digits`],
    [{}, `id ${beyond} Send it as a string`],
    [{ type: 'number' }, undefined],
    [{ type: 'number', format: 'double' }, undefined],
  ])('at %j', async (schema, issue) => {
    const document = withOperation(
      { parameters: [{ name: 'id', in: 'query', schema }] },
      { openapi: '3.1.0' },
    );
    const tool = await toolOf(document);
    for (const id of [ROUNDED, -ROUNDED])
      expect(await check(tool, { id })).toEqual(issue === undefined ? [] : [issue]);
    expect(await check(tool, { id: 9007199254740991 })).toEqual([]);
  });

  test('is refused deep in a body, also where nothing describes it', async () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'object' } } } };
    const tool = await toolOf(withBody(schema));
    expect(await check(tool, { list: [{}, { ids: [1, ROUNDED] }] })).toEqual([
      `list.1.ids.1 ${beyond} Send it as a string`,
    ]);
  });

  test('is no default: the document was read by the same rules', async () => {
    const document = withParameter({ in: 'query', schema: { ...int64, default: ROUNDED } });
    const tool = await toolOf(document);
    expect(inputOf(tool)['required']).toEqual(['id']);
    expect(await check(tool, { id: '5' })).toEqual([]);
  });
});

describe('an integer of an answer that a double would round', () => {
  const response = {
    type: 'object',
    properties: { id: int64, list: { type: 'array', items: int64 }, ratio: { type: 'number' } },
  };
  const document = withOperation({
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: response } } } },
  });

  test('has all its digits in the text, and is a string of digits in structured content', async () => {
    api.answer = {
      body: '{"id":9007199254740993,"list":[1,-9223372036854775808],"ratio":0.12345678901234567891}',
    };
    const { content, structuredContent } = await (await callOf(document, { outputSchemas: true }))({});
    expect(content[0]).toEqual({
      type: 'text',
      text: '{"id":9007199254740993,"list":[1,-9223372036854775808],"ratio":0.12345678901234567891}',
    });
    expect(structuredContent).toEqual({
      id: '9007199254740993',
      list: [1, '-9223372036854775808'],
      ratio: 0.12345678901234568,
    });
    // The response matches the document: there is no note about a difference.
    expect(content).toHaveLength(1);
  });

  test('can be used in the next call as it came', async () => {
    const call = await callOf(withParameter({ in: 'path', schema: int64 }, ['delete', '/users/{id}']));
    api.answer = { body: '{"id":9007199254740993}' };
    const read = await (await callOf(document, { outputSchemas: true }))({});
    api.arrived.length = 0;
    await call(read.structuredContent as Json);
    expect(api.arrived.map(({ line }) => line)).toEqual(['DELETE /users/9007199254740993']);
  });
});

test('three tools in the place of many take digits as well', async () => {
  const document = aDocument({
    paths: {
      '/users': {
        post: {
          operationId: 'add',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { type: 'object', properties: { id: int64 } } } },
          },
        },
      },
    },
  });
  const registry = new ToolRegistry();
  await fromOpenAPI(document, { ...api.options, registry, mode: 'dynamic' });
  const invoke = (params: Json): Promise<McpCallToolResult> =>
    registry.executeTool({ name: 'invoke-api-endpoint', arguments: { endpoint: 'add', params } });
  expect(textOf(await invoke({ id: ROUNDED }))).toContain('where JSON numbers are rounded');
  await invoke({ id: '9007199254740993' });
  expect(api.arrived.map(({ body }) => body)).toEqual(['{"id":9007199254740993}']);
});
