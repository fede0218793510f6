import { RetryBudget } from '../middleware/parts/retry-budget.ts';
import type { RetryBudgetOptions } from '../middleware/parts/retry-budget.ts';
import type { Clock } from '../base/time/clock.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { BreakerOptions } from './circuit-breaker.ts';

/** So many operations that fail are remembered for each server. */
const MAX_FAILING = 1000;

/** Statuses of a gateway, or of a server that has no room: not the fault of a request. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a status says that a server, or what is behind it, cannot be reached now. */
export function isUnavailable(status: number): boolean {
  return UNAVAILABLE.has(status);
}

/** Options of {@link Upstream}. */
export interface UpstreamOptions {
  readonly breaker?: BreakerOptions | undefined;
  readonly retryBudget?: RetryBudgetOptions | undefined;
}

/**
 * What is known of one server. Only connections that cannot be made count for the whole server. Everything after that counts for its
 * operation alone: a connection that breaks, a response that does not come in time, and a status that says that something behind the
 * server cannot be reached. A caller who finds an argument that an operation fails at must not take the server away from all others.
 */
export class Upstream {
  readonly budget: RetryBudget;
  readonly #clock: Clock;
  readonly #options: BreakerOptions | undefined;
  readonly #server: CircuitBreaker;
  /** Those that failed last. */
  readonly #failing = new Map<string, CircuitBreaker>();

  constructor(clock: Clock, { breaker, retryBudget = { ratio: 0.1, reserve: 2 } }: UpstreamOptions) {
    this.#clock = clock;
    this.#options = breaker;
    this.#server = new CircuitBreaker(clock, breaker);
    this.budget = new RetryBudget(retryBudget);
  }

  /**
   * Lets a request go, or says how long it has to wait. Whoever may go says what became of it, or calls `giveUp` when it was taken back:
   * otherwise everybody else would wait for what it finds out.
   */
  enter(operation: string): { readonly waitMs: number } | { readonly giveUp: () => void } {
    const breakers = [this.#server, this.#failing.get(operation)].filter((breaker) => breaker !== undefined);
    const waitMs = Math.max(...breakers.map((breaker) => breaker.waitMs()));
    if (waitMs > 0) return { waitMs };
    const releases = breakers.map((breaker) => breaker.enter());
    return {
      giveUp: () => {
        for (const release of releases) release();
      },
    };
  }

  /** There is a connection. Whatever becomes of the request, the server is no longer the reason to wait. */
  connected(): void {
    this.#server.succeeded();
  }

  /** No connection could be made. */
  notConnected(): void {
    this.#server.failed();
  }

  /** It has answered; with an answer that could not be read, the status is unknown. */
  answered(operation: string, status?: number): void {
    if (status !== undefined && isUnavailable(status)) this.failed(operation);
    else this.#failing.delete(operation);
  }

  /** There was a connection, and no whole answer. */
  failed(operation: string): void {
    this.#operationOf(operation).failed();
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
