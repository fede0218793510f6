import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidRequestError } from '../request-errors.ts';
import type { DiscoveryRequest, DiscoveryResult, RunError, RunEvent } from '../test-run.ts';
import type { RunRequest, TestRunner } from '../test-run.ts';
import { fitOutcome } from './fit-outcome.ts';
import { RESOURCE_BYTES, toResourceBytes } from './resource-size.ts';
import { NotFoundError, TooManyRunsError } from './run-errors.ts';
import type { RunRecord } from './run-record.ts';
import type { RunStore } from './run-store.ts';

export interface TestRunsOptions {
  readonly runner: TestRunner;
  readonly store: RunStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Test processes at the same time; of one caller, half of them. */
  readonly maxRunning: number;
  /** Called with each run that has ended. */
  readonly onEnded?: ((record: RunRecord) => void) | undefined;
}

/** A request of a caller. */
export interface RunCall {
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
  /** Called when the tests have been collected, and after each test. */
  readonly onProgress?: ((record: RunRecord, event: RunEvent) => void) | undefined;
}

interface ActiveProcess {
  readonly owner: string;
  readonly runId: string | undefined;
  readonly controller: AbortController;
  ended: Promise<unknown>;
}

/** Runs of all callers: at most `maxRunning` at the same time, each kept in the store. */
export class TestRuns {
  readonly #options: TestRunsOptions;
  readonly #active = new Set<ActiveProcess>();
  #isClosed = false;

  constructor(options: TestRunsOptions) {
    this.#options = options;
  }

  /** Runs tests until the end of the run. */
  async execute(request: RunRequest, call: RunCall): Promise<RunRecord> {
    const { ended } = this.#begin(request, call);
    return ended;
  }

  /** Starts a run that goes on after the call. */
  async start(request: RunRequest, { owner }: Pick<RunCall, 'owner'>): Promise<RunRecord> {
    const { id, ended } = this.#begin(request, { owner });
    // An invalid request has been rejected after one turn. Later problems are in the record.
    const rejected = ended.then(() => undefined);
    rejected.catch(() => undefined);
    await Promise.race([rejected, nextTurn()]);
    return this.get(owner, id);
  }

  async discover(
    request: DiscoveryRequest,
    { owner, signal }: Pick<RunCall, 'owner' | 'signal'>,
  ): Promise<DiscoveryResult | RunError> {
    return this.#activate({ owner, signal }, undefined, (own) =>
      this.#options.runner.discover(request, { signal: own }),
    );
  }

  list(owner: string): readonly RunRecord[] {
    return this.#options.store.list(owner);
  }

  find(owner: string, id: string): RunRecord | undefined {
    return id === 'last' ? this.list(owner)[0] : this.#options.store.find(owner, id);
  }

  /** A run of the caller; the latest one without an id. */
  get(owner: string, id = 'last'): RunRecord {
    const record = this.find(owner, id);
    if (record !== undefined) return record;
    throw new NotFoundError(
      'run_id',
      id === 'last'
        ? 'There is no run yet. Call execute_tests first.'
        : `There is no run "${id}". Call list_runs.`,
    );
  }

  /** Ends all processes of a run. Does nothing if it has ended. */
  async cancel(owner: string, id: string): Promise<RunRecord> {
    const { id: runId } = this.get(owner, id);
    const active = [...this.#active].find((each) => each.runId === runId);
    active?.controller.abort();
    await active?.ended.catch(() => undefined);
    return this.get(owner, runId);
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { controller } of this.#active) controller.abort();
    await Promise.allSettled([...this.#active].map(({ ended }) => ended));
  }

  #begin(request: RunRequest, call: RunCall): { readonly id: string; readonly ended: Promise<RunRecord> } {
    const id = randomUUID();
    const ended = this.#activate(call, id, (signal) => {
      const { now, store } = this.#options;
      const begun: RunRecord = {
        id,
        owner: call.owner,
        request,
        startedAt: now(),
        status: 'running',
        finished: 0,
        total: null,
        endedAt: undefined,
        outcome: undefined,
        problem: undefined,
        filesChanged: false,
      };
      store.put(begun);
      return this.#run(begun, { ...call, signal });
    });
    return { id, ended };
  }

  async #run(begun: RunRecord, { owner, signal, onProgress }: RunCall): Promise<RunRecord> {
    const { runner, store } = this.#options;
    const onEvent = (event: RunEvent): void => {
      const record = store.find(owner, begun.id) ?? begun;
      if (event.type === 'collected') store.put({ ...record, total: event.total });
      else if (event.type === 'test_finished') store.put({ ...record, finished: event.finished });
      // A runner that collects while tests run reports each new total; progress must increase.
      if (event.type === 'collected' ? record.total !== null : event.type !== 'test_finished') return;
      onProgress?.(this.get(owner, begun.id), event);
    };
    try {
      const outcome = await runner.run(begun.request, { signal, onEvent });
      const status =
        outcome.kind === 'result' ? 'completed' : outcome.reason === 'cancelled' ? 'cancelled' : 'error';
      // The resource has the request too.
      const room = RESOURCE_BYTES - toResourceBytes(begun);
      return this.#end(begun, { status, outcome: fitOutcome(outcome, room) });
    } catch (error) {
      if (error instanceof InvalidRequestError) {
        store.delete(begun.id);
        throw error;
      }
      const problem = error instanceof Error ? error.message : String(error);
      this.#end(begun, { status: 'error', problem });
      throw error;
    }
  }

  #end(begun: RunRecord, end: Partial<RunRecord>): RunRecord {
    const { store, now, onEnded } = this.#options;
    const record = { ...(store.find(begun.owner, begun.id) ?? begun), ...end, endedAt: now() };
    store.put(record);
    onEnded?.(record);
    return record;
  }

  /** Runs a test process, unless there are too many. */
  async #activate<TResult>(
    { owner, signal }: RunCall,
    runId: string | undefined,
    run: (signal: AbortSignal) => Promise<TResult>,
  ): Promise<TResult> {
    this.#assertRoom(owner);
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const ended = run(controller.signal);
    const active: ActiveProcess = { owner, runId, controller, ended };
    this.#active.add(active);
    try {
      return await ended;
    } finally {
      this.#active.delete(active);
      signal?.removeEventListener('abort', abort);
    }
  }

  #assertRoom(owner: string): void {
    const { maxRunning } = this.#options;
    const own = [...this.#active].filter((each) => each.owner === owner);
    const runIds = own.flatMap(({ runId }) => (runId === undefined ? [] : [runId]));
    const perOwner = Math.ceil(maxRunning / 2);
    if (this.#isClosed) throw new TooManyRunsError('The server is shutting down.', []);
    if (own.length >= perOwner)
      throw new TooManyRunsError(
        `${own.length} test processes of this caller are running; the limit is ${perOwner}.`,
        runIds,
      );
    if (this.#active.size >= maxRunning)
      throw new TooManyRunsError(
        `${this.#active.size} test processes are running; the limit is ${maxRunning}.`,
        runIds,
      );
  }
}
