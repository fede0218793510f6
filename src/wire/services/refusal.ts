import { CallRefusedError } from '../../errors/errors.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import type { RpcError } from '../messages/json-rpc.ts';
import { busy, INTERNAL_ERROR } from '../messages/rpc-errors.ts';
import type { Runtime } from '../served/served.ts';

/** Converts a thrown value to a protocol error. Only messages written for the caller are sent. */
export function toRefusal({ logger }: Pick<Runtime, 'logger'>, error: unknown): RpcError {
  if (error instanceof CallRefusedError) {
    const { code, message, retryAfterMs } = error;
    const data = { code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    return { ...(code === 'BUSY' ? busy(message) : { code: INTERNAL_ERROR.code, message }), data };
  }
  logger.error('a request failed', { error: toLoggedError(error) });
  return INTERNAL_ERROR;
}
