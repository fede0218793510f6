import { assertOptions, BOOLEAN, CLOCK, oneOf } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import type { LogLevel } from '../../errors/logger.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { parseSecretPaths } from '../../schema/issues/secret-paths.ts';
import type { PolicySubject } from '../context.ts';
import type { Middleware } from '../middleware.ts';
import { copyRedacted } from '../texts/redact-value.ts';
import { codeOf, watch } from '../parts/call-outcome.ts';

/** Options of {@link logging}. */
export interface LoggingOptions {
  /** The level of the entry that a call leaves when it ends. Default: `info`. The one for its start is `debug`. */
  readonly level?: LogLevel;
  /** Whether the validated arguments are part of the entry for the start. Default: false, because they may hold secrets. */
  readonly logArguments?: boolean;
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof LoggingOptions> = {
  level: oneOf('debug', 'info', 'warning', 'error'),
  logArguments: BOOLEAN,
  clock: CLOCK,
};

/**
 * Logs when a call starts and how it ended: the outcome, the code of what was thrown, and the duration. Neither results nor the
 * messages of errors are logged here.
 *
 * @example
 * const registry = new ToolRegistry().use(logging({ level: 'debug' }));
 */
export function logging(options: LoggingOptions = {}): Middleware {
  assertOptions('logging', options, OPTIONS);
  const { level = 'info', logArguments = false, clock = systemClock } = options;
  return ({ input, context, subject, next }) => {
    const { log } = context;
    const call = { name: subject.name, principal: context.principal?.id };
    if (log.isEnabled?.('debug') !== false)
      log.debug('call started', logArguments ? { ...call, arguments: withoutSecrets(input, subject) } : call);
    if (log.isEnabled?.(level) === false) return next();
    const startedAt = clock.now();
    return watch(next, (outcome, thrown) => {
      const code = outcome === 'thrown' ? { code: codeOf(thrown) } : {};
      log[level]('call ended', { ...call, outcome, ...code, durationMs: clock.now() - startedAt });
    });
  };
}

/** The arguments without those that the definition lists as secret; nothing of what cannot be looked through. */
// defence: log-without-secrets
function withoutSecrets(input: unknown, { secrets = [] }: PolicySubject): unknown {
  try {
    return copyRedacted(input, {
      secrets: parseSecretPaths(secrets),
      censor: '[redacted]',
      onHidden: () => {},
    });
  } catch {
    return '[not shown]';
  }
}
