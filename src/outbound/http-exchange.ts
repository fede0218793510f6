import { request as requestHttp } from 'node:http';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error.ts';
import { SHORT_RESPONSE_BYTES } from './response-room.ts';
import type { LongResponse, ResponseRoom } from './response-room.ts';

/** One HTTP request. */
export interface ExchangeRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** One HTTP response with its whole body. */
export interface ExchangeAnswer {
  readonly status: number;
  /** Headers by lower-case name; several headers of one name are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Options of {@link exchange}. */
export interface ExchangeOptions {
  readonly agent: Agent;
  readonly lookup: LookupFunction;
  readonly maxResponseBytes: number;
  readonly maxHeaderBytes: number;
  /** Memory budget for long responses. */
  readonly room: ResponseRoom;
  readonly ending: Ending;
  readonly onProgress: (progress: ExchangeProgress) => void;
}

/** The end of a request: its deadline or its cancellation. */
export interface Ending {
  /** The reason of the end; undefined before it. */
  readonly reason: Error | undefined;
  /** Called at the end to stop the exchange, which sets it. */
  stop: ((reason: Error) => void) | undefined;
}

/** Progress of a request. Before `connecting`, it waits for a free connection. */
export type ExchangeProgress = 'connecting' | 'connected';

/** Sends a request and reads the whole response up to the size limit. Follows no redirects and does not retry. */
export function exchange(asked: ExchangeRequest, options: ExchangeOptions): Promise<ExchangeAnswer> {
  const { method, url, headers, body } = asked;
  const { agent, lookup, maxHeaderBytes, ending, onProgress } = options;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request: ClientRequest = send(url, {
      method,
      agent,
      lookup: unlessEnded(lookup, ending),
      maxHeaderSize: maxHeaderBytes,
      headers: {
        'accept-encoding': 'gzip, deflate, br',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    });
    const fail = (error: Error): void => {
      request.destroy();
      reject(toFailure(error, url));
    };
    ending.stop = (reason) => request.destroy(reason);
    request.once('socket', (socket) => {
      // A reused connection is already open; one that failed immediately never will be.
      if (socket.connecting || socket.destroyed) watchConnection(socket, url, onProgress);
      else onProgress('connected');
    });
    request.on('error', fail);
    request.on('response', (response) => {
      readAnswer(response, asked, options).then(resolve, fail);
    });
    // Protocol upgrades are never requested.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(
        new OutboundError(
          'invalid-answer',
          `${url.origin} switched to another protocol, which is not supported.`,
        ),
      );
    });
    if (ending.reason !== undefined) request.destroy(ending.reason);
    // As bytes: with a string body, Node would write the headers in UTF-8, and they are Latin-1.
    else request.end(typeof body === 'string' ? Buffer.from(body) : body);
  });
}

/**
 * Fails the lookup of a request that ends while its lookup begins. The request has no socket then, so its end does not destroy the socket,
 * and Node 24 and newer give this socket to the next request, which would wait for the lookup.
 */
function unlessEnded(lookup: LookupFunction, ending: Ending): LookupFunction {
  return (host, options, done) => {
    lookup(host, options, done);
    if (ending.reason !== undefined) done(ending.reason, []);
  };
}

function watchConnection(socket: Socket, { protocol }: URL, onProgress: ExchangeOptions['onProgress']): void {
  onProgress('connecting');
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => onProgress('connected'));
}

function toMap({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const [name, value] of Object.entries(headers))
    all.set(name, Array.isArray(value) ? value.join(', ') : (value ?? ''));
  return all;
}

/** Decoders of the content encodings that are requested; `identity` means no encoding. */
const UNPACK: Readonly<Record<string, (() => NodeJS.ReadWriteStream & Readable) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Limits the decoded size: a small compressed body can decode to a large one. */
async function readAnswer(
  response: IncomingMessage,
  { method, url: { origin } }: ExchangeRequest,
  { maxResponseBytes: max, room }: ExchangeOptions,
): Promise<ExchangeAnswer> {
  const { statusCode: status = 0 } = response;
  // These responses have no body, even if their headers describe one.
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  const packed = isEmpty ? '' : (response.headers['content-encoding'] ?? '');
  const encoding = packed.trim().toLowerCase();
  const unpack = Object.hasOwn(UNPACK, encoding) ? UNPACK[encoding] : undefined;
  const isStrange = unpack === undefined && encoding !== 'identity' && encoding !== '';
  const source: Readable = unpack === undefined ? response : pipeThrough(response, unpack());
  const chunks: Buffer[] = [];
  let size = 0;
  let long: LongResponse | undefined;
  try {
    // Leaving this loop early closes the source and its connection.
    for await (const chunk of source as AsyncIterable<Buffer>) {
      if (isStrange) {
        const message = `${origin} responded with a content encoding that was not requested.`;
        throw new OutboundError('invalid-answer', message);
      }
      size += chunk.length;
      // defence: limit-of-an-answer
      if (size > max) {
        const message = `The response of ${origin} is larger than the limit of ${max} bytes.`;
        throw new OutboundError('too-large', message);
      }
      chunks.push(chunk);
      if (size > SHORT_RESPONSE_BYTES) {
        const counted = long === undefined ? size : chunk.length;
        long ??= room.enter(origin);
        await long.take(counted, source);
      }
    }
    return { status, headers: toMap(response), body: Buffer.concat(chunks) };
  } finally {
    long?.leave();
  }
}

/** Forwards errors of the response to the decoder. An empty body needs no decoding and is not an error. */
function pipeThrough(response: IncomingMessage, unpacked: NodeJS.ReadWriteStream & Readable): Readable {
  let isEmpty = true;
  response.once('data', () => {
    isEmpty = false;
  });
  response.on('end', () => {
    if (isEmpty) unpacked.push(null);
    else unpacked.end();
  });
  response.on('error', (error) => unpacked.destroy(error));
  response.on('aborted', () => unpacked.destroy(new Error('aborted')));
  response.pipe(unpacked, { end: false });
  return unpacked;
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'the DNS lookup of its host name failed',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  HPE_HEADER_OVERFLOW: 'its headers are too long',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an untrusted certificate authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an untrusted certificate authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an untrusted certificate authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it requires a client certificate, and none is configured',
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it does not trust the client certificate',
};

/** Converts an error into a message that contains nothing of the request but its origin. */
function toFailure(error: Error, { origin }: URL): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const why = MESSAGES[code] ?? (code === '' ? error.message : code);
  const isAnswer = code.startsWith('HPE_') || code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT');
  return isAnswer
    ? new OutboundError('invalid-answer', `${origin} sent an invalid response: ${why}.`, { cause: error })
    : new OutboundError('unreachable', `${origin} could not be reached: ${why}.`, { cause: error });
}
