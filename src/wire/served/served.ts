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

/** The limits of a server. `docs/limits.md` shows the same numbers; a test compares them. */
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

/** What everything that works for one server shares. */
export interface Runtime {
  readonly limits: ServerLimits;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The memory that is kept on behalf of clients. */
  readonly memory: MemoryBudget;
  readonly bus: EventBus;
  /** Tells that the server closes. */
  readonly closing: Closing;
}

/** What there is of one kind, as far as clients are told of its changes. */
export interface Watched {
  watch(): ListWatch;
}

/** What clients can be told of. */
export interface Announced {
  readonly tools: Watched | undefined;
  readonly prompts: Watched | undefined;
  readonly resources: (Watched & { has(uri: string, caller: Caller): boolean }) | undefined;
  /** Whether there is a task of this id for whoever owns it. */
  hasTask(taskId: string, owner: string): Promise<boolean>;
}

/** A server as transports and sessions see it: it answers requests. Made once by `createServer`. */
export interface Served extends Runtime {
  /** Answers a request. Never rejects. */
  readonly answer: (request: RpcRequest, exchange: Exchange) => Promise<Answer>;
  readonly introduction: Introduction;
  readonly announced: Announced;
  /** What was called last: the first place to look when something fails that belongs to no call. */
  readonly recent: { name: string | undefined };
  /** Where `toolwright dev` hears of errors. */
  readonly errorWatch: ErrorWatch;
}
