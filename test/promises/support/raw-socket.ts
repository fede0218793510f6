import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** One response as received. */
export interface RawReply {
  readonly status: number;
  /** By name in lower case; the last of several. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether it is complete. */
  readonly isWhole: boolean;
}

/** A socket that sends raw bytes and keeps everything it receives. */
export class RawSocket {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #isClosed = false;
  readonly #listeners = new Set<() => void>();

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#changed();
    });
    // A server may reset a connection that it does not read any more; its previous response counts.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.#isClosed = true;
      this.#changed();
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Everything received, as text. */
  get text(): string {
    return this.#received.toString('latin1');
  }

  /** The responses so far, without 100 Continue. */
  get replies(): readonly RawReply[] {
    return parseReplies(this.text);
  }

  /** Sends text as latin1, so that every byte can be written. */
  write(bytes: string | Buffer): void {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Ends the sending half. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Waits until the condition holds, the server closes the connection, or the timeout; returns whether the condition holds. */
  async until(holds: (socket: this) => boolean, ms = 10_000): Promise<boolean> {
    if (holds(this) || this.#isClosed) return holds(this);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      const check = (): void => {
        if (holds(this) || this.#isClosed) done();
      };
      const listeners = this.#listeners;
      listeners.add(check);
      function done(): void {
        clearTimeout(timer);
        listeners.delete(check);
        resolve();
      }
    });
    return holds(this);
  }

  #changed(): void {
    for (const listener of Array.from(this.#listeners)) listener();
  }
}

/** Sends bytes on a new connection and returns the head of the first response; undefined if the server only closed the connection. */
export async function sendAlone(port: number, bytes: string | Buffer): Promise<RawReply | undefined> {
  const socket = new RawSocket(port);
  try {
    socket.write(bytes);
    const isAnswered = await socket.until(
      ({ replies: [first] }) => first !== undefined && (first.isWhole || isEventStream(first.headers)),
    );
    if (!isAnswered && !socket.isClosed) throw new Error(`no answer to ${JSON.stringify(String(bytes))}`);
    return socket.replies[0];
  } finally {
    socket.destroy();
  }
}

function isEventStream(headers: RawReply['headers']): boolean {
  return headers['content-type'] === 'text/event-stream';
}

/** Parses the output of a server. */
function parseReplies(text: string): readonly RawReply[] {
  const replies: RawReply[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return replies;
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (?<status>\d{3})/.exec(line)?.groups?.['status'] ?? NaN);
    if (Number.isNaN(status)) throw new Error(`this is no response: ${JSON.stringify(rest.slice(0, 200))}`);
    const headers = Object.fromEntries(fields.map(toField));
    const { body, isWhole, length } = takeBody(rest.slice(end + 4), status, headers);
    rest = rest.slice(end + 4 + length);
    if (status >= 200 || status === 101) replies.push({ status, headers, body, isWhole });
    if (!isWhole) return replies;
  }
}

function toField(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

interface TakenBody {
  readonly body: string;
  readonly isWhole: boolean;
  /** Number of characters that belong to it. */
  readonly length: number;
}

function takeBody(text: string, status: number, headers: Readonly<Record<string, string>>): TakenBody {
  if (status < 200 || status === 204 || status === 304) return { body: '', isWhole: true, length: 0 };
  if (headers['transfer-encoding'] === 'chunked') return takeChunks(text);
  if (isEventStream(headers)) return { body: text, isWhole: false, length: text.length };
  // A body has a `Content-Length`; text after a response without one would be another response.
  const length = Number(headers['content-length'] ?? 0);
  return { body: text.slice(0, length), isWhole: text.length >= length, length };
}

function takeChunks(text: string): TakenBody {
  let body = '';
  let at = 0;
  for (;;) {
    const end = text.indexOf('\r\n', at);
    const size = end === -1 ? NaN : Number.parseInt(text.slice(at, end), 16);
    if (Number.isNaN(size) || text.length < end + 2 + size + 2)
      return { body, isWhole: false, length: text.length };
    body += text.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
    if (size === 0) return { body, isWhole: true, length: at };
  }
}
