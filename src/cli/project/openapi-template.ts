/** The OpenAPI document of the project. Its test replaces this API with a local server. */
export const API_DOCUMENT = `openapi: 3.1.0
info: { title: Todos, version: 1.0.0 }
servers:
  - url: https://api.example.com/v1
paths:
  /todos:
    get:
      operationId: listTodos
      summary: Lists todos
      parameters:
        - { name: done, in: query, description: Only todos that are done (true) or open (false), schema: { type: boolean } }
      responses:
        '200': { description: The todos }
    post:
      operationId: addTodo
      summary: Adds a todo
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title]
              properties:
                title: { type: string, description: The title of the todo }
      responses:
        '201': { description: The new todo }
`;

export const API_FILE = `import { fileURLToPath } from 'node:url';

/** The OpenAPI document that the tools are generated from. */
export const document = fileURLToPath(new URL('../openapi.yaml', import.meta.url));
`;

export const API_SERVER = (name: string): string => `import { OpenAPIServer } from 'toolwright/openapi';
import { document } from './api.ts';

const baseUrl = process.env['API_BASE_URL'];

// The toolwright commands (dev, serve, list, call, doctor) load the default export.
export default await OpenAPIServer.load({
  name: '${name}',
  version: '0.1.0',
  document,
  // Default: the server in the document. For its security schemes, add credentials: { scheme: process.env['…'] }.
  ...(baseUrl === undefined ? {} : { baseUrl }),
});
`;

export const API_TEST = `import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { ToolRegistry } from 'toolwright';
import { fromOpenAPI } from 'toolwright/openapi';
import { connectTestClient } from 'toolwright/testing';
import { document } from './api.ts';

// Replaces the API, and responds with the method and URL of the request.
const api = createServer((request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ received: \`\${request.method} \${request.url}\` }));
}).listen(0, '127.0.0.1');
await once(api, 'listening');
const address = api.address();
const port = typeof address === 'object' ? address?.port : undefined;

const registry = new ToolRegistry();
const imported = await fromOpenAPI(document, {
  registry,
  baseUrl: \`http://127.0.0.1:\${port}/v1\`,
  outbound: { allowPrivate: ['127.0.0.1'] },
});
after(() => {
  imported.close();
  api.close();
});

const client = connectTestClient(registry);

test('every operation is a tool', () => {
  assert.deepEqual(registry.listTools().map(({ name }) => name), ['listTodos', 'addTodo']);
});

test('a call sends a request', async () => {
  assert.equal((await client.callTool('listTodos', { done: true })).text, '{"received":"GET /v1/todos?done=true"}');
  assert.equal((await client.callTool('addTodo', { title: 'Milk' })).text, '{"received":"POST /v1/todos"}');
});

test('invalid arguments are not sent', async () => {
  const { isError, text } = await client.callTool('addTodo', {});
  assert.equal(isError, true);
  assert.match(text, /title/);
});
`;
