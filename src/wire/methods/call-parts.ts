import type { ProgressUpdate } from '../../middleware/context.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import type { ToolCall } from '../../pipeline/context/call.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { MAX_ID_LENGTH } from '../messages/json-rpc.ts';
import type { RpcParams } from '../messages/json-rpc.ts';
import type { Incoming } from '../services/method.ts';

/** Converts a request to a call. */
export function toCall(
  { exchange, request }: Incoming,
  dialogue: Dialogue,
  called: { readonly name: string; readonly arguments: unknown },
): ToolCall {
  const meta = request.params?.['_meta'] as RpcParams | undefined;
  const token = meta?.['progressToken'];
  // The token is sent with every progress notification, so its length is limited.
  const isAsked = (typeof token === 'string' && token.length <= MAX_ID_LENGTH) || typeof token === 'number';
  // Written out for speed: this runs for every call.
  return {
    name: called.name,
    arguments: called.arguments,
    principal: exchange.caller.principal,
    accessToken: exchange.caller.accessToken,
    address: exchange.caller.address,
    connection: exchange.caller.connection,
    requestId: request.id,
    http: exchange.http,
    cancellation: exchange.cancellation,
    hold: exchange.hold,
    // Messages of a resumable stream are kept by its event store.
    room: exchange.session === undefined ? exchange.hold : undefined,
    meta,
    dialogue,
    onProgress: isAsked ? toProgress(exchange, token) : undefined,
  };
}

/** Progress must increase; other values are not sent. */
function toProgress(
  exchange: Incoming['exchange'],
  progressToken: string | number,
): (update: ProgressUpdate) => MaybePromise<void> {
  let last = Number.NEGATIVE_INFINITY;
  let sending: PromiseLike<void> | undefined;
  return (update) => {
    // Updates are dropped while the reader is slow, so that nothing is queued.
    // defence: one-progress-at-a-time
    if (sending !== undefined) return sending;
    if (update.progress <= last) return undefined;
    last = update.progress;
    const params = JSON.stringify({ progressToken, ...update });
    const message = `{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`;
    const sent = exchange.send(message, progressToken);
    if (!isPromiseLike(sent)) return undefined;
    const done = (): void => {
      sending = undefined;
    };
    sending = sent.then(done, done);
    return sending;
  };
}
