/** The SDK with sessions as in its documentation: a Map of transports by session id, after authentication. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import { createSdkServer } from './sdk.mjs';
import { findUser } from './users.mjs';

const sessions = new Map();

const http = createServer((request, response) => {
  void route(request, response);
});
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }));

async function route(request, response) {
  const user = findUser(request.headers.authorization);
  if (user === undefined) return refuse(response, 401);
  request.auth = { token: user, clientId: user, scopes: [] };
  const body = request.method === 'POST' ? await json(request) : undefined;
  const id = request.headers['mcp-session-id'];
  if (id !== undefined && sessions.has(id)) return sessions.get(id).handleRequest(request, response, body);
  if (id !== undefined) return refuse(response, 404);
  if (!isInitializeRequest(body)) return refuse(response, 400);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (started) => {
      sessions.set(started, transport);
    },
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the SDK has one callback and no events
  transport.onclose = () => {
    if (transport.sessionId) sessions.delete(transport.sessionId);
  };
  await createSdkServer().connect(transport);
  await transport.handleRequest(request, response, body);
}

function refuse(response, status) {
  response.writeHead(status).end();
}
