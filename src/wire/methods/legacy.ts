import { isLogLevel, LOG_LEVELS } from '../messages/log-levels.ts';
import type { Method } from '../services/method.ts';
import { invalidParams, methodNotFound } from '../messages/rpc-errors.ts';

/** `ping`. */
export const ping: Method = () => ({ json: '{}' });

/** `logging/setLevel`. */
export const setLevel: Method = ({ request, exchange }) => {
  const { level } = request.params ?? {};
  if (exchange.session === undefined) return { error: methodNotFound(request.method) };
  if (!isLogLevel(level))
    return { error: invalidParams(`Invalid params: level must be one of ${LOG_LEVELS.join(', ')}.`) };
  exchange.session.logLevel = level;
  return { json: '{}' };
};
