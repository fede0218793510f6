import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { toNodeHandler } from '../../../src/http.ts';
import type { AuthenticateRequest, HttpOptions, NodeHandler } from '../../../src/http.ts';
import type { Principal } from '../../../src/index.ts';
import { Inbox } from './inbox.ts';
import { RawHttp } from './raw-http.ts';
import { startSample } from './sample.ts';
import type { Sample, SampleOptions } from './sample.ts';

/** The sample server as a handler of an application that can inspect its own responses. */
export interface Mounted extends Sample, AsyncDisposable {
  readonly http: RawHttp;
  readonly port: number;
  readonly handle: NodeHandler;
  /** The response to every request, as the application sees it. */
  readonly responses: Inbox<ServerResponse>;
}

/** Options of a mounted sample. */
export interface MountOptions extends HttpOptions {
  /** Reads the body before the handler gets the request. */
  readonly parse?: (text: string) => unknown;
}

export async function mount(options: SampleOptions = {}, mountOptions: MountOptions = {}): Promise<Mounted> {
  const { parse, ...httpOptions } = mountOptions;
  const sample = startSample(options);
  const handle = toNodeHandler(sample.server, httpOptions);
  const responses = new Inbox<ServerResponse>('responses');
  const listener = createServer((request, response) => {
    responses.push(response);
    if (parse === undefined) handle(request, response);
    else void readAll(request).then((text) => handle(request, response, parse(text)));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const http = new RawHttp(port);
  return {
    ...sample,
    http,
    port,
    handle,
    responses,
    [Symbol.asyncDispose]: async () => {
      http.close();
      listener.closeAllConnections();
      await sample.settle(() => handle.close());
      await sample.settle(() => sample.server.close());
      listener.close();
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** A client that sends a request and does not read the response. */
export async function stall(port: number, path: string, headers: object): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** Waits for a condition without an event, at most for as long as a busy machine needs. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Runs everything that is queued in the event loop. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** An `authenticate` that trusts headers, and waits if `x-hold` says so. */
export class Doorkeeper {
  /** One entry for every waiting caller. */
  readonly held = new Inbox<string>('callers that are held');
  readonly #release: (() => void)[] = [];

  readonly authenticate = async ({ headers }: AuthenticateRequest): Promise<Principal> => {
    if (headers.get('x-hold') !== null) {
      const released = new Promise<void>((resolve) => this.#release.push(resolve));
      this.held.push(headers.get('x-hold') ?? '');
      await released;
    }
    const scopes = (headers.get('x-scopes') ?? '').split(' ').filter((scope) => scope !== '');
    return { id: headers.get('x-user') ?? 'nobody', scopes };
  };

  /** Accepts all waiting callers. */
  open(): void {
    for (const release of this.#release.splice(0)) release();
  }
}

/** A request of 2026-07-28 for a fetch handler. */
export function toWebRequest(
  { headers = {}, body }: { readonly headers?: object; readonly body?: unknown },
  signal?: AbortSignal,
): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}
