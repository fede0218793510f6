import { fromBase64Url, toBase64Url } from '../../../base/json/base64.ts';
import { isObject } from '../../../base/is-object.ts';
import { createId } from '../../../base/random-id.ts';
import { encodeError } from '../../../wire/messages/json-rpc.ts';
import type { RequestId } from '../../../wire/messages/json-rpc.ts';
import { INTERNAL_ERROR } from '../../../wire/messages/rpc-errors.ts';

/** Longer ids of requests are left out of the ids of streams, which are part of every event. */
const MAX_ID_BYTES = 64;

/** Id of the stream of a request in a shared session. It contains the id of the request: another node may have to respond to it. */
export function toSharedStream(key: string, requestId: RequestId | undefined): string {
  const bytes = new TextEncoder().encode(requestId === undefined ? '' : JSON.stringify(requestId));
  return `${key}-${createId()}-${bytes.length > MAX_ID_BYTES ? '' : toBase64Url(bytes)}`;
}

/** The response to the request of a stream whose node has stopped; undefined if the id of the request is unknown. */
export function toLostResponse(stream: string): string | undefined {
  const bytes = fromBase64Url(stream.split('-').slice(2).join('-'));
  const id = bytes === undefined ? undefined : parse(new TextDecoder().decode(bytes));
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const message =
    'Internal error: the machine that handled the request has stopped. The request may have had effects.';
  return encodeError(id, { ...INTERNAL_ERROR, message });
}

/** Whether a message is a response, which is the last message of the stream of one request. */
export function isResponse(message: string): boolean {
  const parsed = parse(message);
  return isObject(parsed) && !('method' in parsed);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
