/** Id of a request. */
export type RequestId = string | number;

/** Longer ids and tokens are rejected: they are repeated in every related message. */
export const MAX_ID_LENGTH = 1024;

/** Parameters of a request or a notification. */
export type RpcParams = Readonly<Record<string, unknown>>;

/** A JSON-RPC request. */
export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: RpcParams | undefined;
  /** Memory of the message in bytes; 0 for a part of a batch, which is counted as a whole. */
  readonly weight: number;
}

/** A JSON-RPC notification. */
export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: RpcParams | undefined;
}

/** A JSON-RPC response to a request of the server. */
export interface RpcResponse {
  readonly kind: 'response';
  readonly id: RequestId;
  readonly result: unknown;
  readonly error: RpcError | undefined;
  /** Memory of the message in bytes. */
  readonly weight: number;
}

/** A message of the protocol. */
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** A JSON-RPC error. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** HTTP status, if the revision defines one. */
  readonly status?: number;
  /** Scopes that the caller lacks: the transport writes the challenge. */
  readonly requiredScopes?: readonly string[];
}

/** Encodes the response to a request. */
export function encodeResult(id: RequestId, resultJson: string): string {
  return `${encodeResultHead(id)}${resultJson}}`;
}

/** Encodes the part of a response before its result; a closing brace follows the result. */
export function encodeResultHead(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"result":`;
}

/** Encodes an error response. Without an id if the id of the request is unknown. */
export function encodeError(id: RequestId | undefined, { code, message, data }: RpcError): string {
  const error = data === undefined ? { code, message } : { code, message, data };
  const prefix = id === undefined ? '' : `"id":${encodeId(id)},`;
  return `{"jsonrpc":"2.0",${prefix}"error":${JSON.stringify(error)}}`;
}

/** Encodes a notification to the client. */
export function encodeNotification(method: string, params: object | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
}

/** Encodes a request to the client; only in revisions before 2026-07-28. */
export function encodeRequest(id: RequestId, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function encodeId(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}
