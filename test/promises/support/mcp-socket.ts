import { connect } from 'node:net';
import type { Socket } from 'node:net';

export type Json = Readonly<Record<string, unknown>>;

/** A response as received. Each byte is kept as one character. */
export interface SocketReply {
  readonly status: number;
  /** The status line and all headers. */
  readonly head: string;
  readonly body: string;
}

/** Options of a connection. */
export interface McpSocketOptions {
  /** Whether it never reads. */
  readonly isDeaf?: boolean;
}

/** One TCP connection that sends requests and reads responses one after another, with as little work as possible. */
export class McpSocket {
  readonly #socket: Socket;
  #text = '';
  #failed: string | undefined;
  #waiting: ((reply: SocketReply | undefined) => void) | undefined;
  /** Resolves when the connection has ended, in any way. */
  readonly closed: Promise<void>;

  constructor(port: number, { isDeaf = false }: McpSocketOptions = {}) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    // Before the connection is open: afterwards the first bytes would already be read.
    if (isDeaf) this.#socket.pause();
    else this.#socket.on('data', (chunk: string) => this.#hear(chunk));
    // A cut connection is not an error here; there is just no response.
    this.#socket
      .on('error', ({ syscall }: NodeJS.ErrnoException) => (this.#failed = syscall))
      .on('end', () => this.#settle(undefined));
    this.closed = new Promise((resolve) => {
      this.#socket.once('close', () => {
        this.#settle(undefined);
        resolve();
      });
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && !this.#socket.readableEnded && this.#socket.writable;
  }

  /** Whether it was cut while sending: then received data may never have been read. */
  get isCutInSending(): boolean {
    return this.#failed === 'write';
  }

  /** The part of the next response received so far. */
  get received(): string {
    return this.#text;
  }

  send(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  /** Sends a request and waits for the whole response; undefined if the connection ends before. */
  ask(text: string): Promise<SocketReply | undefined> {
    const reply = this.reply();
    this.send(text);
    return reply;
  }

  /** The next whole response. */
  reply(): Promise<SocketReply | undefined> {
    if (this.#socket.destroyed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#hear('');
    });
  }

  /** Resolves when a match has arrived, or when nothing more can. */
  heard(what: RegExp): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.#socket.destroyed && !what.test(this.#text)) return;
        this.#socket.off('data', look).off('close', look);
        resolve();
      };
      this.#socket.on('data', look).on('close', look);
      look();
    });
  }

  /** Starts to read. */
  listen(): void {
    this.#socket.on('data', () => {}).resume();
  }

  /** Reads at most this number of bytes from a paused connection; returns their number. */
  readAtMost(bytes: number): number {
    const size = Math.min(bytes, this.#socket.readableLength);
    // A read of zero bytes makes the next bytes arrive.
    this.#socket.read(size);
    return size;
  }

  /** Closes the connection: immediately, with a reset, or only the sending half. */
  cut(how: 'destroy' | 'reset' | 'end' = 'destroy'): void {
    if (how === 'reset') this.#socket.resetAndDestroy();
    else if (how === 'end') this.#socket.end();
    else this.#socket.destroy();
  }

  #hear(chunk: string): void {
    this.#text += chunk;
    if (this.#waiting === undefined) return;
    const whole = readReply(this.#text);
    if (whole === undefined) return;
    this.#text = whole.rest;
    this.#settle(whole.reply);
  }

  #settle(reply: SocketReply | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(reply);
  }
}

/** The first response in a text, if it is complete. */
function readReply(text: string): { readonly reply: SocketReply; readonly rest: string } | undefined {
  const start = text.indexOf('\r\n\r\n');
  if (start === -1) return undefined;
  const head = text.slice(0, start);
  const status = Number(head.slice(9, 12));
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (/^transfer-encoding: chunked/im.test(head)) {
    const { body, end } = readChunks(text, start + 4);
    return end === undefined ? undefined : { reply: { status, head, body }, rest: text.slice(end) };
  }
  const end = start + 4 + Number(length ?? 0);
  if (text.length < end) return undefined;
  return { reply: { status, head, body: text.slice(start + 4, end) }, rest: text.slice(end) };
}

/** The chunks from a position on; `end` is set when the last one has arrived. */
function readChunks(text: string, from: number): { readonly body: string; readonly end?: number } {
  let body = '';
  let at = from;
  for (;;) {
    const line = text.indexOf('\r\n', at);
    if (line === -1) return { body };
    const size = Number.parseInt(text.slice(at, line), 16);
    const end = line + 2 + size;
    if (text.length < end + 2) return { body };
    if (size === 0) return { body, end: end + 2 };
    body += text.slice(line + 2, end);
    at = end + 2;
  }
}

/** The body of an incomplete response. */
export function bodyUntilNow(text: string): string {
  const start = text.indexOf('\r\n\r\n');
  return start === -1 ? '' : readChunks(text, start + 4).body;
}

/** The messages of a body: a single one, or a stream of events. */
export function messagesOf(body: string): Json[] {
  if (body.startsWith('{')) return [JSON.parse(body) as Json];
  return body
    .split('\n\n')
    .slice(0, -1)
    .flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: ') && line.length > 6))
    .map((line) => JSON.parse(line.slice(6)) as Json);
}

/** The id of the last complete event of a body. */
export function lastEventId(body: string): string | undefined {
  const whole = body.slice(0, body.lastIndexOf('\n\n') + 2);
  const at = whole.lastIndexOf('id: ');
  return at === -1 ? undefined : whole.slice(at + 4, whole.indexOf('\n', at));
}
