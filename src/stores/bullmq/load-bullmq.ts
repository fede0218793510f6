import { createRequire } from 'node:module';
import type { Job, Queue, Worker } from 'bullmq';
import { MissingPeerError } from '../../errors/errors.ts';

/** The used part of BullMQ. */
export interface LoadedBullMq {
  readonly Job: typeof Job;
  readonly Queue: typeof Queue;
  readonly Worker: typeof Worker;
}

/** Loaded by the constructor of the queue, because the package is optional. */
export function loadBullMq(): LoadedBullMq {
  try {
    return createRequire(import.meta.url)('bullmq') as LoadedBullMq;
  } catch (cause) {
    throw new MissingPeerError('BullMqTaskQueue', ['bullmq'], { cause });
  }
}
