import type { Logger } from './logger.ts';

/** The same logger, except that its errors do not reach the call. */
export function shieldLogger(logger: Logger): Logger {
  const shield =
    (write: (...entry: Parameters<Logger['info']>) => void) =>
    (...entry: Parameters<Logger['info']>): void => {
      try {
        write(...entry);
      } catch {
        // A failing logger cannot be reported.
      }
    };
  return {
    debug: shield((...entry) => logger.debug(...entry)),
    info: shield((...entry) => logger.info(...entry)),
    warning: shield((...entry) => logger.warning(...entry)),
    error: shield((...entry) => logger.error(...entry)),
    ...(logger.isEnabled === undefined
      ? {}
      : {
          isEnabled: (level) => {
            try {
              return logger.isEnabled?.(level) !== false;
            } catch {
              return true;
            }
          },
        }),
  };
}
