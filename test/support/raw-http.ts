import { envelope } from './raw-peer.ts';
import type { Json, RawAnswer } from './raw-peer.ts';

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** One request of 2026-07-28, with a JSON response. */
export interface ModernRequest {
  readonly method: string;
  readonly params?: Json;
  readonly capabilities?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request of 2026-07-28 without any client. */
export async function postModern(
  url: string,
  { method, params = {}, capabilities = {}, headers = {} }: ModernRequest,
): Promise<RawAnswer & { readonly status: number }> {
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope(capabilities) } };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...JSON_HEADERS,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as RawAnswer) };
}

/** Parts of a session that differ. */
interface RawPart {
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A session of 2025-11-25 without any client. */
export class RawSession {
  readonly url: string;
  readonly id: string;
  readonly #headers: Readonly<Record<string, string>>;
  #nextId = 2;

  private constructor(url: string, id: string, headers: Readonly<Record<string, string>>) {
    this.url = url;
    this.id = id;
    this.#headers = headers;
  }

  static async open(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    client: Json = {},
  ): Promise<RawSession> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
      ...client,
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    await response.text();
    const session = new RawSession(url, response.headers.get('mcp-session-id') ?? '', headers);
    const { status } = await session.post({ method: 'notifications/initialized' });
    if (status !== 202) throw new Error(`no session: ${response.status}, ${status}`);
    return session;
  }

  /** The same session at another URL, or with other headers. */
  at(url: string, { id = this.id, headers = this.#headers }: RawPart = {}): RawSession {
    const session = new RawSession(url, id, headers);
    session.#nextId = this.#nextId + 1000;
    return session;
  }

  /** Sends a message as the caller in the headers. */
  post(message: Json, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: this.#with({ ...JSON_HEADERS, ...headers }),
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  }

  /** Calls a tool; the response may be JSON or a stream. */
  call(name: string, args: Json = {}): Promise<Response> {
    const id = this.#nextId;
    this.#nextId += 1;
    const params = { name, arguments: args, _meta: { progressToken: id } };
    return this.post({ id, method: 'tools/call', params });
  }

  /** Opens a stream, or resumes one. */
  async listen(lastEventId?: string): Promise<EventReader> {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return new EventReader(
      await fetch(this.url, { headers: this.#with({ accept: 'text/event-stream', ...headers }) }),
    );
  }

  delete(): Promise<Response> {
    return fetch(this.url, { method: 'DELETE', headers: this.#with({}) });
  }

  #with(headers: Readonly<Record<string, string>>): Record<string, string> {
    return {
      'mcp-session-id': this.id,
      'mcp-protocol-version': '2025-11-25',
      ...this.#headers,
      ...headers,
    };
  }
}

/** One event of a stream. */
export interface RawEvent {
  readonly id: string | undefined;
  readonly retry: string | undefined;
  readonly data: string | undefined;
}

/** Reads a stream of events one by one. */
export class EventReader {
  readonly status: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response) {
    this.status = response.status;
    this.#reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  }

  /** The next event; undefined when the stream has ended. */
  async next(): Promise<RawEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end !== -1) {
        const lines = this.#text.slice(0, end).split('\n');
        this.#text = this.#text.slice(end + 2);
        if (!lines.every((line) => line.startsWith(':'))) return toEvent(lines);
      } else {
        const chunk = await this.#reader?.read();
        if (chunk === undefined || chunk.done) return undefined;
        this.#text += this.#decoder.decode(chunk.value, { stream: true });
      }
    }
  }

  /** The next message, past events without one. */
  async nextMessage(): Promise<{ readonly id: string | undefined; readonly message: Json } | undefined> {
    for (;;) {
      const event = await this.next();
      if (event === undefined) return undefined;
      if (event.data !== undefined && event.data !== '')
        return { id: event.id, message: JSON.parse(event.data) as Json };
    }
  }

  /** Closes the connection. */
  async cancel(): Promise<void> {
    await this.#reader?.cancel();
  }
}

function toEvent(lines: readonly string[]): RawEvent {
  const field = (name: string): string | undefined =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trimStart();
  return { id: field('id'), retry: field('retry'), data: field('data') };
}
