import { encodeError, encodeResult, encodeResultHead } from './json-rpc.ts';
import type { RequestId, RpcError } from './json-rpc.ts';

/** Response to a request, as it is sent. */
export interface Answer {
  readonly text: string;
  /** HTTP status, if the revision defines one. */
  readonly status: number;
  /** The same text, if most of it is cached as bytes. */
  readonly pieces?: Pieces;
  /** Scopes that the caller lacks, for the challenge of HTTP. */
  readonly requiredScopes?: readonly string[];
}

/** A text in two parts, the second one as bytes. */
export interface Pieces {
  readonly head: string;
  readonly bytes: Uint8Array;
}

/** A result that is sent repeatedly, as a string and as bytes. */
export interface KeptJson {
  readonly json: string;
  /** The same bytes with the closing brace of the message: one part fewer to send. */
  readonly ending: Uint8Array;
}

/** For a request that was cancelled or whose client has disconnected; it is not sent. */
export const UNREAD: Answer = { text: '', status: 200 };

/** Successful response to a request. */
export function toResultAnswer(id: RequestId, resultJson: string): Answer {
  return { text: encodeResult(id, resultJson), status: 200 };
}

/** Error response to a request. */
export function toErrorAnswer(id: RequestId | undefined, error: RpcError): Answer {
  const { status = 200, requiredScopes } = error;
  return {
    text: encodeError(id, error),
    status,
    ...(requiredScopes === undefined ? {} : { requiredScopes }),
  };
}

/** A cached response, as a string or as bytes, depending on the transport. */
export class KeptAnswer implements Answer {
  readonly status = 200;
  readonly #id: RequestId;
  readonly #kept: KeptJson;

  constructor(id: RequestId, kept: KeptJson) {
    this.#id = id;
    this.#kept = kept;
  }

  get text(): string {
    return encodeResult(this.#id, this.#kept.json);
  }

  get pieces(): Pieces {
    return { head: encodeResultHead(this.#id), bytes: this.#kept.ending };
  }
}
