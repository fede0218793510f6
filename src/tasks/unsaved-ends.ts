import { hasEnded } from '../stores/task-store.ts';
import type { TaskRecord, TaskStore } from '../stores/task-store.ts';
import { weighValue } from '../base/memory/weigh.ts';

/** A store that is away for long costs no more memory than this. */
const MAX_UNSAVED = 1000;

const MAX_UNSAVED_BYTES = 16_777_216;

/** Ends that the store did not take. They are kept until somebody asks: without its end, a task would seem to work for ever. */
export class UnsavedEnds {
  readonly #records = new Map<string, { readonly record: TaskRecord; readonly bytes: number }>();
  #bytes = 0;
  readonly #store: TaskStore;
  readonly #onWritten: (record: TaskRecord) => void;

  constructor(store: TaskStore, onWritten: (record: TaskRecord) => void) {
    this.#store = store;
    this.#onWritten = onWritten;
  }

  /** Keeps it if it is an end; anything else is followed by one. */
  add(record: TaskRecord): void {
    if (!hasEnded(record)) return;
    const bytes = weighValue(record);
    this.#remove(record.taskId);
    this.#records.set(record.taskId, { record, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= MAX_UNSAVED && this.#bytes <= MAX_UNSAVED_BYTES) break;
      this.#remove(oldest);
    }
  }

  #remove(taskId: string): boolean {
    this.#bytes -= this.#records.get(taskId)?.bytes ?? 0;
    return this.#records.delete(taskId);
  }

  /** Tries the store again; gives the end when the store still does not take it. */
  async find(taskId: string): Promise<TaskRecord | undefined> {
    const record = this.#records.get(taskId)?.record;
    if (record === undefined) return undefined;
    try {
      await this.#store.put(record);
    } catch {
      return record;
    }
    if (this.#remove(taskId)) this.#onWritten(record);
    return undefined;
  }
}
