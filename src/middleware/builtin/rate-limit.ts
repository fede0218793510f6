import {
  assertOptions,
  CLOCK,
  FUNCTION,
  numberFrom,
  objectWith,
  required,
  wholeNumber,
} from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { CallRefusedError } from '../../errors/errors.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { MemoryRateLimitStore } from '../../stores/rate-limit-store.ts';
import type { RateLimitStore } from '../../stores/rate-limit-store.ts';
import { setMemoryState } from '../../stores/memory-state.ts';
import type { Middleware, MiddlewareCall } from '../middleware.ts';
import { hash } from '../../base/hash.ts';
import { identityOf } from '../parts/caller-identity.ts';

/** Options of {@link rateLimit}. */
export interface RateLimitOptions {
  /** Maximum number of calls per window. */
  readonly limit: number;
  /** Length of a window in milliseconds. */
  readonly perMs: number;
  /** Default: in memory, for 10,000 callers. */
  readonly store?: RateLimitStore;
  /** Key of the calls that are counted together. Default: calls of one caller to one tool or action. */
  readonly by?: (call: MiddlewareCall) => string;
  /** Clock of the in-memory store. */
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof RateLimitOptions> = {
  limit: required(wholeNumber(1)),
  perMs: required(numberFrom(1)),
  store: objectWith('consume'),
  by: FUNCTION,
  clock: CLOCK,
};

/**
 * Limits the call rate. Callers are identified by their principal, or else by a hash of their access token. If the store fails, calls are
 * rejected.
 *
 * @example
 * const sendMail = defineTool({ name: 'send_mail', middleware: [rateLimit({ limit: 5, perMs: 60_000 })], ... });
 */
export function rateLimit(options: RateLimitOptions): Middleware {
  assertOptions('rateLimit', options, OPTIONS);
  const { limit, perMs, by = callerOf, clock = systemClock } = options;
  const store = options.store ?? new MemoryRateLimitStore({ clock });
  const rate = { limit, perMs };
  const middleware: Middleware = async (call) => {
    const decision = await store.consume(await by(call), rate);
    if (decision.allowed) return call.next();
    const { retryAfterMs } = decision;
    throw new CallRefusedError(
      'RATE_LIMITED',
      `'${call.subject.name}' was called too often. Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s.`,
      { retryAfterMs },
    );
  };
  return setMemoryState(middleware, store instanceof MemoryRateLimitStore ? ['rateLimit'] : []);
}

async function callerOf({ context, subject }: MiddlewareCall): Promise<string> {
  const [kind, ...id] = identityOf(context);
  const name = kind === 'token' ? [await hash(id.join(''))] : id;
  return JSON.stringify([subject.name, kind, ...name]);
}
