import type { Queue } from 'bullmq';
import { CircuitBreaker } from '../../base/time/circuit-breaker.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { CallRefusedError, DefinitionError } from '../../errors/errors.ts';
import { toLoggedError } from '../../errors/log-thrown.ts';
import { createLogger } from '../../errors/logger.ts';
import type { Logger } from '../../errors/logger.ts';
import { assertOptions, CLOCK, MAX_TIMER_MS, objectWith, wholeNumber } from '../../errors/options/rules.ts';
import type { Rules } from '../../errors/options/rules.ts';
import { describeValue } from '../../errors/options/wrong-value.ts';
import { isIoredis } from '../redis/connection/ioredis-driver.ts';
import type { IoredisClient } from '../redis/connection/redis-client.ts';
import { digestOf } from '../redis/connection/digest.ts';
import { RedisUnavailableError, withinReply } from '../redis/connection/redis-link.ts';
import { storeUnavailable } from '../redis/connection/store-unavailable.ts';
import type { ClaimedTask, QueueWorker, TaskJob, TaskQueue, TaskWorkerOptions } from '../task-queue.ts';
import { BullMqWorker } from './bullmq-worker.ts';
import { duplicateIoredis } from './duplicate-ioredis.ts';
import type { OwnIoredis } from './duplicate-ioredis.ts';
import { loadBullMq } from './load-bullmq.ts';
import type { LoadedBullMq } from './load-bullmq.ts';

/** Options of {@link BullMqTaskQueue}. */
export interface BullMqTaskQueueOptions {
  /** Start of all keys; the same as that of the stores. Default: `'toolwright'`. */
  readonly prefix?: string;
  /** Timeout of a command, in milliseconds. Default: 250. */
  readonly timeoutMs?: number;
  /** Maximum number of tasks that wait, run or wait for input; further ones are rejected with `BUSY`. Default: 100,000. */
  readonly maxTasks?: number;
  /** Time after which a task is taken from a worker that does not respond, in milliseconds. Default: 30,000. */
  readonly leaseMs?: number;
  readonly logger?: Logger;
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock;
}

const OPTIONS: Rules<keyof BullMqTaskQueueOptions> = {
  prefix: [
    (value) => typeof value === 'string' && /^[\w.:/-]{1,64}$/.test(value),
    'up to 64 letters, digits, "_", ".", ":", "/" or "-"',
  ],
  timeoutMs: wholeNumber(1, MAX_TIMER_MS),
  maxTasks: wholeNumber(1),
  leaseMs: wholeNumber(1000, MAX_TIMER_MS),
  logger: objectWith('debug', 'info', 'warning', 'error'),
  clock: CLOCK,
};

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** Counts a task of an owner, unless there are too many. */
const CLAIM = `${NOW}
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** Counted tasks and their ages, by turns. */
const CLAIMED = `${NOW}
local claimed = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for at = 2, #claimed, 2 do claimed[at] = tostring(now - claimed[at]) end
return claimed`;

/** Keeps input responses of a task, unless there are too many. */
const POST = `
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** Input responses of a task, and the tasks of an owner, are kept as long as a task that does not change. */
const KEPT_MS = 604_800_000;

/** Maximum number of kept input responses of a task: each is at most as large as a message. */
const MAX_POSTED = 64;

/** Runs of a job that fail before the handler, such as without Redis. */
const RETRY = { attempts: 1_000_000, backoff: { type: 'fixed', delay: 1000 } } as const;

/** Name of the jobs. */
const NAME = 'leg';

/** Error code of BullMQ for a job that is not delayed. */
const NOT_DELAYED = -3;

/** Time until a queue whose first command failed is replaced. */
const REPLACE_MS = 1000;

/** Names that are part of keys as they are; others are hashed. */
const PLAIN_NAME = /^[\w.-]{1,64}$/;

/** A connection, and its first moment of readiness. */
interface Link {
  readonly own: OwnIoredis;
  readonly ready: Promise<void>;
}

/** A queue of one server. */
type JobQueue = Queue<TaskJob>;

/**
 * Hands tasks to worker processes, with BullMQ over Redis. Pass a client of `ioredis`: it names the server and its credentials. The queue
 * opens connections of its own. While Redis is not available, new tasks are rejected.
 *
 * @example
 * const redis = new Redis('redis://127.0.0.1:6379', { lazyConnect: true });
 * const stores = redisStores(redis);
 * const taskQueue = new BullMqTaskQueue(redis);
 * const server = createServer({ name: 'films', version: '1.0.0', tools, taskStore: stores.tasks, taskQueue, requestStateKeys: [secret] });
 */
export class BullMqTaskQueue implements TaskQueue {
  readonly #bullMq: LoadedBullMq;
  readonly #client: IoredisClient;
  readonly #prefix: string;
  readonly #timeoutMs: number;
  readonly #maxTasks: number;
  readonly #leaseMs: number;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #breaker: CircuitBreaker;
  readonly #queues = new Map<string, JobQueue>();
  /** Connection for commands; opened on first use. */
  #link: Link | undefined;
  #isClosed = false;

  constructor(client: IoredisClient, options: BullMqTaskQueueOptions = {}) {
    assertOptions('BullMqTaskQueue', options, OPTIONS);
    if (!isIoredis(client))
      throw new DefinitionError(
        `BullMqTaskQueue: client must be a client of "ioredis" (Redis, Cluster); received ${describeValue(client)}.`,
        {
          reason: 'wrong-value',
          option: 'client',
          expected: 'a client of "ioredis"',
          received: describeValue(client),
        },
      );
    this.#bullMq = loadBullMq();
    this.#client = client;
    this.#prefix = options.prefix ?? 'toolwright';
    this.#timeoutMs = options.timeoutMs ?? 250;
    this.#maxTasks = options.maxTasks ?? 100_000;
    this.#leaseMs = options.leaseMs ?? 30_000;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? createLogger();
    this.#breaker = new CircuitBreaker(this.#clock);
  }

  async hasRoom(server: string): Promise<boolean> {
    return this.#attempt(async (link) => (await this.#queueOf(server, link).count()) < this.#maxTasks);
  }

  async add(server: string, job: TaskJob, delayMs = 0): Promise<void> {
    await this.#attempt((link) => addTo(this.#queueOf(server, link), job, delayMs));
  }

  async has(server: string, job: TaskJob): Promise<boolean> {
    return this.#attempt(async (link) => (await this.#queueOf(server, link).getJob(idOf(job))) !== undefined);
  }

  async promote(server: string, job: TaskJob): Promise<boolean> {
    return this.#attempt(async (link) => {
      const queue = this.#queueOf(server, link);
      try {
        await new this.#bullMq.Job(queue, NAME, job, {}, idOf(job)).promote();
        return true;
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== NOT_DELAYED) throw error;
        // It waits or runs, and stays as it is, or it is missing.
        await addTo(queue, job, 0);
        return false;
      }
    });
  }

  async remove(server: string, job: TaskJob): Promise<void> {
    await this.#attempt((link) => this.#queueOf(server, link).remove(idOf(job)));
  }

  async post(taskId: string, sealed: string): Promise<void> {
    const args = [sealed, String(MAX_POSTED), String(KEPT_MS)];
    const posted = await this.#evaluate(POST, this.#inboxOf(taskId), args);
    if (posted !== 1)
      throw new CallRefusedError('BUSY', 'Too many responses of this task are waiting. Try again later.');
  }

  async findPosted(taskId: string): Promise<readonly string[]> {
    const posted = await this.#attempt(({ own }) => own.call('LRANGE', this.#inboxOf(taskId), '0', '-1'));
    return toTexts(posted);
  }

  async forget(taskId: string): Promise<void> {
    await this.#attempt(({ own }) => own.call('DEL', this.#inboxOf(taskId)));
  }

  async claim(owner: string, taskId: string, max: number): Promise<boolean> {
    const args = [taskId, String(max), String(KEPT_MS)];
    return (await this.#evaluate(CLAIM, this.#claimsOf(owner), args)) === 1;
  }

  async findClaimed(owner: string): Promise<readonly ClaimedTask[]> {
    const found = toTexts(await this.#evaluate(CLAIMED, this.#claimsOf(owner), []));
    const ids = found.filter((_, at) => at % 2 === 0);
    return ids.map((taskId, at) => ({ taskId, ageMs: Number(found[at * 2 + 1]) }));
  }

  async release(owner: string, taskIds: readonly string[]): Promise<void> {
    await this.#attempt(({ own }) => own.call('ZREM', this.#claimsOf(owner), ...taskIds));
  }

  work(server: string, options: TaskWorkerOptions): QueueWorker {
    const { name, prefix } = this.#placeOf(server);
    return new BullMqWorker(this.#client, {
      ...options,
      name,
      prefix,
      leaseMs: this.#leaseMs,
      bullMq: this.#bullMq,
      logger: this.#logger,
      clock: this.#clock,
    });
  }

  /** Closes the connections of this queue. Close the workers first. */
  close(): void {
    this.#isClosed = true;
    this.#queues.clear();
    this.#link?.own.disconnect();
  }

  #queueOf(server: string, { own: connection }: Link): JobQueue {
    const known = this.#queues.get(server);
    if (known !== undefined) return known;
    const { name, prefix } = this.#placeOf(server);
    const queue: JobQueue = new this.#bullMq.Queue<TaskJob>(name, {
      prefix,
      connection,
      skipMetasUpdate: true,
    });
    // Without a listener, the error would end the process. The commands themselves fail too.
    queue.on('error', () => {});
    queue.waitUntilReady().catch((error: unknown) => this.#replaceLater(server, queue, error));
    this.#queues.set(server, queue);
    return queue;
  }

  /** BullMQ does not repeat a first command that failed: its queue rejects all further ones. */
  #replaceLater(server: string, queue: JobQueue, error: unknown): void {
    if (this.#isClosed) return;
    this.#logger.warning('the task queue cannot use Redis', { error: toLoggedError(error) });
    const replace = (): void => {
      if (this.#queues.get(server) === queue) this.#drop(server, queue);
    };
    this.#clock.schedule(replace, REPLACE_MS, true);
  }

  #drop(server: string, queue: JobQueue): void {
    this.#queues.delete(server);
    queue.close().catch(() => {});
  }

  /** All keys of a queue have the same hash tag, so that its scripts run on a cluster. */
  #placeOf(server: string): { readonly name: string; readonly prefix: string } {
    const tag = PLAIN_NAME.test(server) ? server : `~${digestOf(server)}`;
    return { name: 'jobs', prefix: `${this.#prefix}:{queue:${tag}}` };
  }

  #claimsOf(owner: string): string {
    return `${this.#prefix}:{tasks-of:${digestOf(owner)}}`;
  }

  #inboxOf(taskId: string): string {
    return `${this.#prefix}:{inbox:${taskId}}`;
  }

  #evaluate(script: string, key: string, args: readonly string[]): Promise<unknown> {
    return this.#attempt(({ own }) => own.call('EVAL', script, '1', key, ...args));
  }

  #open(): Link {
    const own = duplicateIoredis(this.#client, 'commands');
    const ready = new Promise<void>((resolve) => {
      own.on('ready', () => {
        resolve();
        this.#breaker.wake();
      });
    });
    return { own, ready };
  }

  /** Waits for the first connection; a lost connection fails immediately. After several failures, nothing is sent for a while. */
  async #attempt<TResult>(run: (link: Link) => Promise<TResult>): Promise<TResult> {
    if (this.#isClosed) throw storeUnavailable('tasks', new Error('The task queue was closed.'));
    if ((this.#breaker.waitMs() ?? 0) > 0)
      throw storeUnavailable('tasks', new RedisUnavailableError('Redis cannot be reached.'));
    this.#breaker.enter();
    const link = (this.#link ??= this.#open());
    let isOver = false;
    const runInTime = async (): Promise<TResult> => {
      await link.ready;
      // Its caller was told that it failed.
      if (isOver) throw new RedisUnavailableError('Redis is not connected.');
      return run(link);
    };
    try {
      const result = await withinReply(runInTime(), this.#clock, this.#timeoutMs);
      this.#breaker.succeeded();
      return result;
    } catch (error) {
      isOver = true;
      this.#failed(link, error);
      throw storeUnavailable('tasks', error);
    }
  }

  #failed(link: Link, error: unknown): void {
    // Failures of a connection that was replaced say nothing about the present one.
    if (this.#isClosed || link !== this.#link) return;
    // Any other error is a reply.
    if (!(error instanceof RedisUnavailableError) && link.own.status === 'ready') {
      this.#breaker.succeeded();
      return;
    }
    const wasOpen = this.#breaker.waitMs() !== undefined;
    this.#breaker.failed();
    if (this.#breaker.waitMs() === undefined) return;
    if (!wasOpen) this.#logger.warning('the task queue cannot use Redis', { error: toLoggedError(error) });
    // A connection that is half open or frozen may never fail by itself. Its pending commands fail now.
    for (const [server, queue] of this.#queues) this.#drop(server, queue);
    this.#link = this.#open();
    link.own.disconnect();
  }
}

function toTexts(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.filter((each) => typeof each === 'string') : [];
}

async function addTo(queue: JobQueue, job: TaskJob, delayMs: number): Promise<void> {
  await queue.add(NAME, job, {
    jobId: idOf(job),
    delay: Math.max(0, Math.ceil(delayMs)),
    // The record of the task has its end.
    removeOnComplete: true,
    removeOnFail: true,
    stackTraceLimit: 0,
    ...RETRY,
  });
}

function idOf({ taskId, leg }: TaskJob): string {
  return `${taskId}-${leg}`;
}
