import { request as send } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Inbox, within } from './inbox.ts';
import { modernMessage } from './rpc.ts';
import type { ModernOptions, RpcMessage } from './rpc.ts';

/** A request as sent; only `Host` and `Connection` are added. */
export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  /** Undefined removes a header. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Strings and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as a message; throws if it is not one. */
  readonly json: RpcMessage;
}

/** One event of a stream, or one comment. */
export interface RawEvent {
  readonly id?: string;
  readonly event?: string;
  readonly retry?: string;
  readonly data?: string;
  readonly comment?: string;
}

/** A response stream. */
export interface RawStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: Inbox<RawEvent>;
  /** The message of the next event. */
  nextMessage(): Promise<RpcMessage>;
  /** Closes the connection. */
  close(): void;
}

/** A raw HTTP client for one server. */
export class RawHttp {
  readonly #port: number;
  readonly #open = new Set<ClientRequest>();

  constructor(port: number) {
    this.#port = port;
  }

  async send(request: RawRequest): Promise<RawResponse> {
    const message = await this.#start(request);
    const { statusCode = 0, headers } = message;
    const text = await within(readAll(message), 'the body of a response');
    return {
      status: statusCode,
      headers,
      text,
      get json(): RpcMessage {
        return toMessage(text, headers);
      },
    };
  }

  async open(request: RawRequest): Promise<RawStream> {
    const message = await this.#start(request);
    const events = new Inbox<RawEvent>('events');
    let text = '';
    message.setEncoding('utf8');
    message.on('data', (chunk: string) => {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) events.push(parseEvent(block));
    });
    message.on('close', () => events.end()).on('error', () => events.end());
    return {
      status: message.statusCode ?? 0,
      headers: message.headers,
      events,
      nextMessage: async () => JSON.parse((await events.next()).data ?? 'null') as RpcMessage,
      close: () => message.destroy(),
    };
  }

  /** A request of 2026-07-28. */
  modern(method: string, params: object = {}, options: ModernOptions = {}): Promise<RawResponse> {
    return this.send(modernRequest(modernMessage(method, params, options)));
  }

  /** Starts a request that is cancelled before its response. */
  begin(request: RawRequest): ClientRequest {
    return this.#write(request).on('error', () => {});
  }

  /** Closes all open connections. */
  close(): void {
    for (const request of this.#open) request.destroy();
  }

  #start(request: RawRequest): Promise<IncomingMessage> {
    const arrived = new Promise<IncomingMessage>((resolve, reject) => {
      this.#write(request).on('response', resolve).on('error', reject);
    });
    return within(arrived, `the response to ${JSON.stringify(request.headers ?? {})}`);
  }

  #write({ method = 'POST', path = '/mcp', headers = {}, body }: RawRequest): ClientRequest {
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const outgoing = send({
      host: '127.0.0.1',
      port: this.#port,
      agent: false,
      method,
      path,
      headers: given as OutgoingHttpHeaders,
    });
    this.#open.add(outgoing);
    outgoing.on('close', () => this.#open.delete(outgoing));
    // As bytes: with a text body, Node would write headers in the encoding of the body.
    outgoing.end(body === undefined ? undefined : toBytes(body));
    return outgoing;
  }
}

/** Headers of every POST. */
export const JSON_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** A request of 2026-07-28 with its headers. */
export function modernRequest(
  message: { readonly method: string; readonly params?: Readonly<Record<string, unknown>> },
  headers: RawRequest['headers'] = {},
): RawRequest {
  const named = NAMED[message.method];
  const name = named === undefined ? undefined : message.params?.[named];
  return {
    headers: {
      ...JSON_HEADERS,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': message.method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
      ...headers,
    },
    body: message,
  };
}

/** The events of a complete response. */
export function eventsOf({ text }: RawResponse): RawEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map(parseEvent);
}

/** The messages of a complete response. */
export function messagesOf(response: RawResponse): RpcMessage[] {
  return eventsOf(response)
    .filter(({ data }) => data !== undefined && data !== '')
    .map(({ data }) => JSON.parse(data ?? '') as RpcMessage);
}

function toBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parseEvent(block: string): RawEvent {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    const name = colon === 0 ? 'comment' : line.slice(0, colon);
    return [name, line.slice(colon + 1).replace(/^ /, '')] as const;
  });
  return Object.fromEntries(fields);
}

function toMessage(text: string, headers: IncomingHttpHeaders): RpcMessage {
  if (headers['content-type'] !== 'application/json') throw new Error(`no JSON: ${text}`);
  return JSON.parse(text) as RpcMessage;
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
