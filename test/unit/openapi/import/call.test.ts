import { afterEach, describe, expect, test } from 'vitest';
import { ErrorHandler } from '../../../../src/collaborators.ts';
import { DefinitionError, jsonSchema, ToolRegistry } from '../../../../src/index.ts';
import { forwardAccessToken, fromOpenAPI } from '../../../../src/openapi.ts';
import { OutboundError } from '../../../../src/outbound/outbound-error.ts';
import { aDocument, useApi, withOperation } from './support.ts';

const api = useApi();
afterEach(() => {
  api.answer = {};
});

const document = aDocument({
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      },
    },
    '/pets': { post: { operationId: 'addPet', security: [{ token: [] }] } },
    '/broken': { $ref: '#/nowhere' },
  },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
});

describe('call', () => {
  test('returns status, headers and the parsed body, by id, key or name of the tool', async () => {
    const pets = await fromOpenAPI(document, { ...api.options, namespace: 'shop' });
    api.answer = { headers: { etag: '"7"' }, body: '{"id":12345678901234567890,"tags":["a"]}' };
    for (const name of ['getPet', 'GET /pets/{id}', 'shop_getPet']) {
      const { status, ok, headers, body } = await pets.call(name, { id: 7 });
      expect({ status, ok, etag: headers.get('etag'), body }).toEqual({
        status: 200,
        ok: true,
        etag: '"7"',
        body: { id: '12345678901234567890', tags: ['a'] },
      });
      expect(api.arrived.at(-1)?.line).toBe('GET /pets/7');
    }
  });

  test('returns responses whole that a tool would cut, and more values than a tool reads', async () => {
    const pets = await fromOpenAPI(document, { ...api.options, maxResponseChars: 1000 });
    api.answer = { body: JSON.stringify(Array.from({ length: 200_000 }, () => 1)) };
    const { body } = await pets.call<number[]>('getPet', { id: 7 });
    expect(body.length).toBe(200_000);
  });

  test('an error status is a response with its body', async () => {
    const pets = await fromOpenAPI(document, api.options);
    api.answer = { status: 404, body: '{"error":{"name":"not_found"}}' };
    expect(await pets.call('getPet', { id: 7 })).toMatchObject({
      status: 404,
      ok: false,
      body: { error: { name: 'not_found' } },
    });
    api.answer = { status: 502, body: '<html>' };
    expect(await pets.call('getPet', { id: 7 })).toMatchObject({ status: 502, body: '<html>' });
  });

  test('texts are strings, bytes are bytes, nothing is undefined', async () => {
    const pets = await fromOpenAPI(document, api.options);
    api.answer = { headers: { 'content-type': 'text/csv' }, body: 'a;b' };
    expect((await pets.call('getPet', { id: 7 })).body).toBe('a;b');
    api.answer = { headers: { 'content-type': 'image/png' }, body: Buffer.from([1, 2, 0]) };
    expect((await pets.call('getPet', { id: 7 })).body).toEqual(Buffer.from([1, 2, 0]));
    api.answer = { status: 204, body: '' };
    expect(await pets.call('getPet', { id: 7 })).toMatchObject({ status: 204, ok: true, body: undefined });
  });

  test('a success whose JSON is broken or too deep is no response', async () => {
    const pets = await fromOpenAPI(document, api.options);
    api.answer = { body: '{"a":' };
    await expect(pets.call('getPet', { id: 7 })).rejects.toMatchObject({
      code: 'UPSTREAM_FAILED',
      message: 'GET /pets/{id}: the JSON of the response is not valid JSON.',
    });
    api.answer = { body: '['.repeat(600) + ']'.repeat(600) };
    await expect(pets.call('getPet', { id: 7 })).rejects.toThrow('nested deeper than 512 levels');
  });

  test('sends the credentials of the caller, and redacts them in the response', async () => {
    const pets = await fromOpenAPI(document, { ...api.options, authProvider: forwardAccessToken() });
    api.answer = { headers: { 'x-echo': 'Bearer token-of-ada' }, body: '{"echo":"token-of-ada"}' };
    const { headers, body } = await pets.call('addPet', {}, { caller: { accessToken: 'token-of-ada' } });
    expect(api.arrived.at(-1)?.headers.authorization).toBe('Bearer token-of-ada');
    expect(JSON.stringify([body, ...headers])).not.toContain('token-of-ada');
    api.answer = { headers: { 'content-type': 'image/png' }, body: Buffer.from('\u0000token-of-ada') };
    await expect(pets.call('addPet', {}, { caller: { accessToken: 'token-of-ada' } })).rejects.toThrow(
      'it contains credentials of the request',
    );
  });

  test('in a handler, the context is the caller', async () => {
    const pets = await fromOpenAPI(document, { ...api.options, authProvider: forwardAccessToken() });
    const registry = new ToolRegistry();
    registry.register({
      name: 'both',
      description: 'Both',
      inputSchema: jsonSchema({ type: 'object' }),
      handler: async ({ context }) => {
        const options = { signal: context.signal, caller: context };
        return (await pets.call('addPet', {}, options)).status;
      },
    });
    await registry.executeTool({ name: 'both', accessToken: 'token-of-eve' });
    expect(api.arrived.at(-1)?.headers.authorization).toBe('Bearer token-of-eve');
  });

  test('invalid arguments are not sent', async () => {
    const pets = await fromOpenAPI(document, api.options);
    const count = api.arrived.length;
    await expect(pets.call('getPet', { id: 'x', ids: 1 })).rejects.toThrow(
      'Invalid arguments for GET /pets/{id}: ids: is unknown. Did you mean "id"? Known: id.; id: must be integer',
    );
    await expect(pets.call('getPet', { id: 'x' })).rejects.toMatchObject({
      code: 'INVALID_DEFINITION',
      findings: [{ reason: 'invalid-option', option: 'args', path: ['id'], message: 'must be integer' }],
    });
    await expect(pets.call('getPet', { id: '../x', continue_from: 'x' })).rejects.toMatchObject({
      findings: [{ path: ['continue_from'] }],
    });
    expect(api.arrived.length).toBe(count);
  });

  test('invalid arguments that a handler built are its mistake: masked for the caller, and logged', async () => {
    const pets = await fromOpenAPI(document, api.options);
    const logged: unknown[] = [];
    const log = (_: string, data?: unknown): void => void logged.push(data);
    const errorHandler = new ErrorHandler({
      logger: { debug: log, info: log, warning: log, error: log },
      createReference: () => 'r1',
    });
    const registry = new ToolRegistry({ errorHandler });
    registry.register({
      name: 'pet',
      description: 'A pet',
      inputSchema: jsonSchema({ type: 'object', properties: { id: { type: 'string' } } }),
      handler: async ({ input }) => (await pets.call('getPet', { id: `pet-${String(input['id'])}` })).status,
    });
    const { content } = await registry.executeTool({ name: 'pet', arguments: { id: 'x' } });
    const text =
      "Tool 'pet' failed unexpectedly. The details are in the server's log under the reference r1.";
    expect(content).toEqual([{ type: 'text', text }]);
    expect(logged).toMatchObject([
      { error: { message: 'Invalid arguments for GET /pets/{id}: id: must be integer' } },
    ]);
  });

  test('a call with something else than a name, arguments or options is refused', async () => {
    const { call } = await fromOpenAPI(document, api.options);
    const anything = call as (...given: unknown[]) => Promise<unknown>;
    await expect(anything(undefined)).rejects.toMatchObject({
      code: 'INVALID_DEFINITION',
      message: 'call: operation is required; expected a string.',
    });
    await expect(anything('getPet', null)).rejects.toThrow('call: args must be an object; received null.');
    await expect(anything('getPet', { id: 7 }, null)).rejects.toThrow(
      'call: options must be an object; received null.',
    );
  });

  test('an unknown operation is an error with the choices, a refused one with the reason', async () => {
    const pets = await fromOpenAPI(document, api.options);
    await expect(pets.call('getPets')).rejects.toMatchObject({
      code: 'INVALID_DEFINITION',
      reason: 'unknown-operation',
      expected: ['getPet'],
      message:
        'call: the document has no operation "getPets". Did you mean "getPet"? Operations: getPet, addPet, /broken.',
    });
    await expect(pets.call('__proto__')).rejects.toBeInstanceOf(DefinitionError);
    await expect(pets.call('/broken')).rejects.toThrow('the reference of the path cannot be resolved');
  });

  test('operations that are not tools can be called', async () => {
    const pets = await fromOpenAPI(document, { ...api.options, includeMethods: ['POST'] });
    expect(pets.tools.length).toBe(1);
    expect((await pets.call('getPet', { id: 7 })).body).toEqual({ ok: true });
  });

  test('private addresses stay out of reach, and an aborted call sends nothing', async () => {
    const closed = await fromOpenAPI(withOperation({ operationId: 'get' }), { baseUrl: api.url });
    const count = api.arrived.length;
    await expect(closed.call('get')).rejects.toBeInstanceOf(OutboundError);
    const pets = await fromOpenAPI(document, api.options);
    const aborted = pets.call('getPet', { id: 7 }, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(api.arrived.length).toBe(count);
  });
});
