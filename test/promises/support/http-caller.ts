import { Agent, request as send } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { RawRequest } from '../../protocol/support/raw-http.ts';
import type { RpcMessage } from '../../protocol/support/rpc.ts';

/** The end of a request as its client sees it. */
export interface Ended {
  /** 0 when there was no response. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The reason for a missing or incomplete response. */
  readonly loss?: string;
}

/** Options for reading a response. */
export interface Reading {
  /** Only the first part of a response that may be endless. The connection stays open, or is closed after that part. */
  readonly part?: 'first' | 'first-and-close';
  /** Called with everything received so far, whenever something arrives. */
  readonly onPart?: (text: string) => void;
}

const NO_RESPONSE = { status: 0, headers: {}, text: '' };

/** A client that keeps its connections open, as real ones do. A lost request is a result like any other. */
export class HttpCaller {
  readonly #port: number;
  readonly #agent: Agent;
  readonly #open = new Set<ClientRequest>();

  /** `localAddress`: the source address of its requests. */
  constructor(port: number, maxSockets = Number.POSITIVE_INFINITY, localAddress = '127.0.0.1') {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets, localAddress });
  }

  /** Sends a request and reads its whole response, or only the first part of an endless one. Never rejects. */
  send(
    { method = 'POST', path = '/mcp', headers = {}, body }: RawRequest,
    reading: Reading = {},
  ): Promise<Ended> {
    return new Promise((resolve) => {
      const outgoing = send({
        host: '127.0.0.1',
        port: this.#port,
        agent: this.#agent,
        method,
        path,
        headers: headers as OutgoingHttpHeaders,
      });
      this.#open.add(outgoing);
      outgoing.on('close', () => this.#open.delete(outgoing));
      outgoing.on('error', (error) => resolve({ ...NO_RESPONSE, loss: codeOf(error) }));
      outgoing.on('response', (response) => void read(response, reading).then(resolve));
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Closes all open connections. */
  close(): void {
    for (const outgoing of this.#open) outgoing.destroy();
    this.#agent.destroy();
  }
}

function read(response: IncomingMessage, { part, onPart }: Reading): Promise<Ended> {
  const { statusCode = 0, headers } = response;
  const chunks: Buffer[] = [];
  const ended = (): Ended => ({ status: statusCode, headers, text: toText(chunks) });
  return new Promise((resolve) => {
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      onPart?.(toText(chunks));
      // The rest is read and dropped: an unread stream would be cut.
      if (part !== undefined) resolve(ended());
      if (part === 'first-and-close') response.destroy();
    });
    response.on('error', (error) => resolve({ ...ended(), loss: codeOf(error) }));
    response.on('close', () => resolve(response.complete ? ended() : { ...ended(), loss: 'cut off' }));
  });
}

function toText(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/** The messages of a response: one of JSON, or those of its events. */
export function messagesIn({ text, headers }: Ended): RpcMessage[] {
  if (text === '') return [];
  if (headers['content-type'] !== 'text/event-stream') return [JSON.parse(text) as RpcMessage];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as RpcMessage);
}

/** The response message, after all notifications before it. */
export function answerIn(ended: Ended): RpcMessage | undefined {
  return messagesIn(ended).findLast(({ method }) => method === undefined);
}
