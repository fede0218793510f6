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
  /** Level of the entry at the end of a call; the entry at its start has level `'debug'`. Default: `'info'`. */
  readonly level?: LogLevel;
  /** Whether the start entry contains the validated arguments. They may contain secrets. Default: `false`. */
  readonly logArguments?: boolean;
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof LoggingOptions> = {
  level: oneOf('debug', 'info', 'warning', 'error'),
  logArguments: BOOLEAN,
  clock: CLOCK,
};

/**
 * Logs the start and the end of each call: outcome, error code and duration. It logs neither results nor error messages.
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

/** The arguments without those that the definition lists as secret; undefined if they cannot be traversed. */
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
