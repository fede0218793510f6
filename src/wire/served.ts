import type { Closing } from './closing.ts';
import type { ErrorHandlerLike } from '../errors/error-handler.ts';
import type { Logger } from '../errors/logger.ts';
import type { McpIcon } from '../model/mcp-types.ts';
import type { PromptsManager } from '../prompts/prompts-manager.ts';
import type { ToolSurface } from '../registry/surface.ts';
import type { ResourcesManager } from '../resources/resources-manager.ts';
import type { Clock } from '../stores/clock.ts';
import type { EventBus } from '../stores/event-bus.ts';
import type { MemoryBudget } from '../stores/memory-budget.ts';
import type { Places } from '../stores/places.ts';
import type { TaskRunner } from '../tasks/task-runner.ts';
import type { Answer } from './dispatch.ts';
import type { Incoming } from './method.ts';
import type { PageBook } from './pages.ts';
import type { Sealer } from './sealer.ts';

/** A server as it describes itself. */
export interface ServerDescription {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly McpIcon[];
}

/** How long, and for whom, a client may keep an answer (2026-07-28). */
export interface CacheHint {
  readonly ttlMs: number;
  /** `public`: the same for everybody, so that proxies may keep it too. */
  readonly scope: 'public' | 'private';
}

/** The answers that may be kept. */
export type CacheableMethod =
  | 'server/discover'
  | 'tools/list'
  | 'prompts/list'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read';

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

/** Prompts as the wire needs them, whatever their context. */
export type ServedPrompts = Omit<PromptsManager<never>, 'addPrompt' | 'removePrompt' | 'use'>;

/** Resources as the wire needs them, whatever their context. */
export type ServedResources = Omit<ResourcesManager<never>, 'addResource' | 'removeResource' | 'use'>;

/** Everything a server serves, as the wire needs it. Made once by `createServer`. */
export interface Served {
  readonly info: ServerDescription;
  readonly instructions: string | undefined;
  readonly tools: ToolSurface<never> | undefined;
  readonly prompts: ServedPrompts | undefined;
  readonly resources: ServedResources | undefined;
  readonly tasks: TaskRunner;
  readonly bus: EventBus;
  /** The memory that is kept on behalf of clients. */
  readonly memory: MemoryBudget;
  readonly sealer: Sealer;
  readonly limits: ServerLimits;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly errorHandler: ErrorHandlerLike;
  readonly cacheHints: Readonly<Record<CacheableMethod, CacheHint>>;
  /** Who sends a result: enough to know it by, without icons and descriptions. */
  readonly signature: Pick<ServerDescription, 'name' | 'version'>;
  /** Members of every result of 2026-07-28, as JSON text: what kind it is, and who sent it. */
  readonly stamp: string;
  /** Lists in pages, by what they were made of and by revision. */
  readonly books: WeakMap<object, Map<string, PageBook>>;
  /** The places of those that listen. */
  readonly listeners: Places;
  /** What was called last: the first place to look when something fails that belongs to no call. */
  readonly recent: { name: string | undefined };
  /** Tells that the server closes. */
  readonly closing: Closing;
  /** Who answers instead, where all that is served is in another process; never rejects. */
  readonly elsewhere?: ((incoming: Incoming) => Promise<Answer>) | undefined;
}
