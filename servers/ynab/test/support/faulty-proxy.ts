import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as it left the budget server. */
export interface Seen {
  /** Such as `GET /plans/{id}/accounts`: ids are replaced. */
  readonly route: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string;
  readonly body: string;
}

export type Fault =
  /** A response of the proxy itself; the API does not see the request. */
  | { readonly respond: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** The API processes the request, but the connection closes before its response. */
  | 'lose'
  /** The API processes the request, and half of the response arrives. */
  | 'cut'
  /** The API processes the request, and its response is replaced by these bytes. */
  | { readonly replace: string }
  /** No response. The function is called when the request has arrived, to let the deadline pass. */
  | { readonly hang: () => void }
  /** The function is called before the request reaches the API, which then responds as usual. */
  | { readonly before: () => unknown };

interface Planned {
  readonly route: string;
  readonly fault: Fault;
  times: number;
}

/** An HTTP proxy in front of the API that records the requests and fails as told. */
export class FaultyProxy {
  readonly seen: Seen[] = [];
  /** The address of the API, without a path. */
  target = '';
  readonly #planned: Planned[] = [];
  readonly #server = createServer((request, response) => {
    void this.#handle(request, response).catch(() => response.destroy());
  });

  /** Starts the proxy. For `between` of the stack. */
  readonly start = async (url: string): Promise<string> => {
    const { origin, pathname } = new URL(url);
    this.target = origin;
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${pathname}`;
  };

  /** The next requests of a route fail in this way. `route` is a prefix, such as `POST` or `GET /plans/{id}/accounts`. */
  fail(route: string, fault: Fault, times = 1): void {
    this.#planned.push({ route, fault, times });
  }

  /** Ends all faults. */
  heal(): void {
    this.#planned.length = 0;
  }

  /** The routes of the requests since the last call of this method. */
  takeRoutes(): string[] {
    return this.seen.splice(0).map(({ route }) => route);
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    // With one connection for each request, a closed proxy refuses the next request instead of losing it.
    response.shouldKeepAlive = false;
    const body = await buffer(request);
    const { pathname, searchParams } = new URL(url, this.target);
    const path = pathname.replace('/v1', '').replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '{id}');
    const route = `${method} ${path}`;
    this.seen.push({
      route,
      query: Object.fromEntries(searchParams),
      authorization: headers.authorization ?? '',
      body: body.toString(),
    });
    const fault = this.#take(route);
    if (typeof fault === 'object' && 'respond' in fault) {
      response.writeHead(fault.respond, { 'content-type': 'application/json', ...fault.headers });
      response.end(fault.body ?? '');
      return;
    }
    if (typeof fault === 'object' && 'hang' in fault) return fault.hang();
    if (typeof fault === 'object' && 'before' in fault) await fault.before();
    const answer = await this.#forward({ method, url, headers }, body);
    const bytes = await buffer(answer);
    respond(response, { answer, bytes, fault });
  }

  #take(route: string): Fault | undefined {
    const found = this.#planned.find((planned) => planned.times > 0 && route.startsWith(planned.route));
    if (found !== undefined) found.times -= 1;
    return found?.fault;
  }

  async #forward(
    { method, url, headers }: Required<Pick<IncomingMessage, 'headers'>> & { method: string; url: string },
    body: Buffer,
  ): Promise<IncomingMessage> {
    const request = send(`${this.target}${url}`, { method, headers, agent: false });
    request.end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer;
  }
}

function respond(
  response: ServerResponse,
  { answer, bytes, fault }: { answer: IncomingMessage; bytes: Buffer; fault: Fault | undefined },
): void {
  if (fault === 'lose') {
    response.destroy();
    return;
  }
  const replaced = typeof fault === 'object' && 'replace' in fault ? Buffer.from(fault.replace) : bytes;
  response.writeHead(answer.statusCode ?? 0, {
    'content-type': answer.headers['content-type'] ?? '',
    'content-length': replaced.length,
  });
  if (fault === 'cut') {
    response.write(replaced.subarray(0, replaced.length / 2), () => response.destroy());
    return;
  }
  response.end(replaced);
}
