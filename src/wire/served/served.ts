import type { ErrorWatch } from '../../errors/error-handler.ts';
import type { Logger } from '../../errors/logger.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import type { ListWatch } from '../../pipeline/visibility/visibility-change.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EventBus } from '../../stores/event-bus.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import type { Answer } from '../messages/answer.ts';
import type { Closing } from './closing.ts';
import type { Exchange } from './exchange.ts';
import type { Introduction } from './introduction.ts';
import type { RpcRequest } from '../messages/json-rpc.ts';

/** Limits of a server. `docs/limits.md` lists the same numbers; a test compares them. */
export interface ServerLimits {
  readonly maxMessageBytes: number;
  readonly maxDepth: number;
  readonly maxNodes: number;
  readonly maxPageBytes: number;
  readonly maxPageItems: number;
  readonly maxSubscriptions: number;
  readonly maxSubscriptionsPerCaller: number;
  readonly maxRounds: number;
  readonly maxStateBytes: number;
  readonly inputTimeoutMs: number;
  readonly maxRunningTasks: number;
  readonly maxRunningTasksPerCaller: number;
  readonly taskAnswerMs: number;
  readonly maxMemoryBytes: number;
  readonly maxMemoryBytesPerCaller: number;
}

/** Parts that all components of one server share. */
export interface Runtime {
  readonly limits: ServerLimits;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Memory that is kept on behalf of clients. */
  readonly memory: MemoryBudget;
  readonly bus: EventBus;
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

/** A server as transports and sessions use it. Created once by `createServer`. */
export interface Served extends Runtime {
  /** Handles a request. Never rejects. */
  readonly answer: (request: RpcRequest, exchange: Exchange) => Promise<Answer>;
  readonly introduction: Introduction;
  readonly announced: Announced;
  /** The tool that was called last: the first place to look after an unhandled rejection. */
  readonly recent: { name: string | undefined };
  /** Reports errors to `toolwright dev`. */
  readonly errorWatch: ErrorWatch;
}
