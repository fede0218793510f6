/** Documents designed to cost as much as possible. */
type Json = Readonly<Record<string, unknown>>;

const info = { title: 'Hostile', version: '1' };
const responses = { 200: { description: 'ok' } };

/** An object with this number of members. */
export function many<TValue>(
  count: number,
  entry: (index: number) => readonly [string, TValue],
): Record<string, TValue> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)));
}

function body(schema: Json): Json {
  return { content: { 'application/json': { schema } } };
}

/** One operation with a value as its argument, and the components of its schema. */
function taking(schema: Json, components: Json = {}): Json {
  const post = { operationId: 'take', requestBody: body(schema), responses };
  return { openapi: '3.1.0', info, paths: { '/take': { post } }, components };
}

const ref = (name: number | string): Json => ({ $ref: `#/components/schemas/S${name}` });
const CONDITIONS = ['not', 'if', 'then', 'else'];
const member = (schema: Json): Json => ({ type: 'object', properties: { value: schema } });

/** Cyclic references, and references that double the size with each step. */
export const CYCLES: Readonly<Record<string, () => Json>> = {
  'a schema that is itself': () => taking(ref(0), { schemas: { S0: ref(0) } }),
  'two schemas that are each other': () => taking(member(ref(0)), { schemas: { S0: ref(1), S1: ref(0) } }),
  'a schema that is a part of itself': () => taking(ref(0), { schemas: { S0: { allOf: [ref(0), ref(0)] } } }),
  'a schema that is not itself': () =>
    taking(ref(0), { schemas: { S0: many(4, (index) => [CONDITIONS[index] ?? '', ref(0)]) } }),
  'a schema with itself everywhere': () => {
    const own = ref(0);
    return taking(member(own), {
      schemas: {
        S0: {
          unevaluatedProperties: own,
          unevaluatedItems: own,
          propertyNames: own,
          contains: own,
          contentSchema: own,
          dependentSchemas: { a: own },
          patternProperties: { a: own },
          additionalProperties: own,
          prefixItems: [own, own],
          items: own,
        },
      },
    });
  },
  'a schema with itself at the sides': () =>
    taking(member(ref(0)), { schemas: { S0: { unevaluatedProperties: ref(0), unevaluatedItems: ref(0) } } }),
  'a dynamic schema': () =>
    taking(member({ $dynamicRef: '#a' }), {
      schemas: { S0: { $dynamicAnchor: 'a', anyOf: [{ $dynamicRef: '#a' }, { $dynamicRef: '#a' }] } },
    }),
  'a body that is itself': () => ({
    ...taking({}),
    paths: { '/a': { post: { requestBody: { $ref: '#/components/requestBodies/B' } } } },
    components: { requestBodies: { B: { $ref: '#/components/requestBodies/B' } } },
  }),
  'parameters that are each other': () => ({
    ...taking({}),
    paths: { '/a': { get: { parameters: [{ $ref: '#/components/parameters/A' }] } } },
    components: {
      parameters: { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } },
    },
  }),
  'paths that are each other': () => ({
    ...taking({}),
    paths: { '/a': { $ref: '#/paths/~1b' }, '/b': { $ref: '#/paths/~1a' }, '/c': { $ref: '#' } },
  }),
  'responses that are each other': () => ({
    ...taking({}),
    paths: { '/a': { get: { responses: { 200: { $ref: '#/paths/~1a/get/responses/200' } } } } },
  }),
  'a document as its own schema': () => taking({ $ref: '#' }),
  'a schema above itself': () =>
    taking({ $ref: '#/paths/~1take/post/requestBody/content/application~1json' }),
  'a chain of references': () =>
    taking(ref(0), { schemas: { ...many(50_000, (index) => [`S${index}`, ref(index + 1)]), S50000: {} } }),
  'parts that double': () =>
    taking(ref(0), {
      schemas: many(60, (index) => [
        `S${index}`,
        { allOf: [ref(index + 1), ref(index + 1), ref(index + 1)] },
      ]),
    }),
  'alternatives that double': () =>
    taking(member(ref(0)), {
      schemas: many(60, (index) => [
        `S${index}`,
        { oneOf: [ref(index + 1), ref(index + 1)], anyOf: [ref(index + 1)] },
      ]),
    }),
  'members that double': () =>
    taking(ref(0), {
      schemas: many(60, (index) => [
        `S${index}`,
        { type: 'object', properties: { a: ref(index + 1), b: ref(index + 1) } },
      ]),
    }),
};

/** Many items of one kind: the cost must not be quadratic. */
export const CROWDS: Readonly<Record<string, (count: number) => Json>> = {
  'parameters of one name': (count) => ({
    ...taking({}),
    paths: {
      '/a': {
        get: {
          parameters: Array.from({ length: count }, (_, index) => ({
            name: `!${String.fromCodePoint(0x4e_00 + index)}`,
            in: 'query',
          })),
        },
      },
    },
  }),
  'names in a path': (count) => ({
    ...taking({}),
    paths: { [`/${Array.from({ length: count }, (_, index) => `{p${index}}`).join('/')}`]: { get: {} } },
  }),
  'media types that are none': (count) => ({
    ...taking({}),
    paths: { '/a': { post: { requestBody: { content: many(count, (index) => [`m${index}`, {}]) } } } },
  }),
  'types that are none': (count) =>
    taking({
      type: 'array',
      items: { properties: many(count, (index) => [`p${index}`, { type: `t${index}` }]) },
    }),
  'patterns that are slow': (count) =>
    taking({
      type: 'object',
      properties: many(count, (index) => [`p${index}`, { pattern: `(a+)+${index}$` }]),
    }),
  'patterns that are fast': (count) =>
    taking({
      type: 'object',
      properties: many(count, (index) => [
        `p${index}`,
        { pattern: `^[a-z]{1,${index % 1000}}-${index}(?:x|y)?$` },
      ]),
    }),
  'definitions of one name': (count) =>
    taking(
      {
        type: 'object',
        properties: many(count, (index) => [`p${index}`, { $ref: `#/components/x-a/${index}/schema` }]),
      },
      { 'x-a': many(count, (index) => [String(index), { schema: member({ type: 'string' }) }]) },
    ),
  'values of an enumeration': (count) =>
    taking({
      type: 'object',
      properties: { a: { enum: Array.from({ length: count }, (_, index) => `v${index}`) } },
    }),
  tags: (count) => ({
    ...taking({}),
    paths: { '/a': { get: { tags: Array.from({ length: count }, (_, index) => `tag ${index}`) } } },
  }),
  servers: (count) => ({
    ...taking({}),
    servers: Array.from({ length: count }, (_, index) => ({ url: `https://{v${index}}.example.com` })),
  }),
  'alternatives of credentials': (count) => ({
    ...taking({}),
    security: Array.from({ length: count }, (_, index) => ({ [`s${index}`]: [] })),
    components: {
      securitySchemes: many(count, (index) => [`s${index}`, { type: 'http', scheme: 'bearer' }]),
    },
  }),
};

/** A large part that many operations refer to, which each of them could repeat. */
export const SHARED: Readonly<Record<string, (count: number) => Json>> = {
  'a long text': (count) =>
    sharing(count, { description: `a\u200B`.repeat(count * 50), schema: { type: 'string' } }),
  'an enumeration': (count) =>
    sharing(count, { schema: { enum: Array.from({ length: count * 5 }, (_, index) => `v${index}`) } }),
  'a large schema': (count) =>
    sharing(count, { schema: { type: 'object', properties: many(count * 5, (index) => [`p${index}`, {}]) } }),
  'a large body': (count) => ({
    ...taking({}),
    paths: many(count, (index) => [
      `/a/${index}`,
      { post: { requestBody: { $ref: '#/components/requestBodies/B' } } },
    ]),
    components: {
      requestBodies: {
        B: body({ type: 'object', properties: many(count * 5, (index) => [`p${index}`, {}]) }),
      },
    },
  }),
  parameters: (count) =>
    repeating(count, {
      parameters: Array.from({ length: count }, (_, index) => ({ name: `p${index}`, in: 'query' })),
      get: {},
    }),
  tags: (count) =>
    repeating(count, { get: { tags: Array.from({ length: count * 2 }, (_, index) => `tag ${index}`) } }),
  extensions: (count) => repeating(count, { get: {}, ...many(count * 5, (index) => [`x-${index}`, index]) }),
  responses: (count) =>
    repeating(count, {
      get: { responses: { 200: { content: many(count * 5, (index) => [`application/x${index}`, {}]) } } },
    }),
  servers: (count) => ({
    ...repeating(count, { get: {} }),
    servers: Array.from({ length: count * 5 }, (_, index) => ({ url: `https://{v${index}}.example.com` })),
  }),
  credentials: (count) => ({
    ...repeating(count, { get: {} }),
    security: Array.from({ length: count }, (_, index) => ({ [`s${index}`]: [] })),
    components: {
      securitySchemes: many(count, (index) => [`s${index}`, { type: 'http', scheme: 'bearer' }]),
    },
  }),
};

/** Operations with one shared parameter. */
function sharing(count: number, parameter: Json): Json {
  const paths = many(count, (index) => [
    `/a/${index}`,
    { get: { parameters: [{ $ref: '#/components/parameters/P' }] } },
  ]);
  const components = { parameters: { P: { name: 'p', in: 'query', ...parameter } } };
  return { openapi: '3.1.0', info, paths, components };
}

/** Identical paths. */
function repeating(count: number, item: Json): Json {
  const paths = many(count, (index) => [`/a/${index}`, index === 0 ? item : { $ref: '#/paths/~1a~10' }]);
  return { openapi: '3.1.0', info, paths };
}

/** Operations; every fifth has the name of another. */
export function operations(count: number): Json {
  const paths = many(count, (index) => [
    `/things/${index}/{id}`,
    {
      get: {
        operationId: index % 5 === 0 ? 'same' : `thing${index}`,
        summary: 'Gets a thing',
        tags: [`tag ${index % 20}`],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        ],
        responses,
      },
    },
  ]);
  return { openapi: '3.1.0', info, paths };
}

/** Schemas that all refer to each other, and operations that use them. */
export function connected(takers: number, count: number): Json {
  const schemas = many(count, (index) => [
    `S${index}`,
    member({ anyOf: [ref((index + 1) % count), { type: 'array', items: ref((index * 7 + 3) % count) }] }),
  ]);
  const paths = many(takers, (index) => [
    `/take/${index}`,
    { post: { requestBody: body(ref(index % count)), responses } },
  ]);
  return { openapi: '3.1.0', info, paths, components: { schemas } };
}

/** Operations with schemas and texts of their own, up to this size. */
export function large(bytes: number): Json {
  const words = 'It does what it says, and says what it does. '.repeat(25);
  const one = (index: number): readonly [Json, Json] => [
    {
      post: {
        operationId: `thing${index}`,
        tags: [`tag ${index % 20}`],
        summary: 'Does something',
        description: words,
        parameters: [
          { name: 'id', in: 'path', required: true, description: words, schema: { type: 'string' } },
          { name: 'limit', in: 'query', description: words, schema: { type: 'integer', maximum: 100 } },
        ],
        requestBody: body(ref(index)),
        responses: { 200: { description: words, ...body(ref(index)) } },
      },
    },
    {
      type: 'object',
      description: words,
      properties: {
        id: { type: 'integer', format: 'int64' },
        name: { type: 'string', description: words, example: 'a thing' },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
        parent: ref(Math.floor(index / 2)),
      },
      required: ['id'],
    },
  ];
  const count = Math.ceil(bytes / JSON.stringify(one(1000)).length);
  return {
    openapi: '3.0.3',
    info,
    paths: many(count, (index) => [`/things/${index}/{id}`, one(index)[0]]),
    components: { schemas: many(count, (index) => [`S${index}`, one(index)[1]]) },
  };
}
