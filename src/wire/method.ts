import { toLoggedError } from '../errors/log-thrown.ts';
import type { MaybePromise } from '../schema/validated.ts';
import type { Exchange } from './exchange.ts';
import type { RpcError, RpcRequest } from './json-rpc.ts';
import { INTERNAL_ERROR } from './rpc-errors.ts';
import type { Served } from './served.ts';

/** A result that is sent again and again, as text and as bytes. */
export interface KeptJson {
  readonly json: string;
  /** The same, and the brace that ends the message it stands in: one piece fewer to be sent. */
  readonly ending: Uint8Array;
}

/** What a method answers: a result as JSON text, perhaps one that is kept, or an error. */
export type MethodReply =
  | { readonly json: string }
  | { readonly kept: KeptJson }
  | { readonly error: RpcError };

/** One request on its way. */
export interface Incoming {
  readonly served: Served;
  readonly request: RpcRequest;
  readonly exchange: Exchange;
}

/** One method of the protocol. */
export type Method = (incoming: Incoming) => MaybePromise<MethodReply>;

/** A result of 2026-07-28 as text, with what every one of them says. */
export function stamped({ signature, stamp }: Served, result: Readonly<Record<string, unknown>>): string {
  if (result['_meta'] !== undefined) {
    const _meta = { ...(result['_meta'] as object), 'io.modelcontextprotocol/serverInfo': signature };
    return JSON.stringify({ resultType: 'complete', ...result, _meta });
  }
  const json = JSON.stringify(result);
  return json === '{}' ? `{${stamp}}` : `{${stamp},${json.slice(1)}`;
}

/** A result as the revision in use wants it. */
export function toReply({ served, exchange }: Incoming, result: object): MethodReply {
  const isModern = exchange.revision.era === 'modern';
  return { json: isModern ? stamped(served, result as Record<string, unknown>) : JSON.stringify(result) };
}

/** The reply to a request that could not be answered; the log says why. */
export function toFailed({ served, request }: Incoming, error: unknown): MethodReply {
  served.logger.error('a request could not be answered', {
    method: request.method,
    error: toLoggedError(error),
  });
  return { error: INTERNAL_ERROR };
}
