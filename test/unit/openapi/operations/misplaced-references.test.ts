import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { AnyToolDefinition } from '../../../../src/index.ts';
import type { OpenApiImport } from '../../../../src/openapi.ts';
import { aDocument, BASE, importOf, inputOf, toolOf } from '../import/support.ts';
import type { Json } from '../import/support.ts';

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const LIMIT = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const BODY = {
  required: true,
  content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
};

const resolved = (what: string): string =>
  `${what}: a reference, which OpenAPI does not allow there; it is resolved`;

async function reported(
  document: Json,
): Promise<{ args: string[]; notes: readonly string[]; all: readonly string[] }> {
  const { tools, report } = await importOf(document);
  const [operation] = report.operations;
  expect(report.operations.map(({ outcome, reason }) => [outcome, reason])).toEqual([['tool', undefined]]);
  const [tool] = tools as readonly AnyToolDefinition[];
  if (tool === undefined) throw new Error('there is no tool');
  const args = Object.keys(inputOf(tool)['properties'] ?? {});
  return { args, notes: operation?.notes ?? [], all: report.notes };
}

async function refusalOf(
  document: Json,
): Promise<readonly (readonly [string, string, string | undefined])[]> {
  const { report } = await importOf(document);
  const others = report.operations.filter(({ key }) => key !== 'GET /ok');
  return others.map(({ key, outcome, reason }) => [key, outcome, reason] as const);
}

describe('a reference that OpenAPI does not allow is resolved, with a note', () => {
  test('an operation', async () => {
    const document = aDocument({
      paths: { '/pets/{id}': { put: { $ref: '#/x-operations/put' } } },
      'x-operations': { put: { operationId: 'putPet', parameters: [ID, LIMIT], requestBody: BODY } },
    });
    expect(await reported(document)).toEqual({
      args: ['id', 'limit', 'name'],
      notes: [resolved('the operation')],
      all: [],
    });
    expect(await toolOf(document)).toMatchObject({ name: 'putPet' });
  });

  test('members beside the reference to an operation win', async () => {
    const document = aDocument({
      paths: { '/pets/{id}': { get: { $ref: '#/x-operations/get', operationId: 'mine' } } },
      'x-operations': { get: { operationId: 'theirs', parameters: [ID] } },
    });
    expect(await toolOf(document)).toMatchObject({ name: 'mine' });
  });

  test.each([
    ['of the operation', { get: { parameters: { $ref: '#/x-lists/both' } } }],
    ['of the path', { parameters: { $ref: '#/x-lists/both' }, get: {} }],
  ])('all parameters %s', async (_where, item) => {
    const document = aDocument({ paths: { '/pets/{id}': item }, 'x-lists': { both: [ID, LIMIT] } });
    expect(await reported(document)).toEqual({
      args: ['id', 'limit'],
      notes: [resolved('parameters')],
      all: [],
    });
  });

  test('a list of parameters within a list', async () => {
    const parameters = [{ $ref: '#/x-lists/pages' }, ID];
    const document = aDocument({
      paths: { '/pets/{id}': { get: { parameters } } },
      'x-lists': { pages: [LIMIT] },
    });
    expect(await reported(document)).toEqual({
      args: ['id', 'limit'],
      notes: [
        'a parameter: a reference to an array, which OpenAPI does not allow there; all its entries are used',
      ],
      all: [],
    });
  });

  test('content of a body', async () => {
    const requestBody = { required: true, content: { $ref: '#/x-contents/pet' } };
    const document = aDocument({
      paths: { '/pets': { post: { requestBody } } },
      'x-contents': { pet: BODY.content },
    });
    expect(await reported(document)).toEqual({ args: ['name'], notes: [resolved('content')], all: [] });
  });

  test('all paths, with others beside them', async () => {
    const document = aDocument({
      paths: { $ref: '#/x-paths', '/shops': { get: {} } },
      'x-paths': { '/pets/{id}': { get: { parameters: [ID] } } },
    });
    const { report } = await importOf(document);
    expect(report.operations.map(({ key, outcome }) => [key, outcome])).toEqual([
      ['GET /pets/{id}', 'tool'],
      ['GET /shops', 'tool'],
    ]);
    expect(report.notes).toEqual([resolved('paths')]);
  });

  test('servers, security and tags of the document and of operations', async () => {
    const document = aDocument({
      paths: {
        '/a': { get: { tags: { $ref: '#/x-tags' }, security: { $ref: '#/x-security' } } },
        '/b': { get: { servers: [{ $ref: '#/x-servers/0' }] } },
      },
      servers: { $ref: '#/x-servers' },
      components: { securitySchemes: { $ref: '#/x-schemes' } },
      'x-tags': ['pets'],
      'x-security': [{ key: [] }],
      'x-servers': [{ url: 'https://api.example' }],
      'x-schemes': { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    });
    const { report, tools } = await fromOpenAPI(document);
    expect(report.operations.map(({ key, outcome, notes }) => [key, outcome, notes])).toEqual([
      ['GET /a', 'tool', [resolved('security'), resolved('tags')]],
      ['GET /b', 'tool', [resolved('an entry of servers')]],
    ]);
    expect(report.operations[0]?.missingCredentials).toHaveLength(1);
    expect(report.notes).toEqual([resolved('servers'), resolved('components.securitySchemes')]);
    expect((tools[0] as AnyToolDefinition & { tags?: readonly string[] }).tags).toEqual(['pets']);
  });

  test('responses: the output schema is known', async () => {
    const schema = { type: 'object', properties: { id: { type: 'integer' } } };
    const document = aDocument({
      paths: { '/pets': { get: { responses: { $ref: '#/x-responses' } } } },
      'x-responses': { 200: { description: 'A pet', content: { 'application/json': { schema } } } },
    });
    const { tools, report } = await importOf(document, { outputSchemas: true });
    expect(report.operations[0]?.notes).toEqual([resolved('responses')]);
    expect((tools[0] as AnyToolDefinition).outputSchema).toBeDefined();
  });
});

describe('in several files', () => {
  function write(files: Readonly<Record<string, Json | readonly Json[]>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-refs-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, 'openapi.json');
  }

  const load = (file: string): Promise<OpenApiImport> => fromOpenAPI(file, BASE);

  test('an operation: what it refers to starts from its own file', async () => {
    const file = write({
      'openapi.json': aDocument({ paths: { '/pets': { post: { $ref: 'post.json' } } } }),
      'post.json': {
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: 'pet.json' } } } },
      },
      'pet.json': { type: 'object', properties: { name: { type: 'string' } } },
    });
    const { tools, report } = await load(file);
    expect(report.operations[0]?.notes).toEqual([resolved('the operation')]);
    expect(inputOf(tools[0] as AnyToolDefinition)['properties']).toEqual({ name: { type: 'string' } });
  });

  test('all schemas of the components', async () => {
    const requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } };
    const file = write({
      'openapi.json': aDocument({
        paths: { '/pets': { post: { requestBody } } },
        components: { schemas: { $ref: 'schemas.json' } },
      }),
      'schemas.json': {
        Pet: { type: 'object', properties: { name: { $ref: '#/Name' } } },
        Name: { type: 'string' },
      },
    });
    const { tools, report } = await load(file);
    expect(report.operations[0]?.notes).toEqual([]);
    expect(report.notes).toEqual([resolved('components.schemas')]);
    expect(inputOf(tools[0] as AnyToolDefinition)['properties']).toMatchObject({ name: {} });
    expect(JSON.stringify(inputOf(tools[0] as AnyToolDefinition))).toContain('"type":"string"');
  });
});

describe('a reference that leads nowhere is refused, with a reason', () => {
  test.each([
    [
      'an operation',
      { get: { $ref: '#/x/none' } },
      'the operation cannot be read: "#/x/none" cannot be resolved',
    ],
    [
      'a circle',
      { get: { $ref: '#/paths/~1pets/get' } },
      'the operation cannot be read: "#/paths/~1pets/get" refers to itself',
    ],
    [
      'parameters',
      { get: { parameters: { $ref: '#/x/none' } } },
      'parameters cannot be read: "#/x/none" cannot be resolved',
    ],
    [
      'no list',
      { get: { parameters: { $ref: '#/info' } } },
      'parameters cannot be read: the target of the reference is not an array',
    ],
    [
      'security',
      { get: { security: { $ref: '#/x/none' } } },
      'security cannot be read: "#/x/none" cannot be resolved',
    ],
    [
      'content',
      { get: { requestBody: { content: { $ref: '#/x/none' } } } },
      'content cannot be read: "#/x/none" cannot be resolved',
    ],
    [
      'all media types',
      { get: { requestBody: { content: { 'application/json': { $ref: '#/x/none' } } } } },
      'its body cannot be read: none of its media types can',
    ],
  ])('%s', async (_what, item, reason) => {
    expect(await refusalOf(aDocument({ paths: { '/pets': item, '/ok': { get: {} } } }))).toEqual([
      ['GET /pets', 'refused', reason],
    ]);
  });

  test('a list of parameters that contains itself', async () => {
    const document = aDocument({
      paths: { '/pets': { get: { parameters: [{ $ref: '#/x-list' }] } }, '/ok': { get: {} } },
      'x-list': [{ $ref: '#/x-list' }],
    });
    expect(await refusalOf(document)).toEqual([['GET /pets', 'refused', 'a parameter is not an object']]);
  });

  test('all paths', async () => {
    await expect(importOf(aDocument({ paths: { $ref: '#/x/none' } }))).rejects.toThrow(
      'No operation of "Pets" can be imported. paths: paths cannot be read: "#/x/none" cannot be resolved',
    );
  });

  test('but not for responses: calls do not depend on them', async () => {
    const document = aDocument({ paths: { '/pets': { get: { responses: { $ref: '#/x/none' } } } } });
    expect(await reported(document)).toEqual({
      args: [],
      notes: ['responses cannot be read: "#/x/none" cannot be resolved'],
      all: [],
    });
  });

  test('schemas behind a reference to itself lead nowhere', async () => {
    const requestBody = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } };
    const document = aDocument({
      paths: { '/pets': { post: { requestBody } } },
      components: { schemas: { $ref: '#/components/schemas' } },
    });
    const { report } = await importOf(document);
    expect(report.operations[0]?.notes).toEqual([
      'a schema has an unresolved reference: "#/components/schemas/Pet" leads nowhere; any value is accepted there',
    ]);
  });
});
