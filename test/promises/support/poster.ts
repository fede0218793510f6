import { Agent, request as sendRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request as sent; only `Host`, `Connection` and the length of the body are added. */
export interface Posted {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Closes the connection when a stream begins, because it may never end. */
  readonly isStream?: boolean;
}

export interface PostAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** The session that was opened with it. */
  readonly session: string | undefined;
}

/** Headers of every message. */
export const JSON_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** Sends requests over keep-alive connections, and waits at most 3 s for a response. */
export class Poster {
  readonly #port: number;
  readonly #agent: Agent;

  constructor(port: number, connections = 8) {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    onTestFinished(() => this.#agent.destroy());
  }

  send({
    method = 'POST',
    path = '/mcp',
    headers = JSON_HEADERS,
    body,
    isStream = false,
  }: Posted): Promise<PostAnswer> {
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0));
    // For GET and similar methods, Node would not send the length of the body.
    const framed = body === undefined ? headers : { 'Content-Length': bytes.length, ...headers };
    const target = { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path, headers: framed };
    return new Promise((resolve, reject) => {
      const outgoing = sendRequest(target);
      let timer: NodeJS.Timeout | undefined;
      // Not during the wait for a connection.
      outgoing.once('socket', () => {
        timer = setTimeout(() => outgoing.destroy(new Error('unanswered in 3 s')), 3000);
      });
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.on('error', reject);
      outgoing.on('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve(toAnswer(answer, chunks))).on('error', reject);
        if (!isStream || !toAnswer(answer, []).type.startsWith('text/event-stream')) return;
        resolve(toAnswer(answer, []));
        outgoing.destroy();
      });
      outgoing.end(bytes);
    });
  }
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage, chunks: readonly Buffer[]): PostAnswer {
  return {
    status: statusCode,
    type: headers['content-type'] ?? '',
    text: Buffer.concat(chunks).toString(),
    session: headers['mcp-session-id'] as string | undefined,
  };
}
