import { Cancellation } from '../../../base/time/cancellation.ts';
import { MemoryHold } from '../../../base/memory/memory-hold.ts';
import { OpenItem, OpenList } from '../../../base/open-list.ts';
import type { Decoded } from '../../../wire/messages/decode.ts';
import { toErrorAnswer } from '../../../wire/messages/answer.ts';
import { describeClient } from '../../../wire/messages/envelope.ts';
import { findRevision, MODERN, UNSPOKEN } from '../../../wire/messages/revisions.ts';
import { INTERNAL_ERROR, invalidRequest, NO_ROOM } from '../../../wire/messages/rpc-errors.ts';
import type { Exchange } from '../../../wire/served/exchange.ts';
import { admit } from '../gate/admit.ts';
import type { EndpointParts, EndpointRequest } from '../gate/endpoint-request.ts';
import { HttpDetails } from '../message/http-details.ts';
import { respondError, respondLegacy } from '../message/respond.ts';
import { jsonHeaders } from '../message/response-headers.ts';

/** Requests of earlier revisions without a session. */
export class StatelessRequests {
  readonly #parts: EndpointParts;
  readonly #open = new OpenList<WithoutSession>();

  constructor(parts: EndpointParts) {
    this.#parts = parts;
  }

  /** Cancels running requests. */
  close(): void {
    for (const { cutOff } of this.#open.all()) cutOff();
  }

  /** Handles a stateless request: the client's capabilities are unknown, and it cannot be asked. */
  async answer(request: EndpointRequest, message: Decoded): Promise<void> {
    const { http, sink, identified, cors } = request;
    if (message.kind === 'notification' || message.kind === 'response') return sink.respond(202, cors);
    if (message.kind !== 'request')
      return respondError(sink, {
        status: 400,
        error: invalidRequest('Invalid request: send one message per POST.'),
        headers: cors,
      });
    const hold = MemoryHold.take(request.account, message.weight, this.#parts.served.clock);
    if (hold === undefined)
      return respondLegacy(sink, message.id, { answer: toErrorAnswer(message.id, NO_ROOM), cors });
    const revision = findRevision(http.header('mcp-protocol-version')) ?? UNSPOKEN;
    // In earlier revisions a closed connection cancels nothing; only a shutdown does.
    const cancellation = new Cancellation();
    const { caller } = identified;
    const exchange: Exchange = {
      revision: revision === MODERN ? UNSPOKEN : revision,
      caller,
      client: describeClient(undefined, {}, revision.version),
      cancellation,
      closing: this.#parts.closing,
      send: () => {},
      logLevel: undefined,
      ask: undefined,
      releaseStream: () => {},
      hold,
      headers: undefined,
      http: new HttpDetails(http),
      session: undefined,
    };
    const open = new WithoutSession(() => {
      const error = { ...INTERNAL_ERROR, message: 'The server is closing.' };
      sink.respond(503, jsonHeaders(cors), toErrorAnswer(message.id, error).text);
      cancellation.cancel(new DOMException('The server is closing.', 'AbortError'));
    });
    this.#open.add(open);
    const answer = await admit(this.#parts.admission, {
      id: message.id,
      owner: request.account.owner,
      answer: () => this.#parts.served.answer(message, exchange),
    });
    this.#open.remove(open);
    hold.release();
    respondLegacy(sink, message.id, { answer, cors });
  }
}

/** A running request without a session. */
class WithoutSession extends OpenItem {
  readonly cutOff: () => void;

  constructor(cutOff: () => void) {
    super();
    this.cutOff = cutOff;
  }
}
