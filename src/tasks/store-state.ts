import type { TaskRecord, TaskStore } from '../stores/task-store.ts';

/** Stores a state. Returns the record itself, or the one that the store keeps instead: the task has ended otherwise. */
export async function storeState(store: TaskStore, record: TaskRecord): Promise<TaskRecord | undefined> {
  if ((await store.put(record)) === true) return record;
  // The store does not tell, or an attempt whose reply was lost has stored the state.
  const stored = await store.get(record.taskId);
  const isSame = stored?.status === record.status && stored.lastUpdatedAt === record.lastUpdatedAt;
  return isSame ? record : stored;
}
