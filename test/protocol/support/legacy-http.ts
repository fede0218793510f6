import { JSON_HEADERS } from './raw-http.ts';
import type { RawHttp, RawRequest, RawResponse, RawStream } from './raw-http.ts';
import { initializeMessage, legacyMessage, notification } from './rpc.ts';
import type { RpcMessage } from './rpc.ts';

/** The revisions with a handshake, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Options of a new session. */
export interface SessionParts {
  readonly version?: string;
  readonly capabilities?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of an earlier revision, after its handshake. */
export class LegacyHttp {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #http: RawHttp;

  constructor(http: RawHttp, id: string, headers: Readonly<Record<string, string>>) {
    this.#http = http;
    this.id = id;
    this.headers = headers;
  }

  /** A POST of this session. */
  toPost(body: unknown): RawRequest {
    return { headers: { ...JSON_HEADERS, ...this.headers }, body };
  }

  post(body: unknown): Promise<RawResponse> {
    return this.#http.send(this.toPost(body));
  }

  async request(method: string, params?: object): Promise<RpcMessage> {
    return (await this.post(legacyMessage(method, params))).json;
  }

  /** Sends a message whose response is a stream. */
  open(body: unknown): Promise<RawStream> {
    return this.#http.open(this.toPost(body));
  }

  /** Opens the stream for messages without a request, or resumes a stream. */
  listen(lastEventId?: string): Promise<RawStream> {
    const resumed = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
    const headers = { Accept: 'text/event-stream', ...this.headers, ...resumed };
    return this.#http.open({ method: 'GET', headers });
  }

  /** Ends the session. */
  leave(): Promise<RawResponse> {
    return this.#http.send({ method: 'DELETE', headers: this.headers });
  }
}

/** Runs the handshake up to `notifications/initialized`. */
export async function openSession(http: RawHttp, parts: SessionParts = {}): Promise<LegacyHttp> {
  const { version = '2025-11-25', capabilities = {}, headers = {} } = parts;
  const response = await http.send({
    headers: { ...JSON_HEADERS, ...headers },
    body: initializeMessage(version, capabilities),
  });
  const id = String(response.headers['mcp-session-id']);
  const session = new LegacyHttp(http, id, {
    'Mcp-Session-Id': id,
    'MCP-Protocol-Version': version,
    ...headers,
  });
  await session.post(notification('notifications/initialized'));
  return session;
}
