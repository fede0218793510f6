import { JSON_RPC_INVALID_REQUEST, JSON_RPC_PARSE_ERROR } from '../../errors/codes.ts';
import { isObject } from '../../base/is-object.ts';
import { weighJson, weighValue } from '../../base/memory/weigh.ts';
import { findRequestId, isId } from './find-request-id.ts';
import { MAX_ID_LENGTH } from './json-rpc.ts';
import type { RequestId, RpcError, RpcMessage } from './json-rpc.ts';
import { findJsonProblem, findValueProblem } from './scan-json.ts';
import type { JsonLimits } from './scan-json.ts';

/** Result of decoding: a message, a batch, or an error. */
export type Decoded =
  | RpcMessage
  | { readonly kind: 'batch'; readonly messages: readonly Decoded[]; readonly weight: number }
  | { readonly kind: 'invalid'; readonly id: RequestId | undefined; readonly error: RpcError };

const encoder = new TextEncoder();

/** Decodes a message; `bytes` is the same text in UTF-8, if available. Never throws. */
export function decodeMessage(text: string, limits: JsonLimits, bytes?: Uint8Array): Decoded {
  const encoded = bytes ?? encoder.encode(text);
  const problem = findJsonProblem(encoded, limits);
  if (typeof problem === 'string') return invalid(`Invalid message: ${problem}.`, findRequestId(encoded));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // defence: response-to-no-json
    return {
      kind: 'invalid',
      id: undefined,
      error: {
        code: JSON_RPC_PARSE_ERROR,
        message: 'Parse error: the message is not valid JSON.',
        status: 400,
      },
    };
  }
  return toMessage(value, weighJson(text.length, encoded.length, problem));
}

/** Decodes a message that was already parsed. */
export function decodeValue(value: unknown, limits: JsonLimits): Decoded {
  const problem = findValueProblem(value, limits);
  if (problem === undefined) return toMessage(value, weighValue(value));
  return invalid(`Invalid message: ${problem}.`, requestIdOf(value));
}

function toMessage(value: unknown, weight: number): Decoded {
  if (!Array.isArray(value)) return readOne(value, weight);
  if (value.length === 0) return invalid('Invalid request: the batch is empty.');
  if (value.length > MAX_BATCH) return invalid(`Invalid request: a batch has at most ${MAX_BATCH} messages.`);
  return { kind: 'batch', messages: value.map((each) => readOne(each, 0)), weight };
}

/** Maximum number of messages of a batch, more than any client sends. */
const MAX_BATCH = 100;

function readOne(value: unknown, weight: number): Decoded {
  if (typeof value !== 'object' || value === null)
    return invalid('Invalid request: a message must be an object.');
  // defence: exact-keys
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  const known = isId(id) ? id : undefined;
  if (jsonrpc !== '2.0') return invalid('Invalid request: "jsonrpc" must be "2.0".', known);
  if (method === undefined) return readResponse(value as Record<string, unknown>, known, weight);
  if (typeof method !== 'string') return invalid('Invalid request: "method" must be a string.', known);
  if (params !== undefined && !isObject(params)) {
    return invalid('Invalid request: "params" must be an object.', known);
  }
  if (id === undefined) return { kind: 'notification', method, params };
  if (known === undefined) return invalid(NO_ID);
  return { kind: 'request', id: known, method, params, weight };
}

const NO_ID = `Invalid request: "id" must be a string of at most ${MAX_ID_LENGTH} characters or a whole number.`;

function readResponse(
  { result, error }: Record<string, unknown>,
  id: RequestId | undefined,
  weight: number,
): Decoded {
  const isAnswer = result !== undefined || isObject(error);
  if (id === undefined || !isAnswer) return invalid('Invalid request: "method" is missing.', id);
  // A batch is counted as a whole, but only until it is handled.
  const kept = weight === 0 ? weighValue(result) : weight;
  return { kind: 'response', id, result, error: error as RpcError | undefined, weight: kept };
}

/** Id of a rejected request. A response to a request of the server has an id too, but not one of the client's. */
function requestIdOf(value: unknown): RequestId | undefined {
  if (!isObject(value) || !Object.hasOwn(value, 'method')) return undefined;
  if (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error')) return undefined;
  return Object.hasOwn(value, 'id') && isId(value['id']) ? value['id'] : undefined;
}

function invalid(message: string, id?: RequestId): Decoded {
  return { kind: 'invalid', id, error: { code: JSON_RPC_INVALID_REQUEST, message, status: 400 } };
}
