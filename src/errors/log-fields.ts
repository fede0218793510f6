import { asFields } from './logger.ts';
import type { LogFields, Logger } from './logger.ts';

/** A logger that adds these fields to every entry. */
export function withLogFields(logger: Logger, own: LogFields): Logger {
  const joined = (fields: LogFields | undefined): LogFields => ({ ...own, ...asFields(fields) });
  return {
    debug: (message, fields) => logger.debug(message, joined(fields)),
    info: (message, fields) => logger.info(message, joined(fields)),
    warning: (message, fields) => logger.warning(message, joined(fields)),
    error: (message, fields) => logger.error(message, joined(fields)),
    ...(logger.isEnabled === undefined ? {} : { isEnabled: (level) => logger.isEnabled?.(level) ?? true }),
  };
}
