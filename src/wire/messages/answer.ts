import { encodeError, encodeResult, encodeResultHead } from './json-rpc.ts';
import type { RequestId, RpcError } from './json-rpc.ts';

/** The answer to a request, as it is sent. */
export interface Answer {
  readonly text: string;
  /** The HTTP status, where a revision asks for one. */
  readonly status: number;
  /** The same text, where most of it is kept as bytes. */
  readonly pieces?: Pieces;
  /** Scopes that the caller lacks, for the challenge of HTTP. */
  readonly requiredScopes?: readonly string[];
}

/** A text in two pieces, the second one as bytes. */
export interface Pieces {
  readonly head: string;
  readonly bytes: Uint8Array;
}

/** A result that is sent again and again, as text and as bytes. */
export interface KeptJson {
  readonly json: string;
  /** The same, and the brace that ends the message it stands in: one piece fewer to be sent. */
  readonly ending: Uint8Array;
}

/** For a request whose client has gone or has taken it back: nobody reads it. */
export const UNREAD: Answer = { text: '', status: 200 };

/** The answer to a request that was served. */
export function toResultAnswer(id: RequestId, resultJson: string): Answer {
  return { text: encodeResult(id, resultJson), status: 200 };
}

/** The answer to a request that cannot be served. */
export function toErrorAnswer(id: RequestId | undefined, error: RpcError): Answer {
  const { status = 200, requiredScopes } = error;
  return {
    text: encodeError(id, error),
    status,
    ...(requiredScopes === undefined ? {} : { requiredScopes }),
  };
}

/** An answer that is kept, as text or as bytes: whichever the transport sends. */
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
