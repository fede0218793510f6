import type { ErrorWatch } from '../../errors/error-handler.ts';
import type { Logger } from '../../errors/logger.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { ListWatch } from '../../pipeline/visibility/visibility-change.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ServerEventBus } from '../../stores/event-bus.ts';
import type { MemoryState } from '../../stores/memory-state.ts';
import type { StateStore } from '../../stores/state/state-store.ts';
import type { KeyRing } from '../../stores/sealing/key-ring.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import type { Answer } from '../messages/answer.ts';
import type { Closing } from './closing.ts';
import type { Exchange } from './exchange.ts';
import type { Introduction } from './introduction.ts';
import type { RpcRequest } from '../messages/json-rpc.ts';

/** Limits of a server. `docs/limits.md` lists the same numbers; a test compares them. */
export interface ServerLimits {
  /** Maximum size of a message, in bytes. Default: 4,194,304. */
  readonly maxMessageBytes: number;
  /** Maximum nesting depth of a message. Default: 128. */
  readonly maxDepth: number;
  /** Maximum number of values in a message. Default: 50,000. */
  readonly maxNodes: number;
  /** Size of a page of a list, in bytes. Default: 1,000,000. */
  readonly maxPageBytes: number;
  /** Entries of a page of a list. Default: 10,000. */
  readonly maxPageItems: number;
  /** Maximum number of open subscriptions, and of URIs in one of them. Default: 1,024. */
  readonly maxSubscriptions: number;
  /** Maximum number of open subscriptions per caller; does not apply to anonymous callers. Default: 16. */
  readonly maxSubscriptionsPerCaller: number;
  /** Maximum number of elicitation and sampling rounds of one call (2026-07-28). Default: 32. */
  readonly maxRounds: number;
  /** Maximum size of the request state that a client carries, in bytes. Default: 262,144. */
  readonly maxStateBytes: number;
  /** Timeout of a request to a client of an earlier revision, in milliseconds. Default: 600,000. */
  readonly inputTimeoutMs: number;
  /** Maximum number of running tasks. Default: 1,000. */
  readonly maxRunningTasks: number;
  /** Maximum number of running tasks per caller; does not apply to anonymous callers. Default: 100. */
  readonly maxRunningTasksPerCaller: number;
  /** Time that a task waits for the client's input, in milliseconds. Default: 3,600,000. */
  readonly taskAnswerMs: number;
  /** Memory kept on behalf of all clients, in bytes. Default: 134,217,728, or a quarter of the heap limit if that is less. */
  readonly maxMemoryBytes: number;
  /** Memory kept on behalf of one identified caller, in bytes. Default: 33,554,432, or a quarter of `maxMemoryBytes` if that is less. */
  readonly maxMemoryBytesPerCaller: number;
}

/** Parts that all components of one server share. */
export interface Runtime {
  readonly limits: ServerLimits;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Memory that is kept on behalf of clients. */
  readonly memory: MemoryBudget;
  readonly bus: ServerEventBus;
  /** Secrets that encrypt what clients carry. */
  readonly keys: KeyRing;
  /** Signals that the server closes. */
  readonly closing: Closing;
}

/** Items of one kind whose changes clients are notified of. */
export interface Watched {
  watch(): ListWatch;
}

/** Items whose changes clients can subscribe to. */
export interface Announced {
  readonly tools: Watched | undefined;
  readonly prompts: Watched | undefined;
  readonly resources: (Watched & { has(uri: string, caller: Caller): boolean }) | undefined;
  /** Whether the owner has a task with this id. */
  hasTask(taskId: string, owner: string): Promise<boolean>;
}

/** Tasks that this process runs. */
export interface TaskWork {
  /** Resolves when this process takes tasks. */
  readonly ready: Promise<void>;
  /** Takes no further tasks, and waits for the running ones; after the timeout, their handlers are aborted. */
  close(withinMs: number): Promise<void>;
}

/** A server as transports and sessions use it. Created once by `createServer`. */
export interface Served extends Runtime {
  /** Handles a request. Never rejects. */
  readonly answer: (request: RpcRequest, exchange: Exchange) => Promise<Answer>;
  readonly introduction: Introduction;
  readonly announced: Announced;
  /**
   * SHA-256 of all tools, prompts and resources, as hexadecimal text; the same in every process with the same definitions. Undefined in
   * `toolwright dev`, whose definitions are in another process.
   */
  readonly catalogHash: (() => Promise<string>) | undefined;
  /** The store of state that was passed to the server; undefined if it is in memory, or in `toolwright dev`. */
  readonly sharedState: StateStore | undefined;
  /** The state that other processes with the same server do not have. Sessions are those of a transport. Undefined in `toolwright dev`. */
  readonly memoryState: (() => readonly MemoryState[]) | undefined;
  /** Starts to run tasks of the queue in this process; undefined without a queue. */
  readonly startTaskWorker: ((concurrency: number) => TaskWork) | undefined;
  /** The tool that was called last: the first place to look after an unhandled rejection. */
  readonly recent: { name: string | undefined };
  /** Reports errors to `toolwright dev`. */
  readonly errorWatch: ErrorWatch;
}
