import { hasEnded } from '../stores/task-store.ts';
import type { TaskRecord, TaskStore } from '../stores/task-store.ts';
import { weighValue } from '../base/memory/weigh.ts';
import { storeState } from './store-state.ts';

/** Limits memory while the store fails. */
const MAX_UNSAVED = 1000;

const MAX_UNSAVED_BYTES = 16_777_216;

/**
 * Final states that the store failed to save. They are kept until the task is looked up: without its final state, a task would seem to run
 * forever.
 */
export class UnsavedEnds {
  readonly #records = new Map<string, { readonly record: TaskRecord; readonly bytes: number }>();
  #bytes = 0;
  readonly #store: TaskStore;
  readonly #onWritten: (record: TaskRecord) => void;

  constructor(store: TaskStore, onWritten: (record: TaskRecord) => void) {
    this.#store = store;
    this.#onWritten = onWritten;
  }

  /** Keeps the record if it is final; other states are followed by a final one. */
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

  /** Tries the store again; returns the final state if it still fails. */
  async find(taskId: string): Promise<TaskRecord | undefined> {
    const record = this.#records.get(taskId)?.record;
    if (record === undefined) return undefined;
    let stored: TaskRecord | undefined;
    try {
      stored = await storeState(this.#store, record);
    } catch {
      return record;
    }
    if (this.#remove(taskId) && stored === record) this.#onWritten(record);
    return undefined;
  }
}
