import type { Middleware } from '../middleware/middleware.ts';
import type { PromptsManager } from '../prompts/prompts-manager.ts';
import type { AnyPromptDefinition } from '../prompts/prompt-definition.ts';
import type { ToolSurface } from '../registry/surface.ts';
import type { BuilderFor } from '../registry/registry-unit.ts';
import type { ToolRegistry } from '../registry/tool-registry.ts';
import type { ResourcesManager } from '../resources/resources-manager.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';
import type { EventBus } from '../stores/event-bus.ts';
import type { TaskStore } from '../stores/task-store.ts';
import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import type { ServerDescription } from '../wire/served/introduction.ts';
import type { ServerLimits } from '../wire/served/served.ts';
import type { CacheableMethod, CacheHint } from '../wire/services/services.ts';

/** The limits of a server where nothing else is said. `docs/limits.md` shows the same numbers; a test compares them. */
export const SERVER_DEFAULTS: Readonly<
  Record<keyof ServerLimits | 'requestStateTtlMs' | 'taskTtlMs', number>
> = {
  /** The largest message, over HTTP and on a line of standard input. */
  maxMessageBytes: 4_194_304,
  maxDepth: 128,
  maxNodes: 50_000,
  maxPageBytes: 1_000_000,
  maxPageItems: 10_000,
  maxSubscriptions: 1024,
  maxSubscriptionsPerCaller: 16,
  /** How often one call may ask. */
  maxRounds: 32,
  /** What a client may be asked to carry for a call. */
  maxStateBytes: 262_144,
  /** How long a client of an earlier revision may take to answer a question. */
  inputTimeoutMs: 600_000,
  maxRunningTasks: 1000,
  /** Of one caller; nobody in particular is many. */
  maxRunningTasksPerCaller: 100,
  /** How long a question of a task waits for its answer. */
  taskAnswerMs: 3_600_000,
  /** What is kept on behalf of all clients together; a quarter of the heap limit where that is less. */
  maxMemoryBytes: 134_217_728,
  /** Of one identified caller; a quarter of `maxMemoryBytes` where that is less. */
  maxMemoryBytesPerCaller: 33_554_432,
  requestStateTtlMs: 600_000,
  /** How long the result of a task is kept. */
  taskTtlMs: 3_600_000,
};

/** Options of `createServer`. */
export interface ServerOptions<TContext extends object = object>
  extends ServerDescription, Omit<ToolSettingsOptions<TContext>, 'name'> {
  /** Tells a model what the server is for and how its parts belong together. */
  readonly instructions?: string;
  /** A registry, a surface of one, or definitions and builders. */
  readonly tools?:
    | ToolRegistry<TContext>
    | ToolSurface<TContext>
    | Iterable<AnyToolDefinition<TContext> | BuilderFor<TContext>>;
  /** Definitions and builders beside them: added to the registry, behind what it has. */
  readonly extraTools?: Iterable<AnyToolDefinition<TContext> | BuilderFor<TContext>>;
  readonly prompts?: PromptsManager<TContext> | Iterable<AnyPromptDefinition<TContext>>;
  readonly resources?: ResourcesManager<TContext> | Iterable<AnyResourceDefinition<TContext>>;
  /** Around all tools, prompts and resources, the first outermost. `server.use` adds to it, and to the type of the context. */
  readonly middleware?: readonly Middleware<TContext>[];
  /** How long clients may keep answers. Default: not at all. */
  readonly cacheHints?: Partial<Record<CacheableMethod, CacheHint>>;
  readonly limits?: Partial<ServerLimits>;
  /** Secrets of at least 32 characters that seal what clients carry between the rounds of a call; the first seals, all open. */
  readonly requestStateKeys?: readonly string[];
  /** How long a client has for the next round of a call. Default: ten minutes. */
  readonly requestStateTtlMs?: number;
  /** Where tasks are kept. Default: in memory. */
  readonly taskStore?: TaskStore;
  /** How long the result of a task is kept. Default: one hour. */
  readonly taskTtlMs?: number;
  /** Carries news to clients that listen. Default: within this process. */
  readonly eventBus?: EventBus;
}
