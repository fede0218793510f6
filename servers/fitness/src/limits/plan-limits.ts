import type { Plan } from '../gate/catalog.ts';

export interface PlanLimits {
  /** Calls in a calendar month, UTC. */
  readonly perMonth: number;
  /** Calls in a minute, which starts with the first of them. */
  readonly perMinute: number;
}

/** Limits of a tenant, for all its members together. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  starter: { perMonth: 10_000, perMinute: 100 },
  professional: { perMonth: 100_000, perMinute: 500 },
  enterprise: { perMonth: 1_000_000, perMinute: 2000 },
};

export interface CalendarMonth {
  /** `2026-11`. */
  readonly name: string;
  /** The first millisecond of the next month, UTC. */
  readonly endsAt: number;
}

/** The month of a time in milliseconds since 1970. Months begin on the first day at 00:00 UTC. */
export function monthOf(time: number): CalendarMonth {
  const date = new Date(time);
  return {
    name: date.toISOString().slice(0, 7),
    endsAt: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
  };
}
