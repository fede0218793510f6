import { describe, expect, test } from 'vitest';
import type { AnyToolDefinition } from '../../../../src/index.ts';
import { ToolRegistry } from '../../../../src/index.ts';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import type { Json } from '../import/support.ts';

/** Parts that operations share are converted once; each tool must still match its own operation. */
const PET = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, kind: { $ref: '#/components/schemas/Kind' } },
};
const PICTURE = { type: 'object', properties: { picture: { type: 'string', format: 'binary' } } };
const KIND = { type: 'object', properties: { legs: { type: 'integer' } } };
const PAGE = {
  name: 'page',
  in: 'query',
  description: 'Which page.',
  schema: { type: 'integer', default: 1 },
};

function bodyOf(schema: unknown, required = true): Json {
  return { required, content: { 'application/json': { schema } } };
}

const ref = (name: string): Json => ({ $ref: `#/components/${name}` });

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/c': {
      post: {
        operationId: 'both',
        parameters: [{ name: 'name', in: 'query', schema: { type: 'boolean' } }],
        requestBody: bodyOf(ref('schemas/Pet')),
      },
    },
    '/a': { post: { operationId: 'add', requestBody: bodyOf(ref('schemas/Pet')) } },
    '/b': { post: { operationId: 'try', requestBody: bodyOf(ref('schemas/Pet'), false) } },
    '/b2': {
      post: {
        operationId: 'either',
        requestBody: {
          content: {
            'application/json': { schema: ref('schemas/Pet') },
            'multipart/form-data': { schema: PICTURE },
          },
        },
      },
    },
    '/d': { get: { operationId: 'list', parameters: [ref('parameters/page')] } },
    '/e': { get: { operationId: 'again', parameters: [ref('parameters/page')] } },
    '/f': {
      post: {
        operationId: 'form',
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: ref('schemas/Pet') } } },
      },
    },
  },
  components: { schemas: { Pet: PET, Kind: KIND }, parameters: { page: PAGE } },
};

async function schemasOf(options: OpenApiOptions = {}): Promise<Readonly<Record<string, unknown>>> {
  const registry = new ToolRegistry();
  await fromOpenAPI(structuredClone(DOCUMENT), { ...options, registry });
  return Object.fromEntries(registry.listTools().map(({ name, inputSchema }) => [name, inputSchema]));
}

const $defs = { Kind: { type: 'object', properties: { legs: { type: 'integer' } } } };
const kind = { $ref: '#/$defs/Kind' };
const page = { description: 'Which page.', type: 'integer', default: 1 };

interface Shown {
  readonly inputSchema: { readonly properties: { readonly page: { readonly description: string } } };
}

describe('operations that share their arguments', () => {
  test('ask for them each in its own way', async () => {
    const schemas = await schemasOf();
    expect(schemas['add']).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, kind },
      required: ['name'],
      $defs,
    });
    const conditional = { type: 'string', description: '(Required if a body is sent.)' };
    expect(schemas['try']).toEqual({ type: 'object', properties: { name: conditional, kind }, $defs });
    expect(schemas['both']).toEqual({
      type: 'object',
      properties: { name: { type: 'boolean' }, body_name: { type: 'string' }, kind },
      required: ['body_name'],
      $defs,
    });
    expect(schemas['either']).toMatchObject({ properties: { name: { type: 'string' }, kind } });
    expect(schemas['either']).not.toHaveProperty('properties.name.description');
    expect(schemas['form']).toEqual({ type: 'object', properties: { name: conditional, kind }, $defs });
    expect(schemas['list']).toEqual({ type: 'object', properties: { page } });
    expect(schemas['again']).toEqual({ type: 'object', properties: { page } });
  });

  test('and what is wanted of one of them is not said of the others', async () => {
    const schemas = await schemasOf({
      overrides: {
        add: { arguments: { name: { description: 'Its name.', default: 'Rex' }, kind: { hidden: true } } },
        list: { arguments: { page: { name: 'number', description: 'From 1.', required: true } } },
      },
    });
    expect(schemas['add']).toEqual({
      type: 'object',
      properties: { name: { description: 'Its name.', type: 'string', default: 'Rex' } },
    });
    expect(schemas['list']).toEqual({
      type: 'object',
      properties: { number: { ...page, description: 'From 1.' } },
      required: ['number'],
    });
    expect(schemas['again']).toEqual({ type: 'object', properties: { page } });
    expect(schemas['both']).toMatchObject({ required: ['body_name'] });
  });

  test('of two imports, each has its own', async () => {
    const document = structuredClone(DOCUMENT);
    const short = await fromOpenAPI(document, { maxArgumentDescription: 8 });
    document.components.parameters.page.description = 'Another one.';
    const long = await fromOpenAPI(document);
    const descriptions = [short, long].map(({ tools }) => {
      const registry = new ToolRegistry();
      registry.registerAll(tools as readonly AnyToolDefinition[]);
      const list = registry.listTools().find(({ name }) => name === 'list');
      return (list as unknown as Shown).inputSchema.properties.page.description;
    });
    expect(descriptions).toEqual(['Which\u2026', 'Another one.']);
  });
});
