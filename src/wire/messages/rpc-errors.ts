import {
  JSON_RPC_INTERNAL_ERROR,
  JSON_RPC_INVALID_PARAMS,
  JSON_RPC_INVALID_REQUEST,
  JSON_RPC_METHOD_NOT_FOUND,
  MCP_MISSING_CLIENT_CAPABILITY,
} from '../../errors/codes.ts';
import { cutText } from '../../base/cut-text.ts';
import type { RequiredCapabilities } from '../../errors/errors.ts';
import type { RpcError } from './json-rpc.ts';

/** A header differs from the body (2026-07-28). */
export const HEADER_MISMATCH = -32020;
/** Unsupported revision (2026-07-28). */
export const UNSUPPORTED_VERSION = -32022;
/** Unknown resource, before 2026-07-28. */
export const LEGACY_RESOURCE_NOT_FOUND = -32002;

/** Error for all internal failures; details are only logged. */
export const INTERNAL_ERROR: RpcError = { code: JSON_RPC_INTERNAL_ERROR, message: 'Internal error' };

export function invalidParams(message: string, data?: unknown): RpcError {
  return { code: JSON_RPC_INVALID_PARAMS, message, ...(data === undefined ? {} : { data }) };
}

/** Error for a request that exceeds a limit of the server. */
export function busy(message: string): RpcError {
  return { code: INTERNAL_ERROR.code, message, data: { code: 'BUSY' }, status: 503 };
}

/** Error if the memory budget, or the caller's share of it, is used up. */
export const NO_ROOM: RpcError = busy(
  'The server is busy: there is no memory left for a request of this size. Try again later.',
);

/** Error if the tool has run, but the memory budget has no room for its result. */
export const NO_ROOM_FOR_RESULT: RpcError = busy(
  'The server is busy: there is no memory left for a result of this size. Try again later.',
);

export function invalidRequest(message: string, status = 400): RpcError {
  return { code: JSON_RPC_INVALID_REQUEST, message, status };
}

export function methodNotFound(method: string): RpcError {
  return {
    code: JSON_RPC_METHOD_NOT_FOUND,
    message: `Method not found: ${method.slice(0, 128)}`,
    status: 404,
  };
}

export function headerMismatch(message: string): RpcError {
  return { code: HEADER_MISMATCH, message, status: 400 };
}

export function unsupportedVersion(requested: string, supported: readonly string[]): RpcError {
  const shown = cutText(requested);
  return {
    code: UNSUPPORTED_VERSION,
    message: `Unsupported protocol version: ${shown}. Supported: ${supported.join(', ')}.`,
    data: { supported, requested: shown },
    status: 400,
  };
}

export function missingCapability(requiredCapabilities: RequiredCapabilities, message: string): RpcError {
  return { code: MCP_MISSING_CLIENT_CAPABILITY, message, data: { requiredCapabilities }, status: 400 };
}
