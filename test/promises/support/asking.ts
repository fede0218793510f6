import { createServer } from 'node:http';
import type { RequestListener, Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { ChildServer } from './child-server.ts';
import type { Weakness } from './weaken.ts';
import { modernMessage } from './mcp-requests.ts';

/** The result of a call. */
export interface Asked {
  readonly isError: boolean;
  readonly text: string;
  readonly ms: number;
}

/** Listens on a local port until the test is over. */
export async function listenHere(server: HttpServer | Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An upstream server, and a Toolwright server whose tools call it: those of a configuration, or those of an OpenAPI document. */
export async function startAsking(
  upstream: RequestListener | Server,
  without: readonly Weakness[],
  app: 'asking-http.mjs' | 'imported-http.mjs' = 'asking-http.mjs',
): Promise<{
  server: ChildServer;
  call: (name: string, args: object, signal?: AbortSignal) => Promise<Asked>;
}> {
  const origin = await listenHere(typeof upstream === 'function' ? createServer(upstream) : upstream);
  const server = await ChildServer.listen(app, { without, env: { UPSTREAM: origin } });
  const call = async (name: string, args: object, signal?: AbortSignal): Promise<Asked> => {
    const startedAt = performance.now();
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: modernMessage({ method: 'tools/call', params: { name, arguments: args } }),
      ...(signal === undefined ? {} : { signal }),
    });
    const { result, error } = (await response.json()) as {
      result?: { isError?: boolean; content: { text?: string }[] };
      error?: { message: string };
    };
    const text = result?.content[0]?.text ?? error?.message ?? '';
    return {
      isError: result?.isError === true || error !== undefined,
      text,
      ms: performance.now() - startedAt,
    };
  };
  return { server, call };
}
