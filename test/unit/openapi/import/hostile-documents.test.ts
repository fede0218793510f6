import '../../../support/fast-check.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ToolRegistry, ToolwrightError } from '../../../../src/index.ts';
import type { AnyToolDefinition } from '../../../../src/index.ts';
import { ajvCompiler } from '../../../../src/json-schema.ts';
import { check, importOf, inputOf, outputOf } from './support.ts';

/** Names with a meaning elsewhere. */
const NAMES = [
  'a',
  'b',
  'id',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '$ref',
  '$id',
  'default',
  'type',
  'then',
  'a b',
  'a/b~c',
  'filter[x]',
  '\u540d',
  'continue_from',
  'action',
  '',
];
const name = fc.constantFrom(...NAMES);

const REFERENCES = [
  '#/components/schemas/A',
  '#/components/schemas/B',
  '#/components/schemas/C',
  '#/components/schemas/__proto__',
  '#/components/schemas/A/properties/a',
  '#/components/schemas/B/allOf/0',
  '#/definitions/A',
  '#/definitions/B',
  '#/paths/~1x/post/requestBody/content/application~1json/schema',
  '#/nowhere',
  '#anchor',
  '#',
  'other.yaml#/A',
  'https://example.com/schema',
  'urn:x',
  '//[',
  'A',
  '%',
  '',
];
const reference = fc.constantFrom(...REFERENCES);

const garbage = fc.constantFrom(
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  'true',
  '7',
  'x',
  [],
  {},
  [null],
  [1, 'a', null],
  [[]],
  { $ref: 5 },
  { $ref: '#/components/schemas/A' },
  { $id: 'https://example.com/schema' },
);

const types = fc.constantFrom(
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
  'file',
  'Object',
  'any',
  'date',
  ['string', 'null'],
  ['string', 'string'],
  ['array', 5],
);

const patterns = fc.constantFrom(
  '^a$',
  '(a+)+$',
  '(?i)x',
  '\\p{L}',
  '[',
  '^\\/v1',
  '\\-',
  '(?<n>a)\\k<n>',
  '',
);

interface Generated {
  readonly schema: unknown;
  readonly node: Record<string, unknown>;
}

const { schema, node } = fc.letrec<Generated>((tie) => {
  const inner = tie('schema');
  const list = fc.array(inner, { maxLength: 3 });
  const named = fc.dictionary(name, inner, { maxKeys: 3 });
  const mostly = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: garbage });
  const member = fc.oneof(
    fc.record({ type: mostly(types) }),
    fc.record({ properties: mostly(named) }),
    fc.record({ required: mostly(fc.array(name, { maxLength: 3 })) }),
    fc.record({ items: mostly(fc.oneof(inner, list)) }),
    fc.record({ prefixItems: mostly(list) }),
    fc.record({ allOf: mostly(list) }),
    fc.record({ anyOf: mostly(list) }),
    fc.record({ oneOf: mostly(list) }),
    fc.record({ not: mostly(inner) }),
    fc.record({ if: mostly(inner) }),
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    fc.record({ then: mostly(inner) }),
    fc.record({ else: mostly(inner) }),
    fc.record({ contains: mostly(inner) }),
    fc.record({ additionalProperties: mostly(inner) }),
    fc.record({ unevaluatedProperties: mostly(inner) }),
    fc.record({ unevaluatedItems: mostly(inner) }),
    fc.record({ propertyNames: mostly(inner) }),
    fc.record({ patternProperties: mostly(fc.dictionary(patterns, inner, { maxKeys: 2 })) }),
    fc.record({ dependentRequired: mostly(fc.dictionary(name, fc.array(name), { maxKeys: 2 })) }),
    fc.record({ dependentSchemas: mostly(named) }),
    fc.record({ $ref: mostly(reference) }),
    fc.record({ $dynamicRef: mostly(reference) }),
    fc.record({ $recursiveRef: mostly(reference) }),
    fc.record({ $id: mostly(fc.constantFrom('https://example.com/schema', 'x', '#anchor')) }),
    fc.record({ $anchor: mostly(fc.constant('anchor')) }),
    fc.record({ $dynamicAnchor: mostly(fc.constant('anchor')) }),
    fc.record({ enum: mostly(fc.array(garbage)) }),
    fc.record({ const: garbage }),
    fc.record({ default: garbage }),
    fc.record({ example: garbage }),
    fc.record({ examples: garbage }),
    fc.record({ pattern: mostly(patterns) }),
    fc.record({ format: mostly(fc.constantFrom('binary', 'int32', 'date-time', 'x')) }),
    fc.record({ nullable: mostly(fc.boolean()) }),
    fc.record({ readOnly: mostly(fc.boolean()) }),
    fc.record({ writeOnly: mostly(fc.boolean()) }),
    fc.record({
      discriminator: mostly(fc.record({ propertyName: name, mapping: fc.dictionary(name, reference) })),
    }),
    fc.constantFrom<Record<string, unknown>>(
      { minimum: '1', exclusiveMinimum: true },
      { maximum: null, exclusiveMaximum: 5 },
      { multipleOf: 0, minLength: -1, maxItems: 1.5 },
      { uniqueItems: 'yes', deprecated: 'yes', title: 5, description: '\u202Ehi' },
      { contentEncoding: 'base64', contentMediaType: 'image/png' },
    ),
  ) as fc.Arbitrary<Record<string, unknown>>;
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 2, arbitrary: fc.record({ $ref: reference }) },
      { weight: 1, arbitrary: garbage },
      { weight: 8, arbitrary: tie('node') },
    ),
    node: fc
      .array(member, { minLength: 1, maxLength: 4 })
      .map((members) => Object.fromEntries(members.flatMap((each) => Object.entries(each)))),
  };
});

const parameter = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        name,
        in: fc.constantFrom(
          'path',
          'query',
          'header',
          'cookie',
          'querystring',
          'body',
          'formData',
          'nowhere',
          5,
        ),
        required: garbage,
        schema,
        type: types,
        style: fc.constantFrom('deepObject', 'matrix', 5, undefined),
        collectionFormat: fc.constantFrom('multi', 'csv', 'pipes', 5, undefined),
        content: fc.oneof(
          garbage,
          fc.dictionary(fc.constantFrom('application/json', '', 'x'), garbage, { maxKeys: 1 }),
        ),
      },
      { requiredKeys: ['name', 'in'] },
    ),
  },
  { weight: 1, arbitrary: garbage },
);

const media = fc.constantFrom(
  'application/json',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'application/xml',
  'text/plain',
  'application/octet-stream',
  '*/*',
  'nonsense',
  '',
);
const content = fc.dictionary(
  media,
  fc.oneof(fc.record({ schema, encoding: garbage }, { requiredKeys: [] }), garbage),
  {
    maxKeys: 3,
  },
);

const operation = fc.record(
  {
    operationId: fc.oneof(name, garbage),
    tags: fc.oneof(fc.array(name, { maxLength: 2 }), garbage),
    parameters: fc.oneof(
      { weight: 5, arbitrary: fc.array(parameter, { maxLength: 4 }) },
      { weight: 1, arbitrary: garbage },
    ),
    requestBody: fc.oneof(fc.record({ required: garbage, content }), garbage),
    responses: fc.oneof(
      fc.record({ 200: fc.oneof(fc.record({ content }), garbage, fc.record({ schema })) }),
      garbage,
    ),
    security: garbage,
    servers: garbage,
    callbacks: garbage,
    'x-mcp': garbage,
  },
  { requiredKeys: [] },
);

const path = fc.constantFrom(
  '/x',
  '/__proto__',
  '/{id}/{a b}',
  '/{__proto__}',
  '/{}',
  '/{',
  '',
  'x-y',
  '/a#b',
  '/a?b={c}',
);
const item = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(
      fc.constantFrom('get', 'post', 'delete', 'query', 'parameters', 'additionalOperations'),
      operation,
      { minKeys: 1, maxKeys: 3 },
    ),
  },
  { weight: 1, arbitrary: garbage },
);

const version = fc.constantFrom<Record<string, string>>(
  { swagger: '2.0' },
  { openapi: '3.0.3' },
  { openapi: '3.1.0' },
  { openapi: '3.2.0' },
);

const document = fc
  .tuple(
    version,
    fc.dictionary(path, item, { maxKeys: 3 }),
    fc.array(node, { minLength: 4, maxLength: 4 }),
    fc.record(
      {
        info: garbage,
        tags: garbage,
        servers: garbage,
        security: garbage,
        components: garbage,
        host: garbage,
        consumes: garbage,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([said, paths, [a, b, c, d], rest]) => {
    const schemas = Object.fromEntries([
      ['A', a],
      ['B', b],
      ['C', c],
      ['__proto__', d],
    ]);
    return {
      info: { title: 't', version: '1' },
      ...rest,
      ...said,
      paths,
      components: { schemas },
      definitions: schemas,
    };
  });

const VALUES: readonly Record<string, unknown>[] = [
  {},
  { a: 1, b: 'x', id: null },
  { body: { a: { a: { a: [{}] } }, id: '7' } },
  JSON.parse('{"__proto__":{"a":1},"constructor":5,"toString":[]}') as Record<string, unknown>,
];

/** If an import fails, the reason is an error of Toolwright; otherwise everything can be served and called. */
async function expectSound(given: unknown, options: Parameters<typeof importOf>[1]): Promise<number> {
  const imported = await importOf(given, options).catch((error: unknown) => {
    expect(error).toBeInstanceOf(ToolwrightError);
    return undefined;
  });
  if (imported === undefined) return 0;
  JSON.stringify(imported.report);
  const tools = imported.tools as readonly AnyToolDefinition[];
  for (const tool of tools) {
    expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const { properties } = inputOf(tool) as { properties: object };
    for (const argument of Object.keys(properties)) expect(argument).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
    outputOf(tool);
    for (const value of VALUES) await check(tool, value);
  }
  const registry = new ToolRegistry({ jsonSchemaCompiler: ajvCompiler() });
  registry.registerAll(tools);
  registry.listTools();
  for (const tool of tools) {
    // Nothing is sent, but there is always a result.
    const signal = AbortSignal.abort();
    await registry.executeTool({ name: tool.name, arguments: {}, signal });
  }
  return tools.length;
}

describe('whatever a document says', () => {
  test('it is imported or refused, and every schema is valid', { timeout: 120_000 }, async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(document, fc.boolean(), async (given, outputSchemas) => {
        count += await expectSound(given, { outputSchemas });
      }),
      { numRuns: 200 },
    );
    // Most of it is invalid, but not all.
    expect(count).toBeGreaterThan(50);
  });

  test('schemas of bodies are valid, and come to an end', { timeout: 120_000 }, async () => {
    const body = fc.tuple(version, schema, fc.array(node, { minLength: 4, maxLength: 4 }), media);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(body, async ([said, root, [a, b, c, d], type]) => {
        const schemas = Object.fromEntries([
          ['A', a],
          ['B', b],
          ['C', c],
          ['__proto__', d],
        ]);
        const isOld = 'swagger' in said;
        const post = isOld
          ? { consumes: [type], parameters: [{ in: 'body', name: 'b', required: true, schema: root }] }
          : { requestBody: { required: true, content: { [type]: { schema: root } } } };
        const given = {
          ...said,
          info: { title: 't', version: '1' },
          paths: { '/x': { post } },
          components: { schemas },
          definitions: schemas,
        };
        count += await expectSound(given, {});
      }),
      { numRuns: 300 },
    );
    expect(count).toBeGreaterThan(100);
  });
});
