import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** A request to the API. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A small API that records its requests. It also serves its document, and tokens. */
export interface ShopApi extends AsyncDisposable {
  readonly origin: string;
  readonly arrived: Arrived[];
  /** The last request to the API itself. */
  last(): Arrived;
  close(): Promise<void>;
}

type Listen = (listener: RequestListener) => Server;

/** Starts the API on a free port; `make` for one with certificates. */
export async function startShop(make: Listen = createServer): Promise<ShopApi> {
  const arrived: Arrived[] = [];
  const server = make((request, response) => void answer(request, response, arrived));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const scheme = make === createServer ? 'http' : 'https';
  const close = async (): Promise<void> => {
    server.close();
    (server as { closeAllConnections?: () => void }).closeAllConnections?.();
    await once(server, 'close');
  };
  return {
    origin: `${scheme}://127.0.0.1:${port}`,
    arrived,
    last: () => {
      const found = arrived.at(-1);
      if (found === undefined) throw new Error('nothing has arrived');
      return found;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, arrived: Arrived[]): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  arrived.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
  const { pathname } = new URL(url, 'http://api');
  const known = Object.hasOwn(ANSWERS, pathname) ? ANSWERS[pathname] : undefined;
  // Never responds.
  if (pathname.endsWith('/slow')) return;
  if (pathname === '/moved.json') {
    const { port } = new URL(`http://${headers.host ?? ''}`);
    response.writeHead(302, { location: `http://127.0.0.2:${port}/openapi.json` }).end();
    return;
  }
  if (pathname === '/moved.here') {
    response.writeHead(302, { location: '/orders' }).end();
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(known ?? { ok: true }));
}

const ok = { 200: { description: 'OK', content: { 'application/json': { schema: { type: 'object' } } } } };

const COMPONENTS = {
  securitySchemes: {
    api_key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/token', scopes: {} } } },
  },
  schemas: {
    Order: {
      type: 'object',
      properties: { item: { type: 'string' }, next: { $ref: '#/components/schemas/Order' } },
    },
  },
};

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/openapi.json': shopDocument(),
  '/parts.json': { Order: { type: 'object', properties: { fromElsewhere: { type: 'string' } } } },
  '/overlay.json': {
    overlay: '1.0.0',
    info: { title: 'x', version: '1' },
    actions: [{ target: '$.info', update: { title: 'Changed' } }],
  },
  '/prompts.json': [{ name: 'from_url', template: 'Hello' }],
  '/files.json': [{ uri: 'file://x', name: 'x', file: '/etc/hostname' }],
  '/token': { access_token: 'token-for-client', token_type: 'bearer', expires_in: 60 },
  '/users': Array.from({ length: 200 }, (_, id) => ({ id, name: `user ${id}` })),
};

/** The document of the API: five operations that work, and one that cannot. */
export function shopDocument(servers?: readonly object[]): object {
  return {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '2.1.0' },
    ...(servers === undefined ? {} : { servers }),
    components: COMPONENTS,
    paths: {
      '/orders': {
        get: {
          operationId: 'listOrders',
          tags: ['orders'],
          summary: 'Lists <b>orders</b>',
          parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
          security: [],
          responses: ok,
        },
        post: {
          operationId: 'createOrder',
          tags: ['orders'],
          summary: 'Makes an order',
          security: [{ oauth: [] }],
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
          responses: ok,
        },
      },
      '/users': {
        get: {
          operationId: 'listUsers',
          tags: ['users'],
          summary: 'Lists users',
          security: [{ api_key: [] }],
          responses: ok,
        },
      },
      '/users/slow': {
        get: {
          operationId: 'waitForUsers',
          tags: ['users'],
          summary: 'Takes for ever',
          security: [],
          responses: ok,
        },
      },
      '/admin/reset': {
        delete: {
          operationId: 'resetConfiguration',
          tags: ['admin'],
          summary: 'Resets all',
          security: [],
          responses: ok,
        },
      },
      '/broken': { get: { operationId: 'getBroken', parameters: [{ $ref: '#/nowhere' }], responses: ok } },
    },
  };
}
