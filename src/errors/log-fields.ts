import { isBytes } from './find-json-refusal.ts';
import type { LogFields, Logger } from './logger.ts';

/** Fields as an object: bytes and lists, which handlers may give as well, have a member for every element. */
export function asFields(fields: LogFields | undefined): LogFields | undefined {
  return fields !== undefined && (Array.isArray(fields) || isBytes(fields)) ? { fields } : fields;
}

/** A logger that says these fields in every entry. */
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
