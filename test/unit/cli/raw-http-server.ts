import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RpcMessage } from '../../../src/client/link.ts';

/** A request to such a server. */
export interface Asked {
  readonly verb: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly message: RpcMessage;
}

/** A server over HTTP with the responses of a test. */
export interface RawHttpServer extends AsyncDisposable {
  readonly url: URL;
  readonly asked: readonly Asked[];
}

/** Starts a server. The test decides what is wrong with it. */
export async function serveRaw(
  answer: (asked: Asked, response: ServerResponse) => void,
): Promise<RawHttpServer> {
  const asked: Asked[] = [];
  const http = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { method: verb = '', url: path = '', headers } = request;
      const one = { verb, path, headers, message: (body === '' ? {} : JSON.parse(body)) as RpcMessage };
      asked.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
    asked,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Sends JSON. */
export function sendJson(
  response: ServerResponse,
  value: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** Sends events, and ends. */
export function sendEvents(response: ServerResponse, events: readonly object[]): void {
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
}

/** A server of 2026-07-28 with these results, by method. A function gets the request, and responds itself. */
export function serveResults(
  results: Readonly<Record<string, object | ((asked: Asked, response: ServerResponse) => void)>>,
): Promise<RawHttpServer> {
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  const all: typeof results = {
    'server/discover': { capabilities, serverInfo: { name: 'raw', version: '1' } },
    ...results,
  };
  return serveRaw((asked, response) => {
    const { id = null, method = '' } = asked.message;
    const result = all[method];
    if (typeof result === 'function') result(asked, response);
    else if (result !== undefined) sendJson(response, { jsonrpc: '2.0', id, result });
    else sendJson(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Unknown' } });
  });
}
