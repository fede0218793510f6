import type { ClientCapabilities, ClientDescription, Question } from '../../../src/middleware/dialogue.ts';
import { MemoryTaskStore } from '../../../src/stores/task-store.ts';
import type { TaskRecord, TaskStore } from '../../../src/stores/task-store.ts';
import { TaskRunner } from '../../../src/tasks/task-runner.ts';
import type { NewTask, TaskEnd, TaskRunnerOptions } from '../../../src/tasks/task-runner.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';
import type { LogEntry } from '../../support/log-recorder.ts';

export interface Bench {
  readonly runner: TaskRunner;
  readonly clock: FakeClock;
  readonly entries: LogEntry[];
}

/** A runner with ids t1, t2, …, whose clock and log the test controls. */
export function createBench(options: Partial<TaskRunnerOptions> = {}): Bench {
  const clock = new FakeClock();
  const { logger, entries } = recordLog();
  let count = 0;
  const createId = (): string => `t${(count += 1)}`;
  const store = new MemoryTaskStore({ clock });
  return { runner: new TaskRunner({ store, clock, logger, createId, ...options }), clock, entries };
}

export const ALL: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export function clientWith(capabilities: ClientCapabilities): ClientDescription {
  return { name: 'client', version: '1', capabilities, protocolVersion: '2026-07-28' };
}

/** A task of the caller `ada`. */
export function taskOf(run: NewTask['run'], more: Partial<NewTask> = {}): NewTask {
  return { owner: 'ada', pollIntervalMs: 500, client: clientWith(ALL), run, toWork: async () => '', ...more };
}

export function text(words: string, isError = false): TaskEnd {
  return {
    kind: 'result',
    result: { content: [{ type: 'text', text: words }], ...(isError ? { isError } : {}) },
  };
}

/** An elicitation with a string as its response. */
export function question(message: string): Question {
  return {
    request: { method: 'elicitation/create', params: { mode: 'form', message } },
    needs: { elicitation: { form: {} } },
    read: (result) => (typeof result === 'string' ? { value: result } : undefined),
  };
}

export interface Deferred<TValue> {
  readonly promise: Promise<TValue>;
  readonly resolve: (value: TValue) => void;
  readonly reject: (reason: unknown) => void;
}

export function defer<TValue>(): Deferred<TValue> {
  const settle: { resolve?: (value: TValue) => void; reject?: (reason: unknown) => void } = {};
  const promise = new Promise<TValue>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  return {
    promise,
    resolve: (value) => settle.resolve?.(value),
    reject: (reason) => settle.reject?.(reason),
  };
}

/** Runs everything that is ready. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A store whose writes wait for the test. */
export class HeldStore implements TaskStore {
  readonly inner: MemoryTaskStore = new MemoryTaskStore({ clock: new FakeClock() });
  /** Pending writes, oldest first. */
  readonly held: { readonly record: TaskRecord; readonly answer: Deferred<void> }[] = [];
  /** All written records. */
  readonly puts: TaskRecord[] = [];

  async put(record: TaskRecord): Promise<void> {
    this.puts.push(record);
    const answer = defer<void>();
    this.held.push({ record, answer });
    await answer.promise;
    this.inner.put(record);
  }

  /** Completes the oldest write, or rejects it. */
  async next(error?: Error): Promise<void> {
    const oldest = this.held.shift();
    if (oldest === undefined) throw new Error('nothing is being put');
    if (error === undefined) oldest.answer.resolve();
    else oldest.answer.reject(error);
    await turn();
  }

  get(taskId: string): TaskRecord | undefined {
    return this.inner.get(taskId);
  }

  delete(taskId: string): void {
    this.inner.delete(taskId);
  }
}

/** A store that rejects the writes that the test selects. */
export class FlakyStore implements TaskStore {
  readonly inner: MemoryTaskStore = new MemoryTaskStore({ clock: new FakeClock() });
  refuses: (record: TaskRecord) => boolean = () => false;
  error = new Error('the disk is full');

  put(record: TaskRecord): void {
    if (this.refuses(record)) throw this.error;
    this.inner.put(record);
  }

  get(taskId: string): TaskRecord | undefined {
    return this.inner.get(taskId);
  }

  delete(taskId: string): void {
    this.inner.delete(taskId);
  }
}
