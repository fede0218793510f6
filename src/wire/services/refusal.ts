import { CallRefusedError } from '../../errors/errors.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import type { RpcError } from '../messages/json-rpc.ts';
import { INTERNAL_ERROR } from '../messages/rpc-errors.ts';
import type { Runtime } from '../served/served.ts';

/** Something thrown, as an error of the protocol. Only what was written for the caller goes out. */
export function toRefusal({ logger }: Pick<Runtime, 'logger'>, error: unknown): RpcError {
  if (error instanceof CallRefusedError) {
    const { code, message, retryAfterMs } = error;
    const data = { code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    return { code: INTERNAL_ERROR.code, message, data };
  }
  logger.error('a request could not be answered', { error: toLoggedError(error) });
  return INTERNAL_ERROR;
}
