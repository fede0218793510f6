import { assertKnown } from '../../errors/assert-known.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { MemoryRateLimitStore } from '../../stores/rate-limit-store.ts';
import type { RateLimitStore } from '../../stores/rate-limit-store.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import { hash } from '../../base/hash.ts';
import { identityOf } from '../parts/caller-identity.ts';
import { assertNumber } from '../parts/options.ts';

/** Options of {@link rateLimit}. */
export interface RateLimitOptions {
  /** How many calls in a window. */
  readonly limit: number;
  /** How long a window is. */
  readonly perMs: number;
  /** Default: in memory, for 10,000 callers. */
  readonly store?: RateLimitStore;
  /** What is counted together. Default: the calls of one caller of one tool or action. */
  readonly by?: (call: MiddlewareCall) => string;
  /** For the store in memory. */
  readonly clock?: Clock;
}

/**
 * Bounds how often a caller may call. Callers are told apart by their principal, without one by their access token, of which the
 * store sees a hash. A store that fails lets nobody pass.
 *
 * @example
 * const sendMail = defineTool({ name: 'send_mail', middleware: [rateLimit({ limit: 5, perMs: 60_000 })], ... });
 */
export function rateLimit(options: RateLimitOptions): Middleware {
  assertKnown('The options of rateLimit', options, ['limit', 'perMs', 'store', 'by', 'clock']);
  const { limit, perMs, by = callerOf, clock = systemClock } = options;
  assertNumber('rateLimit: limit', limit, { min: 1, isWhole: true });
  assertNumber('rateLimit: perMs', perMs, { min: 1 });
  const store = options.store ?? new MemoryRateLimitStore({ clock });
  const rate = { limit, perMs };
  return async (call) => {
    const decision = await store.consume(await by(call), rate);
    if (decision.allowed) return call.next();
    const { retryAfterMs } = decision;
    throw new CallRefusedError(
      'RATE_LIMITED',
      `'${call.subject.name}' was called too often. Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s.`,
      { retryAfterMs },
    );
  };
}

async function callerOf({ context, subject }: MiddlewareCall): Promise<string> {
  const [kind, ...id] = identityOf(context);
  const name = kind === 'token' ? [await hash(id.join(''))] : id;
  return JSON.stringify([subject.name, kind, ...name]);
}
