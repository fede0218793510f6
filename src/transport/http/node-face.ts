import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DefinitionError } from '../../errors/errors.ts';
import type { MaybePromise } from '../../schema/validated.ts';
import type { Body, HttpHeaders, HttpRequest, HttpSink, StreamSink } from './http-message.ts';

/** A request that `node:http` received. */
export class NodeRequest implements HttpRequest {
  readonly #message: IncomingMessage;
  readonly #body: unknown;

  constructor(message: IncomingMessage, body?: unknown) {
    this.#message = message;
    this.#body = body;
  }

  get method(): string {
    return this.#message.method ?? '';
  }

  get target(): string {
    return this.#message.url ?? '/';
  }

  get hasSeveralHosts(): boolean {
    // Node keeps the first; whoever stands in front of us may have kept the last.
    const { rawHeaders } = this.#message;
    let hosts = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index];
      if (name !== undefined && name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    }
    return hosts > 1;
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  readBody(maxBytes: number): MaybePromise<Body> {
    const message = this.#message as IncomingMessage & { body?: unknown };
    if (this.#body !== undefined && this.#body !== null) return toParsed(this.#body, maxBytes);
    // Express may have read it already.
    if (message.body !== undefined && (message.readableEnded || message.complete))
      return toParsed(message.body, maxBytes);
    // Nothing more would ever come of it.
    if (message.readableEnded)
      throw new DefinitionError(
        'The body was read before the request got here. Leave it in request.body, or give it as the third argument of the handler.',
      );
    if (message.destroyed) return UNREADABLE;
    if (Number(message.headers['content-length'] ?? 0) > maxBytes) return TOO_LARGE;
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = (body: Body): void => {
        message.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
        resolve(body);
      };
      const onData = (chunk: Buffer): void => {
        size += chunk.length;
        if (size > maxBytes) {
          message.pause();
          return finish(TOO_LARGE);
        }
        chunks.push(chunk);
      };
      const onEnd = (): void => finish(toText(chunks));
      const onCut = (): void => finish(UNREADABLE);
      message.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    });
  }
}

const TOO_LARGE: Body = { kind: 'too-large' };
const UNREADABLE: Body = { kind: 'unreadable' };

function toText(chunks: readonly Buffer[]): Body {
  const [only] = chunks;
  const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
  return isUtf8(bytes) ? { kind: 'text', text: bytes.toString('utf8') } : UNREADABLE;
}

function toParsed(body: unknown, maxBytes: number): Body {
  if (typeof body === 'string')
    return Buffer.byteLength(body) > maxBytes ? TOO_LARGE : { kind: 'text', text: body };
  if (Buffer.isBuffer(body)) return body.length > maxBytes ? TOO_LARGE : toText([body]);
  return { kind: 'parsed', value: body };
}

/** The way back through `node:http`. */
export class NodeSink implements HttpSink {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  respond(status: number, headers: HttpHeaders, body?: string): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    if (body === undefined) {
      response.writeHead(status, headers).end();
      return;
    }
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(response.req.method === 'HEAD' ? undefined : body);
  }

  openStream(status: number, headers: HttpHeaders): StreamSink {
    const response = this.#response;
    if (!response.headersSent && !response.destroyed) {
      response.writeHead(status, headers);
      response.flushHeaders();
    }
    // One wait for all that is written while the reader is slow.
    let waiting: Promise<void> | undefined;
    return {
      write: (chunk) => {
        if (response.destroyed || response.writableEnded || response.write(chunk)) return undefined;
        waiting ??= untilWritable(response).then(() => {
          waiting = undefined;
        });
        return waiting;
      },
      end: () => {
        if (!response.writableEnded) response.end();
      },
      cut: () => {
        response.destroy();
      },
    };
  }

  onClose(listener: (isComplete: boolean) => void): void {
    const response = this.#response;
    // It may be over already: whoever had to be identified first may have gone meanwhile.
    if (response.closed || response.destroyed) listener(response.writableFinished);
    else response.once('close', () => listener(response.writableFinished));
  }
}

/** Waits until a slow reader has read; one that is gone keeps nobody waiting. */
function untilWritable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
