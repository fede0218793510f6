import { toLoggedError } from '../../errors/log-thrown.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { KeptJson } from '../messages/answer.ts';
import type { Exchange } from '../served/exchange.ts';
import type { Introduction } from '../served/introduction.ts';
import type { RpcError, RpcRequest } from '../messages/json-rpc.ts';
import { META } from '../messages/meta-keys.ts';
import { INTERNAL_ERROR } from '../messages/rpc-errors.ts';
import type { Services } from './services.ts';

/** What a method answers: a result as JSON text, perhaps one that is kept, or an error. */
export type MethodReply =
  | { readonly json: string }
  | { readonly kept: KeptJson }
  | { readonly error: RpcError };

/** One request on its way. */
export interface Incoming<TServices = Services> {
  readonly services: TServices;
  readonly request: RpcRequest;
  readonly exchange: Exchange;
}

/** One method of the protocol, and what it needs of a server. */
export type Method<TServices = Services> = (incoming: Incoming<TServices>) => MaybePromise<MethodReply>;

/** A result of 2026-07-28 as text, with what every one of them says. `written`: the result as text, where somebody has it. */
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

/** A result as the revision in use wants it. */
export function toReply({ services, exchange }: Incoming, result: object): MethodReply {
  const isModern = exchange.revision.era === 'modern';
  return {
    json: isModern
      ? stamped(services.introduction, result as Record<string, unknown>)
      : JSON.stringify(result),
  };
}

/** The reply to a request that could not be answered; the log says why. */
export function toFailed(
  { services, request }: Incoming<Pick<Services, 'logger'>>,
  error: unknown,
): MethodReply {
  services.logger.error('a request could not be answered', {
    method: request.method,
    error: toLoggedError(error),
  });
  return { error: INTERNAL_ERROR };
}
