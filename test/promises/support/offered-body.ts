import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** A body offered to a server. */
export interface Offer {
  readonly headers?: readonly string[];
  /** Framing: `Content-Length`, or chunks. */
  readonly framing: 'length' | 'chunked';
  readonly bytes: number;
  /** Its first bytes; the rest is blanks. */
  readonly start?: Buffer;
  /** Size of each chunk. A body with this option is sent to its end. */
  readonly chunkBytes?: number;
  /** More bytes than a server within its limits accepts. */
  readonly giveUpAfter: number;
}

/** Result of an offered body. */
interface Taken {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  /** Whether the server closed the connection, not the client. */
  readonly isClosed: boolean;
  /** Bytes accepted by the server or by the operating system. */
  readonly sentBytes: number;
}

const PIECE = Buffer.alloc(65_536, ' ');
const ANSWER_MS = 10_000;
/** Maximum time between the response and the end of the connection. */
const HANG_UP_MS = 4000;

/** Offers a body and continues to send, whatever the response is, until the server closes the connection. */
export function offerBody(port: number, offer: Offer): Promise<Taken> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    let hasGivenUp = false;
    const giveUp = (): void => {
      hasGivenUp = true;
      socket.destroy();
    };
    let timer = setTimeout(giveUp, ANSWER_MS);
    socket.on('data', (chunk: Buffer) => {
      if (answer === '') {
        clearTimeout(timer);
        timer = setTimeout(giveUp, HANG_UP_MS);
      }
      answer += chunk.toString('latin1');
    });
    // The end of the connection is enough.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      const status = /^HTTP\/1\.1 (?<status>\d{3}) /.exec(answer)?.groups?.['status'];
      resolve({
        status: status === undefined ? undefined : Number(status),
        isClosed: !hasGivenUp,
        sentBytes: socket.bytesWritten - socket.writableLength,
      });
    });
    socket.on('connect', () => {
      socket.write(headOf(port, offer));
      if (offer.chunkBytes === undefined) pour(socket, offer, giveUp);
      else socket.write(inChunks(offer.bytes, offer.chunkBytes));
    });
  });
}

function headOf(port: number, { headers = [], framing, bytes }: Offer): string {
  return [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    framing === 'length' ? `Content-Length: ${bytes}` : 'Transfer-Encoding: chunked',
    ...headers,
    '\r\n',
  ].join('\r\n');
}

/** Blanks in chunks of one size, and the end. */
function inChunks(bytes: number, chunkBytes: number): Buffer {
  const chunk = `${chunkBytes.toString(16)}\r\n${' '.repeat(chunkBytes)}\r\n`;
  return Buffer.from(`${chunk.repeat(Math.floor(bytes / chunkBytes))}0\r\n\r\n`);
}

function pour(socket: Socket, { framing, bytes, start, giveUpAfter }: Offer, giveUp: () => void): void {
  let offered = 0;
  const next = (): void => {
    if (socket.destroyed || offered >= bytes) return;
    if (offered >= giveUpAfter) return giveUp();
    const piece = offered === 0 && start !== undefined ? start : PIECE.subarray(0, bytes - offered);
    offered += piece.length;
    const framed =
      framing === 'length'
        ? piece
        : Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
    // In between, a response can arrive.
    if (socket.write(framed)) setImmediate(next);
    else socket.once('drain', next);
  };
  next();
}
