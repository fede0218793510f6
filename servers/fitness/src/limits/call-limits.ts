import { CallRefusedError } from 'toolwright';
import type { Caller } from 'toolwright';
import type { Clock } from 'toolwright/collaborators';
import { MemoryRateLimitStore } from 'toolwright/stores';
import type { RateDecision, RateLimitStore } from 'toolwright/stores';
import type { Plan } from '../gate/catalog.ts';
import type { Standing } from '../gate/standing.ts';
import { monthOf, PLAN_LIMITS } from './plan-limits.ts';

export interface CallLimitsOptions {
  /** Counts the calls of tenants and users: their number is bounded, unlike that of addresses. */
  readonly store: RateLimitStore;
  /** `(principal) => gate.findStanding(principal)`. */
  readonly findStanding: (principal: Caller['principal']) => Standing | undefined;
  readonly clock: Clock;
}

/** The calls that are counted together, and the plan that limits them. */
interface Account {
  readonly key: string;
  readonly noun: string;
  readonly plan: Plan;
}

const MINUTE_MS = 60_000;

/**
 * The limits of calls by plan: a burst in a minute, and a number in a calendar month. The calls of a tenant count together. A user without
 * a tenant has the limits of the plan starter, and an administrator those of enterprise. Anonymous callers have the burst of starter, by
 * address and in memory, so that they cannot fill the database.
 */
export class CallLimits {
  readonly #options: CallLimitsOptions;
  readonly #anonymous: RateLimitStore;

  constructor(options: CallLimitsOptions) {
    this.#options = options;
    this.#anonymous = new MemoryRateLimitStore({ clock: options.clock });
  }

  /** Counts a call. Returns the error of a call above a limit. */
  async count({ principal, address = 'unknown' }: Caller): Promise<CallRefusedError | undefined> {
    const { findStanding, store } = this.#options;
    if (principal === undefined) {
      const limit = PLAN_LIMITS.starter.perMinute;
      const decision = await this.#anonymous.consume(address, { limit, perMs: MINUTE_MS });
      return decision.allowed
        ? undefined
        : toRefusal(`Anonymous callers have ${format(limit)} calls a minute.`, decision);
    }
    const { key, noun, plan } = toAccount(principal.id, findStanding(principal));
    const { perMinute, perMonth } = PLAN_LIMITS[plan];
    // First the minute: a call that it rejects does not count for the month.
    const minute = await store.consume(`minute|${key}`, { limit: perMinute, perMs: MINUTE_MS });
    if (!minute.allowed)
      return toRefusal(`${noun} has ${format(perMinute)} calls a minute with the plan ${plan}.`, minute);
    const now = this.#options.clock.wallTime?.() ?? this.#options.clock.now();
    const { name, endsAt } = monthOf(now);
    const month = await store.consume(`month|${name}|${key}`, { limit: perMonth, perMs: endsAt - now });
    return month.allowed
      ? undefined
      : toRefusal(
          `${noun} has used its ${format(perMonth)} calls of ${name} with the plan ${plan}; the next month begins at ${new Date(endsAt).toISOString()}.`,
          month,
        );
  }
}

/** The keys of tenants and users differ, so a user cannot take the id of a tenant to use up its calls. */
function toAccount(id: string, standing: Standing | undefined): Account {
  switch (standing?.role) {
    case 'member':
    case 'owner':
      return { key: `tenant:${standing.tenant}`, noun: `The tenant ${standing.tenant}`, plan: standing.plan };
    case 'admin':
      return { key: `user:${id}`, noun: `The administrator ${id}`, plan: 'enterprise' };
    case 'anonymous':
    case 'user':
    case undefined:
      return { key: `user:${id}`, noun: `The user ${id}`, plan: 'starter' };
  }
}

function toRefusal(
  reason: string,
  { retryAfterMs }: Extract<RateDecision, { readonly allowed: false }>,
): CallRefusedError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new CallRefusedError('RATE_LIMITED', `${reason} Try again in ${seconds} s.`, { retryAfterMs });
}

function format(count: number): string {
  return count.toLocaleString('en-US');
}
