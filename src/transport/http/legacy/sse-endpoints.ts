import { isPromiseLike } from '../../../base/maybe-promise.ts';
import type { MaybePromise } from '../../../base/maybe-promise.ts';
import { Quota } from '../../../base/quota.ts';
import { createId } from '../../../base/random-id.ts';
import { DuplexConnection } from '../../../wire/sessions/duplex-connection.ts';
import { invalidRequest } from '../../../wire/messages/rpc-errors.ts';
import { findOwner } from '../../../wire/served/owner.ts';
import { admit } from '../gate/admit.ts';
import { KeepAlive, OpenStream } from '../gate/keep-alive.ts';
import { ALIVE } from './event-stream.ts';
import { respondError, respondNoRoom, respondNotAllowed } from '../message/respond.ts';
import type { Body, StreamSink } from '../message/http-message.ts';
import { HttpDetails } from '../message/http-details.ts';
import { HTTP_DEFAULTS } from '../message/http-options.ts';
import type { SseOptions } from '../message/http-options.ts';
import { accepts, isJsonBody } from '../message/media-types.ts';
import { quotaOwnerOf } from '../gate/endpoint-request.ts';
import type { EndpointParts, EndpointRequest } from '../gate/endpoint-request.ts';
import { streamHeaders } from '../message/response-headers.ts';

interface SseClient {
  readonly owner: string;
  readonly connection: DuplexConnection;
  readonly stream: StreamSink;
  /** Bytes that the client has not read yet. */
  unsentBytes: number;
}

/** Time for error responses after everything was cancelled. */
const CUT_OFF_MS = 200;

/** Unread bytes at which a client is disconnected. */
const MAX_UNSENT_BYTES = 16_777_216;

/** The two endpoints of 2024-11-05: a stream for messages of the server, and a path for messages of the client. */
export class SseEndpoints {
  readonly #parts: EndpointParts;
  readonly #streamPath: string;
  readonly #messagePath: string;
  readonly #quota: Quota;
  readonly #keepAlive: KeepAlive;
  readonly #clients = new Map<string, SseClient>();

  constructor(parts: EndpointParts, options: SseOptions) {
    const { streamPath = '/sse', messagePath = '/messages' } = options;
    this.#parts = parts;
    this.#keepAlive = new KeepAlive(parts.served.clock, parts.keepAliveMs);
    this.#streamPath = streamPath;
    this.#messagePath = messagePath;
    const { maxSessions, maxSessionsPerCaller } = HTTP_DEFAULTS;
    this.#quota = new Quota(options.maxClients ?? maxSessions, maxSessionsPerCaller);
  }

  serves(path: string): boolean {
    return path === this.#streamPath || path === this.#messagePath;
  }

  handle(request: EndpointRequest, path: string): MaybePromise<void> {
    const { http, sink, cors } = request;
    if (path === this.#streamPath)
      return http.method === 'GET' ? this.#open(request) : respondNotAllowed(sink, 'GET', cors);
    return http.method === 'POST' ? this.#receive(request) : respondNotAllowed(sink, 'POST', cors);
  }

  /** Waits until no request runs, or the timeout has passed. */
  async drain(drainMs: number): Promise<void> {
    await Promise.all(Array.from(this.#clients.values(), ({ connection }) => connection.drain(drainMs)));
  }

  /** Cancels running requests; they get an error with the reason. */
  async close(): Promise<void> {
    for (const { connection } of this.#clients.values()) connection.cutOff('The server is closing.');
    await this.drain(CUT_OFF_MS);
    for (const id of Array.from(this.#clients.keys())) this.#remove(id);
    this.#keepAlive.close();
  }

  #open({ http, sink, identified, cors }: EndpointRequest): void {
    const { served, admission } = this.#parts;
    const refuse = (status: number, message: string): void =>
      respondError(sink, { status, error: invalidRequest(message), headers: cors });
    if (!accepts(http, 'text/event-stream')) return refuse(406, 'Not acceptable: accept text/event-stream.');
    const { caller } = identified;
    const quotaOwner = quotaOwnerOf(caller, served);
    const release = this.#quota.take(quotaOwner);
    if (release === undefined) return refuse(503, 'Too many clients are connected. Try again later.');
    const id = createId();
    const stream = sink.openStream(200, streamHeaders(cors));
    const connection = new DuplexConnection(served, {
      caller,
      isLegacy: true,
      gate: {
        admit: ({ caller: of, ...applicant }) => admit(admission, { ...applicant, owner: findOwner(of) }),
        onAsk: (of, isWaiting) =>
          isWaiting ? admission.leave(findOwner(of)) : admission.resume(findOwner(of)),
      },
      send: (message) => this.#send(client, message),
    });
    const client: SseClient = { owner: quotaOwner.owner, connection, stream, unsentBytes: 0 };
    this.#clients.set(id, client);
    const open = new OpenStream(() => void stream.write(ALIVE));
    this.#keepAlive.add(open);
    sink.onClose(() => {
      this.#keepAlive.remove(open);
      release();
      this.#remove(id);
    });
    void stream.write(`event: endpoint\ndata: ${this.#messagePath}?sessionId=${id}\n\n`);
  }

  #receive({ http, sink, identified, cors, account }: EndpointRequest): MaybePromise<void> {
    const refuse = (status: number, message: string): void =>
      respondError(sink, { status, error: invalidRequest(message), headers: cors });
    const id = new URLSearchParams(http.target.slice(http.target.indexOf('?') + 1)).get('sessionId') ?? '';
    const client = this.#find(id, identified.caller);
    if (client === undefined) return refuse(404, 'Session not found. Open the stream first.');
    if (!isJsonBody(http)) return refuse(415, 'Unsupported media type: the body must be application/json.');
    const encoding = http.header('content-encoding');
    if (encoding !== undefined && encoding !== 'identity')
      return refuse(415, 'Unsupported media type: the body must not be compressed.');
    const { maxMessageBytes } = this.#parts.served.limits;
    const take = (body: Body): void => {
      if (body.kind === 'no-room') return respondNoRoom({ sink, cors });
      if (body.kind === 'too-large')
        // Rejected before the body is read, which would then be discarded.
        return respondError(sink, {
          status: 413,
          error: invalidRequest(`The body is larger than ${maxMessageBytes} bytes.`),
          headers: { ...cors, connection: 'close' },
        });
      sink.respond(202, cors);
      client.connection.receiveOver(
        new HttpDetails(http),
        body.kind === 'text' ? body.text : body.kind === 'parsed' ? JSON.stringify(body.value) : '',
        identified.caller,
      );
    };
    const body = http.readBody(this.#parts.bodyLimits, account);
    return isPromiseLike(body) ? body.then(take) : take(body);
  }

  #send(client: SseClient, message: string): MaybePromise<void> {
    const sent = client.stream.write(`event: message\ndata: ${message}\n\n`);
    if (!isPromiseLike(sent)) return undefined;
    client.unsentBytes += message.length;
    if (client.unsentBytes > MAX_UNSENT_BYTES) client.stream.cut();
    return sent.then(() => {
      client.unsentBytes -= message.length;
    });
  }

  /** Finds a client of this caller. Clients of other callers do not exist for it. */
  #find(id: string, caller: EndpointRequest['identified']['caller']): SseClient | undefined {
    const client = this.#clients.get(id);
    // defence: owners-of-sse-clients
    if (client?.owner !== quotaOwnerOf(caller, this.#parts.served).owner) return undefined;
    return client;
  }

  #remove(id: string): void {
    const client = this.#clients.get(id);
    this.#clients.delete(id);
    client?.connection.close('The client disconnected.');
    client?.stream.end();
  }
}
