import type { LogFields, Logger, LogLevel } from '../../src/errors/logger.ts';

export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

/** A logger that records its entries. */
export function recordLog(): { readonly logger: Logger; readonly entries: LogEntry[] } {
  const entries: LogEntry[] = [];
  const record =
    (level: LogLevel) =>
    (message: string, fields?: LogFields): void => {
      entries.push({ level, message, fields });
    };
  const logger: Logger = {
    debug: record('debug'),
    info: record('info'),
    warning: record('warning'),
    error: record('error'),
  };
  return { logger, entries };
}
