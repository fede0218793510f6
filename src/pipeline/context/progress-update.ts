import type { ProgressUpdate } from '../../middleware/context.ts';

/** Only members of the protocol; others would be sent to the client. */
export function toUpdate(given: number | ProgressUpdate, total?: number, message?: string): ProgressUpdate {
  const update = typeof given === 'number' ? { progress: given, total, message } : given;
  return {
    progress: update.progress,
    ...(Number.isFinite(update.total) ? { total: update.total } : {}),
    ...(typeof update.message === 'string' ? { message: update.message } : {}),
  } as ProgressUpdate;
}
