import type { Agent } from 'node:http';
import { RetryBudget } from '../middleware/parts/retry-budget.ts';
import type { RetryBudgetOptions } from '../middleware/parts/retry-budget.ts';
import type { Clock } from '../base/time/clock.ts';
import { CircuitBreaker } from '../base/time/circuit-breaker.ts';
import type { BreakerOptions } from '../base/time/circuit-breaker.ts';

/** Maximum number of failing operations kept per server. */
const MAX_FAILING = 1000;

/** Statuses of a gateway or an overloaded server: the request is not at fault. */
// defence: unavailable-statuses
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a status means that the server, or a server behind it, is unavailable. */
export function isUnavailable(status: number): boolean {
  return UNAVAILABLE.has(status);
}

/** For requests that the circuit breakers do not track. */
const WELL = { giveUp: (): void => {} };

/** Options of {@link Upstream}. */
export interface UpstreamOptions {
  readonly breaker?: BreakerOptions | undefined;
  readonly retryBudget?: RetryBudgetOptions | undefined;
}

/**
 * State of one server: connections, retry budget and circuit breakers. Only failed connections count for the whole server. Broken
 * connections, timeouts and unavailable statuses count for their operation: a caller who finds arguments that make one operation fail must
 * not block the server for all others.
 */
export class Upstream {
  /** Connection pool of the server. */
  readonly agent: Agent;
  readonly budget: RetryBudget;
  readonly #clock: Clock;
  readonly #options: BreakerOptions | undefined;
  readonly #server: CircuitBreaker;
  /** Circuit breakers of operations that failed last. */
  // defence: breaker-for-each-operation
  readonly #failing = new Map<string, CircuitBreaker>();

  constructor(
    clock: Clock,
    agent: Agent,
    { breaker, retryBudget = { ratio: 0.1, reserve: 2 } }: UpstreamOptions,
  ) {
    this.agent = agent;
    this.#clock = clock;
    this.#options = breaker;
    this.#server = new CircuitBreaker(clock, breaker);
    this.budget = new RetryBudget(retryBudget);
  }

  /**
   * Admits a request, or returns the time to wait. The outcome of an admitted request must be reported, or `giveUp` called if it was
   * cancelled: other requests wait for the outcome of a probe.
   */
  enter(operation: string): { readonly waitMs: number } | { readonly giveUp: () => void } {
    const failing = this.#failing.get(operation);
    const restMs = this.#server.waitMs();
    if (restMs === undefined && failing === undefined) return WELL;
    const waitMs = Math.max(restMs ?? 0, failing?.waitMs() ?? 0);
    if (waitMs > 0) return { waitMs };
    const leaveServer = this.#server.enter();
    const leaveOperation = failing?.enter();
    return {
      giveUp: () => {
        leaveServer();
        leaveOperation?.();
      },
    };
  }

  /** A connection was made, so the server's own breaker closes. */
  connected(): void {
    this.#server.succeeded();
  }

  /** A response arrived: with a status of {@link isUnavailable}, with another one, or with an unreadable body. */
  answered(operation: string, unavailable: boolean): void {
    if (unavailable) this.#operationOf(operation).failed();
    else this.#failing.delete(operation);
  }

  /** No complete response arrived. Only a failed connection counts for the server. */
  failed(operation: string, wasConnected: boolean): void {
    // defence: failures-of-an-operation
    if (wasConnected) return this.#operationOf(operation).failed();
    this.#server.failed();
  }

  #operationOf(operation: string): CircuitBreaker {
    const known = this.#failing.get(operation);
    if (known !== undefined) return known;
    const [oldest] = this.#failing.keys();
    if (this.#failing.size >= MAX_FAILING && oldest !== undefined) this.#failing.delete(oldest);
    const made = new CircuitBreaker(this.#clock, this.#options);
    this.#failing.set(operation, made);
    return made;
  }
}
