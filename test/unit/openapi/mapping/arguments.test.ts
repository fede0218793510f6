import { describe, expect, test } from 'vitest';
import { ToolRegistry } from '../../../../src/index.ts';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import type { AnyToolDefinition, McpCallToolResult } from '../../../../src/index.ts';
import { check, importOf, reportOf, schemaOf, toolOf, useApi, withOperation } from '../import/support.ts';
import type { Json } from '../import/support.ts';

const api = useApi();

function withParameters(parameters: readonly Json[], path = '/pets'): Json {
  return withOperation({ operationId: 'getPets', parameters }, {}, ['get', path]);
}

function query(name: string, schema: unknown = { type: 'string' }, more: Json = {}): Json {
  return { name, in: 'query', schema, ...more };
}

async function call(document: Json, args: Json, options: OpenApiOptions = {}): Promise<McpCallToolResult> {
  const registry = new ToolRegistry();
  const { tools } = await fromOpenAPI(document, { ...api.options, ...options, registry });
  const [tool] = tools as readonly AnyToolDefinition[];
  return registry.executeTool({ name: tool?.name ?? '', arguments: args });
}

/** The request line of a call. */
async function lineOf(document: Json, args: Json, options: OpenApiOptions = {}): Promise<string> {
  const result = await call(document, args, options);
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  return api.arrived.at(-1)?.line ?? '';
}

async function namesOf(document: Json, options: OpenApiOptions = {}): Promise<readonly string[]> {
  return Object.keys((await schemaOf(document, options))['properties'] as object);
}

describe('names of arguments', () => {
  const names = ['filter[status]', '$top', 'a.b-c_d', '__proto__', 'x'.repeat(80), '\u540d', 'constructor'];
  const parameters = names.map((name) => query(name));

  test('consist of characters that all model vendors accept', async () => {
    const [bracket, dollar, plain, proto, long, chinese, inherited] = await namesOf(
      withParameters(parameters),
    );
    expect([bracket, dollar, plain, proto, chinese, inherited]).toEqual([
      'filter_status',
      'top',
      'a.b-c_d',
      '__proto___',
      'argument',
      'constructor_',
    ]);
    expect(long).toMatch(/^x{40,}_\w+$/);
    expect(long?.length).toBe(64);
  });

  test('or exactly those of the document', async () => {
    expect(await namesOf(withParameters(parameters), { argumentNames: 'exact' })).toEqual(names);
  });

  test('and what is sent has the name of the document', async () => {
    expect(await lineOf(withParameters([query('filter[status]')]), { filter_status: 'a' })).toBe(
      'GET /pets?filter%5Bstatus%5D=a',
    );
    const exact = { argumentNames: 'exact' } as const;
    expect(
      await lineOf(withParameters([query('__proto__')]), JSON.parse('{"__proto__":"a"}') as Json, exact),
    ).toBe('GET /pets?__proto__=a');
  });

  test('that become equal are made unique', async () => {
    expect(await namesOf(withParameters([query('a[b]'), query('a_b'), query('a(b)')]))).toEqual([
      'a_b',
      'query_a_b',
      'query_a_b_2',
    ]);
    const many = Array.from({ length: 900 }, (_, index) => query(String.fromCodePoint(0x4e00 + index)));
    expect(new Set(await namesOf(withParameters(many))).size).toBe(900);
    const same = [{ name: 'a', in: 'path' }, query('a'), query('query_a'), { name: 'query_a', in: 'header' }];
    expect(await namesOf(withParameters(same, '/{a}'), { argumentNames: 'exact' })).toEqual([
      'a',
      'query_a',
      'query_query_a',
      'header_query_a',
    ]);
  });

  test('with a reserved meaning are not used for arguments', async () => {
    const document = withParameters([query('continue_from'), query('confirmation_token')]);
    expect(await namesOf(document)).toEqual(['query_continue_from', 'confirmation_token']);
    expect(await lineOf(document, { query_continue_from: '5' })).toBe('GET /pets?continue_from=5');
    const post = withOperation({ parameters: [query('confirmation_token')] }, {}, ['post', '/pets']);
    expect(await namesOf(post, { override: () => ({ confirm: 'preview' }) })).toEqual([
      'query_confirmation_token',
    ]);
  });
});

describe('arguments', () => {
  test('are described by the parameter, else by its schema', async () => {
    const document = withParameters([
      query('a', { type: 'string', description: 'schema' }, { description: 'parameter' }),
      query('b', { type: 'string', description: 'schema' }, { deprecated: true, example: 'Rex' }),
      query('c', undefined),
      query('d', { enum: ['x'], default: 'x' }, { example: 'y' }),
    ]);
    expect(await schemaOf(document)).toEqual({
      type: 'object',
      properties: {
        a: { description: 'parameter', type: 'string' },
        b: { description: 'Deprecated. schema', type: 'string', deprecated: true, examples: ['Rex'] },
        c: { type: 'string' },
        d: { enum: ['x'], default: 'x' },
      },
    });
  });

  test('that are required and can only be one thing, or have a default, need not be given', async () => {
    const document = withParameters(
      [
        query('version', { type: 'string', enum: ['v1'] }, { required: true }),
        query('limit', { type: 'integer', default: 10 }, { required: true }),
        query('kind', { const: 'x' }, { required: true }),
        query('open', { type: 'boolean', enum: [true] }),
        query('bad', { type: 'integer', default: 'many' }, { required: true }),
        query('off', { type: 'string', enum: ['a', 'b'], default: 'c' }, { required: true }),
        query('no', { type: 'string', default: null }, { required: true }),
      ],
      '/pets',
    );
    expect((await schemaOf(document))['required']).toEqual(['bad', 'off', 'no']);
    expect(await lineOf(document, { bad: 1, off: 'a', no: 'n' })).toBe(
      'GET /pets?version=v1&limit=10&kind=x&bad=1&off=a&no=n',
    );
    expect(await lineOf(document, { bad: 1, off: 'a', no: 'n', limit: 5 })).toContain('limit=5');
  });

  test('that are unknown are rejected, with suggestions', async () => {
    const tool = await toolOf(withParameters([query('limit'), query('offset')]));
    expect(await check(tool, { limt: '5' })).toEqual([
      'limt is unknown. Did you mean "limit"? Known: limit, offset.',
    ]);
    expect(await check(await toolOf(withParameters([])), { a: 1 })).toEqual([
      'a is unknown. The tool takes no arguments.',
    ]);
  });

  test('are checked; "exactly one" is not taken at its word', async () => {
    const schema = { oneOf: [{ type: 'integer' }, { type: 'number' }] };
    const tool = await toolOf(
      withParameters([query('a', schema), query('b', { type: 'integer', minimum: 3 }, { required: true })]),
    );
    expect(await check(tool, { a: 5, b: 3 })).toEqual([]);
    expect(await check(tool, { b: 1 })).toEqual(['b must be >= 3']);
    expect(await check(tool, {})).toEqual(['b is required']);
  });

  test('that every object has are there only if they are sent', async () => {
    const body = {
      properties: {
        owner: {
          type: 'object',
          properties: { toString: { type: 'string' }, constructor: { type: 'string' } },
        },
      },
    };
    const document = withOperation(
      { requestBody: { content: { 'application/json': { schema: body } } } },
      {},
      ['post', '/x'],
    );
    expect(await check(await toolOf(document), { owner: {} })).toEqual([]);
  });
});

describe('overrides of arguments', () => {
  const document = withParameters(
    [
      { name: 'id', in: 'path', description: 'The id', schema: { type: 'string' } },
      query('id'),
      query('limit', { type: 'integer' }),
      { name: 'X-Trace', in: 'header' },
    ],
    '/pets/{id}',
  );
  const override = (args: Json): OpenApiOptions => ({ overrides: { getPets: { arguments: args as never } } });

  test('rename', async () => {
    const options = override({
      'query.id': { name: 'filter', description: 'F' },
      'x-trace': { name: 'trace' },
    });
    expect(await namesOf(document, options)).toEqual(['id', 'filter', 'limit', 'trace']);
    expect(await lineOf(document, { id: 'p', filter: 'q', trace: 't' }, options)).toBe('GET /pets/p?id=q');
    expect(api.arrived.at(-1)?.headers['x-trace']).toBe('t');
    expect(await schemaOf(document, options)).toMatchObject({ properties: { filter: { description: 'F' } } });
  });

  test('describe without anything hidden', async () => {
    expect(
      await schemaOf(document, override({ 'path.id': { description: 'a\u202Eb\u200B' } })),
    ).toMatchObject({
      properties: { id: { description: 'ab' } },
    });
  });

  test('hide, and fill in', async () => {
    const options = override({
      limit: { hidden: true, default: 7 },
      'path.id': { fixed: 'me' },
      'query.id': { hidden: true },
    });
    expect(await namesOf(document, options)).toEqual(['X-Trace']);
    expect((await schemaOf(document, options))['required']).toBeUndefined();
    expect(await lineOf(document, {}, options)).toBe('GET /pets/me?limit=7');
    const result = await call(document, { id: 'x', limit: 1 }, options);
    expect(JSON.stringify(result)).toContain('is unknown');
  });

  test('give a default, and require', async () => {
    const options = override({
      limit: { default: 5 },
      'query.id': { required: true },
      'path.id': { required: false },
    });
    const schema = await schemaOf(document, options);
    expect(schema).toMatchObject({
      properties: { limit: { type: 'integer', default: 5 } },
      required: ['id', 'query_id'],
    });
    expect(await lineOf(document, { id: 'a', query_id: 'b' }, options)).toBe('GET /pets/a?id=b&limit=5');
  });

  test('keep secrets out of messages', async () => {
    const options = override({ 'query.id': { secret: true } });
    const tool = await toolOf(document, options);
    expect(tool.secrets).toEqual(['query_id']);
    api.answer = { status: 500, body: '{}' };
    const failed = await call(document, { id: 'a', query_id: 'hunter2hunter2', limit: 'no' }, options);
    api.answer = {};
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed)).not.toContain('hunter2');
  });

  test.each<[Json, string]>([
    [
      { 'path.id': { hidden: true } },
      'The argument "id" of GET /pets/{id} is required, but hidden. Give it a default or a fixed value.',
    ],
    [{ limit: { name: 'id' } }, 'Two arguments of GET /pets/{id} have the name "id". Rename one of them.'],
    [
      { limit: { name: 'x' }, 'query.id': { name: 'x' } },
      'Two arguments of GET /pets/{id} have the name "x". Rename one of them.',
    ],
    [
      { limit: { name: 'continue_from' } },
      'Invalid argument name "continue_from" of GET /pets/{id}: the name is reserved. Use another one.',
    ],
    [{ limit: { name: ' ' } }, 'An argument of GET /pets/{id} has an empty name. Rename it.'],
  ])('%j costs the operation', async (args, reason) => {
    const both = { ...document, paths: { ...(document['paths'] as object), '/ok': { get: {} } } };
    expect(await reportOf(both, override(args), 'GET /pets/{id}')).toMatchObject({
      outcome: 'refused',
      reason,
    });
  });

  test('that fit nothing are refused; those of a function for all operations are noted', async () => {
    const wrong = override({ lmit: { hidden: true } });
    await expect(fromOpenAPI(document, { baseUrl: 'https://a.example', ...wrong })).rejects.toMatchObject({
      message:
        'overrides: GET /pets/{id} has no argument "lmit". Did you mean "limit"? It has: id, limit, X-Trace.',
      reason: 'unknown-argument',
      option: 'overrides',
      path: ['getPets', 'arguments', 'lmit'],
      expected: ['limit'],
    });
    const [one] = Object.values(wrong.overrides ?? {});
    expect((await reportOf(document, { override: () => one }, 'GET /pets/{id}')).notes).toEqual([
      'overrides: unknown argument "lmit"',
    ]);
  });

  test('of a whole body go by "body"', async () => {
    const post = withOperation(
      {
        operationId: 'getPets',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'array', items: {} } } },
        },
      },
      {},
      ['post', '/pets'],
    );
    expect(await namesOf(post, override({ body: { name: 'pets' } }))).toEqual(['pets']);
    const { report } = await importOf(post, override({ body: { fixed: [1] } }));
    expect(report.operations).toMatchObject([{ outcome: 'tool' }]);
    await call(post, {}, override({ body: { fixed: [1] } }));
    expect(api.arrived.at(-1)?.body).toBe('[1]');
  });
});
