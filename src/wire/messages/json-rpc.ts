/** What tells requests apart. */
export type RequestId = string | number;

/** Longer ids and tokens are not taken: they are sent back with everything that belongs to them. */
export const MAX_ID_LENGTH = 1024;

/** What a request or a notification carries. */
export type RpcParams = Readonly<Record<string, unknown>>;

/** Somebody wants an answer. */
export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: RpcParams | undefined;
  /** The memory it takes up, in bytes; 0 for a part of a batch, which counts as a whole. */
  readonly weight: number;
}

/** Somebody tells something. */
export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: RpcParams | undefined;
}

/** The answer to a request of ours. */
export interface RpcResponse {
  readonly kind: 'response';
  readonly id: RequestId;
  readonly result: unknown;
  readonly error: RpcError | undefined;
  /** The memory it takes up, in bytes. */
  readonly weight: number;
}

/** One message of the protocol. */
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** What went wrong, as the protocol says it. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** The HTTP status that goes with it, where a revision asks for one. */
  readonly status?: number;
  /** Scopes that the caller lacks: the transport writes the challenge. */
  readonly requiredScopes?: readonly string[];
}

/** The answer to a request, as JSON text. */
export function encodeResult(id: RequestId, resultJson: string): string {
  return `${encodeResultHead(id)}${resultJson}}`;
}

/** What stands before a result; behind it there is a brace. */
export function encodeResultHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"result":`;
}

/** The answer to a request that failed. Without an id when the request was not understood well enough to have one. */
export function encodeError(id: RequestId | undefined, { code, message, data }: RpcError): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  const prefix = id === undefined ? '' : `"id":${encodeId(id)},`;
  return `{"jsonrpc":"2.0",${prefix}"error":${JSON.stringify(error)}}`;
}

/** Something the client is told. */
export function encodeNotification(method: string, params: object | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
}

/** Something the client is asked; only in revisions before 2026-07-28. */
export function encodeRequest(id: RequestId, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function encodeId(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}
