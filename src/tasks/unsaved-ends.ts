import { hasEnded } from '../stores/task-store.ts';
import type { TaskRecord, TaskStore } from '../stores/task-store.ts';

/** A store that is away for long costs no more memory than this. */
const MAX_UNSAVED = 1000;

/** Ends that the store did not take. They are kept until somebody asks: without its end, a task would seem to work for ever. */
export class UnsavedEnds {
  readonly #records = new Map<string, TaskRecord>();
  readonly #store: TaskStore;
  readonly #onWritten: (record: TaskRecord) => void;

  constructor(store: TaskStore, onWritten: (record: TaskRecord) => void) {
    this.#store = store;
    this.#onWritten = onWritten;
  }

  /** Keeps it if it is an end; anything else is followed by one. */
  add(record: TaskRecord): void {
    if (!hasEnded(record)) return;
    this.#records.set(record.taskId, record);
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= MAX_UNSAVED) break;
      this.#records.delete(oldest);
    }
  }

  /** Tries the store again; gives the end when the store still does not take it. */
  async find(taskId: string): Promise<TaskRecord | undefined> {
    const record = this.#records.get(taskId);
    if (record === undefined) return undefined;
    try {
      await this.#store.put(record);
    } catch {
      return record;
    }
    if (this.#records.delete(taskId)) this.#onWritten(record);
    return undefined;
  }
}
