import type { TaskRecord, TaskStore } from '../stores/task-store.ts';
import { storeState } from './store-state.ts';

/** Callbacks of a writer. */
export interface TaskWriterOptions {
  readonly store: TaskStore;
  /** Called after the record was stored. */
  readonly onWritten: (record: TaskRecord) => void;
  /** Called with the stored record if the store did not replace it: the task has ended otherwise. */
  readonly onRejected: (stored: TaskRecord | undefined) => void;
  /** Called if the store failed. */
  readonly onFailed: (record: TaskRecord, error: unknown) => void;
}

/**
 * Writes the changes of one task in order, one at a time. Of queued changes only the latest of each status is written, so the queue stays
 * short with a slow store and frequent progress.
 */
export class TaskWriter {
  readonly #options: TaskWriterOptions;
  #waiting: TaskRecord[] = [];
  #isWriting = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(options: TaskWriterOptions) {
    this.#options = options;
  }

  /** Resolves when all changes were tried. */
  get idle(): Promise<void> {
    return this.#idle;
  }

  /** The first write. It rejects if it fails: a task that is not stored does not exist. */
  async create(record: TaskRecord): Promise<void> {
    this.#isWriting = true;
    await this.#options.store.put(record);
    this.#idle = this.#drain();
  }

  write(record: TaskRecord): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.status !== record.status);
    this.#waiting.push(record);
    if (!this.#isWriting) this.#idle = this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isWriting = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      await this.#write(next);
    this.#isWriting = false;
  }

  async #write(record: TaskRecord): Promise<void> {
    const { store, onWritten, onRejected, onFailed } = this.#options;
    let stored: TaskRecord | undefined;
    try {
      stored = await storeState(store, record);
    } catch (error) {
      onFailed(record, error);
      return;
    }
    if (stored === record) onWritten(record);
    else onRejected(stored);
  }
}
