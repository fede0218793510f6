import { CallRefusedError } from '../../errors/errors.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { KeptJson } from '../messages/answer.ts';
import type { Exchange } from '../served/exchange.ts';
import type { Introduction } from '../served/introduction.ts';
import type { RpcError, RpcRequest } from '../messages/json-rpc.ts';
import { META } from '../messages/meta-keys.ts';
import { toRefusal } from './refusal.ts';
import { INTERNAL_ERROR } from '../messages/rpc-errors.ts';
import type { Services } from './services.ts';

/** Reply of a method: a result as JSON, a preserialized result, or an error. */
export type MethodReply =
  | { readonly json: string }
  | { readonly kept: KeptJson }
  | { readonly error: RpcError };

/** A request with its exchange and the services of the server. */
export interface Incoming<TServices = Services> {
  readonly services: TServices;
  readonly request: RpcRequest;
  readonly exchange: Exchange;
}

/** A method of the protocol, with the services that it needs. */
export type Method<TServices = Services> = (incoming: Incoming<TServices>) => MaybePromise<MethodReply>;

/** Serializes a result of 2026-07-28 with the members that all results have. `written`: the result as JSON, if it is already serialized. */
export function stamped(
  { signature, stamp }: Introduction,
  result: Readonly<Record<string, unknown>>,
  written?: string,
): string {
  if (result['_meta'] !== undefined) {
    const _meta = { ...(result['_meta'] as object), [META.serverInfo]: signature };
    return JSON.stringify({ resultType: 'complete', ...result, _meta });
  }
  const json = written ?? JSON.stringify(result);
  return json === '{}' ? `{${stamp}}` : `{${stamp},${json.slice(1)}`;
}

/** Converts a result to the format of the revision. */
export function toReply({ services, exchange }: Incoming, result: object): MethodReply {
  const isModern = exchange.revision.era === 'modern';
  return {
    json: isModern
      ? stamped(services.introduction, result as Record<string, unknown>)
      : JSON.stringify(result),
  };
}

/** Reply to a request that failed; details are logged, unless the server is only busy, such as without its store of tasks. */
export function toFailed(
  { services, request }: Incoming<Pick<Services, 'logger'>>,
  error: unknown,
): MethodReply {
  if (error instanceof CallRefusedError && error.code === 'BUSY')
    return { error: toRefusal(services, error) };
  services.logger.error('a request failed', {
    method: request.method,
    error: toLoggedError(error),
  });
  return { error: INTERNAL_ERROR };
}
