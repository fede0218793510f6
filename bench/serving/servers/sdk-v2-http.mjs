/** The official SDK, version 2, on `node:http` as in its documentation, with its host and origin checks. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { listen } from './bare-http.mjs';
import { createSdkServer } from './sdk-v2.mjs';
import { specification } from './specification.mjs';

const { era, keepsSessions } = specification;
const isHostAllowed = localhostHostValidation();
const isOriginAllowed = localhostOriginValidation();
const handle =
  era === 'modern' ? toNodeHandler(createMcpHandler(createSdkServer)) : keepsSessions ? inSession : atOnce;

listen(
  createServer((request, response) => {
    if (isHostAllowed(request, response) && isOriginAllowed(request, response))
      void handle(request, response);
  }),
);

/** 2025-11-25 without sessions: a server and a transport per request. JSON responses are the cheaper of its two modes. */
async function atOnce(request, response) {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await createSdkServer().connect(transport);
  await transport.handleRequest(request, response);
}

const sessions = new Map();

/** 2025-11-25 with sessions: a server and a transport per session. */
async function inSession(request, response) {
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known !== undefined) return known.handleRequest(request, response);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  await createSdkServer().connect(transport);
  return transport.handleRequest(request, response);
}
