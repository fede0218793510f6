/**
 * A server over HTTP from an OpenAPI document whose operations are at `UPSTREAM`: values in every location and style, and a path that
 * accepts anything.
 */
import { serveHttp } from 'toolwright/http';
import { OpenAPIServer } from 'toolwright/openapi';

const text = { type: 'string' };
const list = { type: 'array', items: text };
const object = { type: 'object', properties: { a: text, b: text } };

/** Styles of a value in a path, a query, a header or a cookie, by the name of the operation. */
const STYLES = {
  simple: { in: 'path', schema: text },
  label: { in: 'path', style: 'label', schema: text },
  matrix: { in: 'path', style: 'matrix', schema: text },
  reserved: { in: 'path', allowReserved: true, schema: text },
  json: { in: 'path', content: { 'application/json': { schema: text } } },
  spanning: { in: 'path', 'x-multi-segment': true, schema: text },
  greedy: { in: 'path', schema: text },
  simple_list: { in: 'path', schema: list },
  label_list: { in: 'path', style: 'label', explode: true, schema: list },
  matrix_list: { in: 'path', style: 'matrix', explode: true, schema: list },
  simple_object: { in: 'path', explode: true, schema: object },
  label_object: { in: 'path', style: 'label', schema: object },
  matrix_object: { in: 'path', style: 'matrix', explode: true, schema: object },
  form: { in: 'query', schema: text },
  form_reserved: { in: 'query', allowReserved: true, schema: text },
  form_list: { in: 'query', schema: list },
  pipes: { in: 'query', style: 'pipeDelimited', explode: false, schema: list },
  spaces: { in: 'query', style: 'spaceDelimited', explode: false, schema: list },
  deep: { in: 'query', style: 'deepObject', schema: object },
  json_query: { in: 'query', content: { 'application/json': { schema: object } } },
  header: { in: 'header', schema: text },
  header_list: { in: 'header', schema: list },
  header_json: { in: 'header', content: { 'application/json': { schema: text } } },
  cookie: { in: 'cookie', schema: text },
  cookie_list: { in: 'cookie', schema: list },
};

const paths = {
  '/{what}': {
    get: {
      operationId: 'ask',
      parameters: [{ name: 'what', in: 'path', required: true, schema: text }],
    },
    post: {
      operationId: 'ask_soon',
      'x-mcp-timeout-ms': 500,
      parameters: [{ name: 'what', in: 'path', required: true, schema: text }],
    },
  },
};
for (const [name, parameter] of Object.entries(STYLES)) {
  const value = name === 'greedy' ? '{value+}' : '{value}';
  const path = parameter.in === 'path' ? `/api/${name}/${value}/end` : `/api/${name}/end`;
  paths[path] = {
    get: {
      operationId: name,
      parameters: [{ name: 'value', required: true, ...parameter }],
      responses: { 200: { description: 'ok' } },
    },
  };
}
// Two values in one segment, and one in a query that is part of the path.
const two = ['one', 'two'].map((name) => ({ name, in: 'path', required: true, schema: text }));
paths['/api/joined/{one}.{two}/end'] = { get: { operationId: 'joined', parameters: two } };
paths['/api/written/end?one={one}&two={two}'] = { get: { operationId: 'written', parameters: two } };

// Integers of 64 bits in a path and in a body, and a body that is expensive to check.
const int64 = { type: 'integer', format: 'int64' };
const body = (schema) => ({ required: true, content: { 'application/json': { schema } } });
paths['/users/{id}'] = {
  delete: {
    operationId: 'remove_user',
    parameters: [{ name: 'id', in: 'path', required: true, schema: int64 }],
  },
};
paths['/users'] = {
  get: {
    operationId: 'get_user',
    responses: {
      200: {
        description: 'ok',
        content: { 'application/json': { schema: { type: 'object', properties: { id: int64 } } } },
      },
    },
  },
  post: {
    operationId: 'add_user',
    requestBody: body({
      type: 'object',
      properties: {
        id: int64,
        friends: { type: 'array', items: { type: 'object', properties: { id: int64 } } },
      },
    }),
  },
};
const node = { $ref: '#/components/schemas/Node' };
const step = (title) => ({
  title,
  properties: { next: node },
  required: ['next'],
  unevaluatedProperties: false,
});
const schemas = { Node: { type: 'object', anyOf: [step('a'), step('b')] } };
paths['/trees'] = {
  post: {
    operationId: 'add_tree',
    requestBody: body({ type: 'object', properties: { root: node, mode: { enum: ['safe'] } } }),
  },
};

const { UPSTREAM } = process.env;
const document = {
  openapi: '3.1.0',
  info: { title: 'Imported', version: '1' },
  servers: [{ url: UPSTREAM }],
  paths,
  components: { schemas },
};
const server = await OpenAPIServer.load({
  document,
  rateLimit: false,
  openapi: { outputSchemas: true, outbound: { allowPrivate: ['127.0.0.1'], timeoutMs: 4000 } },
});
const { port } = await serveHttp(server, { port: 0 });
process.send({ port });
