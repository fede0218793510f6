import { modernRequest } from '../../protocol/support/raw-http.ts';
import type { RawRequest } from '../../protocol/support/raw-http.ts';
import { initializeMessage, legacyMessage, modernMessage, notification } from '../../protocol/support/rpc.ts';
import type { ModernOptions } from '../../protocol/support/rpc.ts';
import type { Ended, HttpCaller, Reading } from './http-caller.ts';
import type { Asked } from './mcp-requests.ts';

const VERSION = '2025-11-25';
const JSON_BODY = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

/** Headers and options of every request, in addition to the token. */
export interface TokenClientOptions {
  /** Default: `/mcp`. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with `Authorization: Bearer <token>` on every request; without a token, without the header. */
export class TokenClient {
  readonly #http: HttpCaller;
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    http: HttpCaller,
    token: string | undefined,
    { path = '/mcp', headers = {} }: TokenClientOptions = {},
  ) {
    this.#http = http;
    this.#path = path;
    this.#headers = { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers };
  }

  /** A request of 2026-07-28. */
  modern(method: string, params: object = {}, options: ModernOptions & Reading = {}): Promise<Ended> {
    return this.#send(modernRequest(modernMessage(method, params, options), this.#headers), options);
  }

  /** A call of a tool, on 2026-07-28. */
  call(name: string, args: object = {}, options: ModernOptions = {}): Promise<Ended> {
    return this.modern('tools/call', { name, arguments: args }, options);
  }

  /** Opens a session of 2025-11-25; returns its id. */
  async openSession(): Promise<string> {
    const headers = { ...JSON_BODY, ...this.#headers };
    const { headers: got, status } = await this.#send({ headers, body: initializeMessage(VERSION) });
    const session = got['mcp-session-id'];
    if (typeof session !== 'string') throw new Error(`no session: ${status}`);
    await this.#post(session, notification('notifications/initialized'));
    return session;
  }

  /** A request in a session. Default of `id`: 1. */
  inSession(session: string, { method, params, id = 1 }: Asked, reading: Reading = {}): Promise<Ended> {
    return this.#post(session, legacyMessage(method, params, id), reading);
  }

  /** Opens the stream of a session, or resumes it after an event. */
  listen(session: string, lastEvent?: string, reading: Reading = {}): Promise<Ended> {
    const resumed = lastEvent === undefined ? {} : { 'Last-Event-ID': lastEvent };
    const headers = { ...this.#sessionHeaders(session), ...resumed, Accept: 'text/event-stream' };
    return this.#send({ method: 'GET', headers }, reading);
  }

  /** Ends a session. */
  leave(session: string): Promise<Ended> {
    return this.#send({ method: 'DELETE', headers: this.#sessionHeaders(session) });
  }

  /** Opens a stream of 2024-11-05; resolves to the first event. */
  connect(): Promise<Ended> {
    const headers = { Accept: 'text/event-stream', ...this.#headers };
    return this.#http.send({ method: 'GET', path: `${this.#path}/sse`, headers }, { part: 'first' });
  }

  /** Sends a request to a stream of 2024-11-05, which carries the response. */
  tell(session: string, method: string): Promise<Ended> {
    const path = `${this.#path}/messages?sessionId=${session}`;
    const headers = { ...JSON_BODY, ...this.#headers };
    return this.#http.send({ path, headers, body: legacyMessage(method, {}, 1) });
  }

  #post(session: string, body: object, reading: Reading = {}): Promise<Ended> {
    const headers = { ...JSON_BODY, ...this.#sessionHeaders(session) };
    return this.#send({ headers, body }, reading);
  }

  #send(request: RawRequest, reading: Reading = {}): Promise<Ended> {
    return this.#http.send({ ...request, path: this.#path }, reading);
  }

  #sessionHeaders(session: string): Record<string, string> {
    return { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': VERSION, ...this.#headers };
  }
}

/** A response without the parts that differ between requests, for comparison. */
export function comparable({ status, headers, text }: Ended): object {
  const { date: _date, ...rest } = headers;
  return { status, headers: rest, text };
}
