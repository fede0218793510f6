import type { Agent } from 'node:http';
import { RetryBudget } from '../middleware/parts/retry-budget.ts';
import type { RetryBudgetOptions } from '../middleware/parts/retry-budget.ts';
import type { Clock } from '../base/time/clock.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { BreakerOptions } from './circuit-breaker.ts';

/** So many operations that fail are remembered for each server. */
const MAX_FAILING = 1000;

/** Statuses of a gateway, or of a server that has no room: not the fault of a request. */
// defence: unavailable-statuses
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a status says that a server, or what is behind it, cannot be reached now. */
export function isUnavailable(status: number): boolean {
  return UNAVAILABLE.has(status);
}

/** A request that nothing keeps from going, and nobody waits for. */
const WELL = { giveUp: (): void => {} };

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
  /** Its connections. */
  readonly agent: Agent;
  readonly budget: RetryBudget;
  readonly #clock: Clock;
  readonly #options: BreakerOptions | undefined;
  readonly #server: CircuitBreaker;
  /** Those that failed last. */
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
   * Lets a request go, or says how long it has to wait. Whoever may go says what became of it, or calls `giveUp` when it was taken back:
   * otherwise everybody else would wait for what it finds out.
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

  /** There is a connection. Whatever becomes of the request, the server is no longer the reason to wait. */
  connected(): void {
    this.#server.succeeded();
  }

  /** It has answered: with a status of {@link isUnavailable}, with another one, or with what could not be read. */
  answered(operation: string, unavailable: boolean): void {
    if (unavailable) this.#operationOf(operation).failed();
    else this.#failing.delete(operation);
  }

  /** There was no whole answer. Only a connection that could not be made counts for the server. */
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
