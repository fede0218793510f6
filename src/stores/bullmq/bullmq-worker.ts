import type { Job, Worker } from 'bullmq';
import type { Clock } from '../../base/time/clock.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import type { Logger } from '../../errors/logger.ts';
import type { IoredisClient } from '../redis/connection/redis-client.ts';
import type { QueueWorker, TaskJob, TaskWorkerOptions } from '../task-queue.ts';
import { duplicateIoredis } from './duplicate-ioredis.ts';
import type { OwnIoredis } from './duplicate-ioredis.ts';
import type { LoadedBullMq } from './load-bullmq.ts';

/** Options of {@link BullMqWorker}. */
export interface BullMqWorkerOptions extends TaskWorkerOptions {
  readonly bullMq: LoadedBullMq;
  readonly name: string;
  readonly prefix: string;
  readonly leaseMs: number;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Errors of one outage are logged once. */
const SILENT_MS = 5000;

/** Whether a task may run again is decided by its tool, not by the queue. */
const UNLIMITED = 1_000_000;

/** A job, and the number of workers that have begun it. */
interface BegunJob extends TaskJob {
  readonly begun?: number;
}

/** Time between two attempts to take a job from a Redis that rejects them. */
const TAKE_AGAIN_MS = 500;

/** Takes jobs of a BullMQ queue. */
export class BullMqWorker implements QueueWorker {
  readonly ready: Promise<void>;
  readonly #worker: Worker<BegunJob>;
  readonly #connection: OwnIoredis;
  readonly #logger: Logger;
  readonly #clock: Clock;
  /** Running jobs by their ids. */
  readonly #leases = new Map<string, AbortController>();
  #silentUntil = 0;
  kill: () => void = () => {};
  readonly #killed = new Promise<void>((resolve) => {
    this.kill = resolve;
  });

  constructor(
    client: IoredisClient,
    { bullMq, concurrency, run, name, prefix, leaseMs, logger, clock }: BullMqWorkerOptions,
  ) {
    this.#logger = logger;
    this.#clock = clock;
    this.#connection = duplicateIoredis(client, 'worker');
    this.#worker = new (patientWorkerOf(bullMq))(name, (job) => this.#run(job, run), {
      prefix,
      concurrency,
      connection: this.#connection,
      lockDuration: leaseMs,
      stalledInterval: Math.max(1000, Math.floor(leaseMs / 2)),
      maxStalledCount: UNLIMITED,
      autorun: false,
    });
    this.#worker.on('error', (error) => this.#report(error));
    this.#worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids)
        this.#leases.get(id)?.abort(new DOMException('Another worker may run the task.', 'AbortError'));
    });
    this.ready = this.#worker.waitUntilReady().then(() => {
      // Reported by the event.
      this.#worker.run().catch(() => {});
    }, rejectStart);
    this.ready.catch(() => {});
  }

  async close(): Promise<void> {
    // Without Redis, BullMQ waits for it even if no job runs.
    const away = new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.#leases.size === 0 && this.#connection.status !== 'ready') resolve();
      };
      this.#connection.on('close', look);
      look();
    });
    await Promise.race([this.#worker.pause(), this.#killed, away]);
    await this.#worker.close(true);
    this.#connection.disconnect();
  }

  async #run(job: Job<BegunJob>, run: BullMqWorkerOptions['run']): Promise<void> {
    const { id = '' } = job;
    // Not BullMQ's counter of lost jobs: a job is also lost when Redis ends while a worker takes it, before anything has run.
    const { begun = 0, ...task } = job.data;
    const controller = new AbortController();
    this.#leases.set(id, controller);
    try {
      await run(task, {
        signal: controller.signal,
        lostWorkers: begun,
        begin: () => job.updateData({ ...task, begun: begun + 1 }),
      });
    } finally {
      this.#leases.delete(id);
    }
  }

  #report(error: Error): void {
    const now = this.#clock.now();
    if (now < this.#silentUntil) return;
    this.#silentUntil = now + SILENT_MS;
    this.#logger.warning('the task worker cannot use the queue', { error: toLoggedError(error) });
  }
}

/** BullMQ tries again immediately if Redis rejects a command. */
function patientWorkerOf({ Worker: Base }: LoadedBullMq): typeof Worker<BegunJob> {
  return class extends Base<BegunJob> {
    protected override async moveToActive(token: string, name?: string): Promise<Job<BegunJob>> {
      try {
        return await super.moveToActive(token, name);
      } catch (error) {
        await this.delay(TAKE_AGAIN_MS);
        throw error;
      }
    }
  };
}

/** The first command was rejected: the connection waits for an unavailable Redis, but not for a permission. */
function rejectStart(cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause);
  throw new DefinitionError(
    `The task worker cannot use Redis: ${reason}. Check the version of Redis and the permissions of its user: docs/scaling.md lists the commands of BullMqTaskQueue.`,
    { option: 'taskQueue', cause },
  );
}
