import type { ProgressUpdate } from '../../middleware/context.ts';
import type { Dialogue } from '../../middleware/dialogue.ts';
import type { ToolCall } from '../../pipeline/context/call.ts';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { MAX_ID_LENGTH } from '../messages/json-rpc.ts';
import type { RpcParams } from '../messages/json-rpc.ts';
import type { Incoming } from '../services/method.ts';

/** A call as its request describes it. */
export function toCall(
  { exchange, request }: Incoming,
  dialogue: Dialogue,
  called: { readonly name: string; readonly arguments: unknown },
): ToolCall {
  const meta = request.params?.['_meta'] as RpcParams | undefined;
  const token = meta?.['progressToken'];
  // It is sent with every update.
  const isAsked = (typeof token === 'string' && token.length <= MAX_ID_LENGTH) || typeof token === 'number';
  // Member by member: this is made for every call.
  return {
    name: called.name,
    arguments: called.arguments,
    principal: exchange.caller.principal,
    accessToken: exchange.caller.accessToken,
    address: exchange.caller.address,
    requestId: request.id,
    http: exchange.http,
    cancellation: exchange.cancellation,
    hold: exchange.hold,
    // Of a stream that may be left and come back to, the messages are kept.
    room: exchange.session === undefined ? exchange.hold : undefined,
    meta,
    dialogue,
    onProgress: isAsked ? toProgress(exchange, token) : undefined,
  };
}

/** Progress only ever grows; what does not is not sent. */
function toProgress(
  exchange: Incoming['exchange'],
  progressToken: string | number,
): (update: ProgressUpdate) => MaybePromise<void> {
  let last = Number.NEGATIVE_INFINITY;
  let sending: PromiseLike<void> | undefined;
  return (update) => {
    // A reader that is behind gets the next one instead; what waits for it must not grow.
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
