import type { TaskRecord, TaskStore } from '../stores/task-store.ts';

/** What a writer tells of its work. */
export interface TaskWriterOptions {
  readonly store: TaskStore;
  /** The record is in the store. */
  readonly onWritten: (record: TaskRecord) => void;
  /** The store did not take the record. */
  readonly onFailed: (record: TaskRecord, error: unknown) => void;
}

/**
 * Writes the changes of one task, in order and one at a time. Of those that have to wait, only the latest of each status is written:
 * however slow the store and however talkative the tool, no more than that waits.
 */
export class TaskWriter {
  readonly #options: TaskWriterOptions;
  #waiting: TaskRecord[] = [];
  #isWriting = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(options: TaskWriterOptions) {
    this.#options = options;
  }

  /** Resolves when all that was given has been tried. */
  get idle(): Promise<void> {
    return this.#idle;
  }

  /** The first write. Unlike those after it, it fails loudly: a task that is not in the store does not exist. */
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
    const { store, onWritten, onFailed } = this.#options;
    try {
      await store.put(record);
    } catch (error) {
      onFailed(record, error);
      return;
    }
    onWritten(record);
  }
}
