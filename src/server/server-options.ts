import type { Middleware } from '../middleware/middleware.ts';
import type { NotInferred } from '../base/not-inferred.ts';
import type { PromptList } from '../prompts/prompt-list.ts';
import type { PromptsFor } from '../prompts/prompts-manager.ts';
import type { AnyPromptDefinition } from '../prompts/prompt-definition.ts';
import type { SurfaceOptions } from '../registry/exposure/exposure.ts';
import type { ToolsFor } from '../registry/surface.ts';
import type { BuilderFor } from '../registry/registry-unit.ts';
import type { ToolList } from '../registry/tool-list.ts';
import type { ResourceList } from '../resources/resource-list.ts';
import type { ResourcesFor } from '../resources/resources-manager.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';
import type { SkillSource } from '../skills/skill-source.ts';
import type { EventBus } from '../stores/event-bus.ts';
import type { KeyRing } from '../stores/sealing/key-ring.ts';
import type { TaskQueue } from '../stores/task-queue.ts';
import type { TaskStore } from '../stores/task-store.ts';
import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import type { ServerDescription } from '../wire/served/introduction.ts';
import type { ServerLimits } from '../wire/served/served.ts';
import type { CacheableMethod, CacheHint } from '../wire/services/services.ts';

/** Default limits of a server. `docs/limits.md` lists the same numbers; a test compares them. */
export const SERVER_DEFAULTS: Readonly<
  Record<keyof ServerLimits | 'requestStateTtlMs' | 'taskTtlMs', number>
> = {
  /** Maximum size of a message, over HTTP and on a line of standard input. */
  maxMessageBytes: 4_194_304,
  maxDepth: 128,
  maxNodes: 50_000,
  maxPageBytes: 1_000_000,
  maxPageItems: 10_000,
  maxSubscriptions: 1024,
  maxSubscriptionsPerCaller: 16,
  /** Maximum number of elicitation and sampling rounds of one call. */
  maxRounds: 32,
  /** Maximum size of the request state that a client carries for a call. */
  maxStateBytes: 262_144,
  /** Timeout of a request to a client of an earlier revision. */
  inputTimeoutMs: 600_000,
  maxRunningTasks: 1000,
  /** Running tasks of one caller; does not apply to anonymous callers. */
  maxRunningTasksPerCaller: 100,
  /** Time that a task waits for the client's input. */
  taskAnswerMs: 3_600_000,
  /** Memory kept on behalf of all clients; a quarter of the heap limit if that is less. */
  maxMemoryBytes: 134_217_728,
  /** Memory kept on behalf of one identified caller; a quarter of `maxMemoryBytes` if that is less. */
  maxMemoryBytesPerCaller: 33_554_432,
  requestStateTtlMs: 600_000,
  /** Time a task is kept after its end. */
  taskTtlMs: 3_600_000,
};

/** Settings of `createServer` for all tools, prompts and resources. A registry or manager that is passed keeps its own settings. */
interface ServerSettings<TContext extends object>
  extends ServerDescription, Omit<ToolSettingsOptions<TContext>, 'name'>, Omit<SurfaceOptions, 'policy'> {
  /** Instructions for the model: what the server is for, and how to combine its parts. */
  readonly instructions?: string;
  /** Agent Skills, for example of `directorySkills`. Their files are added to the resources. */
  readonly skills?: SkillSource | readonly SkillSource[];
  /** Middleware around all tools, prompts and resources, the first one outermost. `server.use` adds more, and extends the type of the context. */
  readonly middleware?: readonly Middleware<NotInferred<TContext>>[];
  /** Time that clients may cache results, by method. Default: none (clients cache nothing). */
  readonly cacheHints?: Partial<Record<CacheableMethod, CacheHint>>;
  /** Limits of messages, pages, subscriptions, tasks and memory. Default: `SERVER_DEFAULTS`. */
  readonly limits?: Partial<ServerLimits>;
  /**
   * Secrets of at least 32 characters that encrypt the request state between rounds of a call, and the ids of shared sessions. The first
   * encrypts, all decrypt. With a `KeyRing`, they can be replaced while the server runs. Default: a random one per process.
   */
  readonly requestStateKeys?: readonly string[] | KeyRing;
  /** Time until the client must send the next round of a call, in milliseconds. Default: 600,000 (10 minutes). */
  readonly requestStateTtlMs?: number;
  /**
   * Accepts each request state once, on all nodes that share `stateStore`. A client that repeats a round, for example after a lost response,
   * must start the call again. While the store fails, rounds after the first are rejected. Default: false.
   */
  readonly requestStateSingleUse?: boolean;
  /** Store of tasks. Default: a `MemoryTaskStore`. */
  readonly taskStore?: TaskStore;
  /** Time a task is kept after its end, in milliseconds. Default: 3,600,000 (1 hour). */
  readonly taskTtlMs?: number;
  /**
   * Hands tasks to worker processes, such as a `BullMqTaskQueue` of `toolwright/tasks`. Requires a `taskStore` and `requestStateKeys` that all
   * processes share. Default: tasks run in the process that receives the call.
   */
  readonly taskQueue?: TaskQueue;
  /** Carries change events to subscribed clients. Default: a `MemoryEventBus`, within this process. */
  readonly eventBus?: EventBus;
}

/** Options of `createServer`. */
export interface ServerOptions<TContext extends object = object> extends ServerSettings<TContext> {
  /** Tools: definitions and builders, a `ToolRegistry`, or a surface. */
  readonly tools?: ToolsFor<TContext> | readonly (AnyToolDefinition<TContext> | BuilderFor<TContext>)[];
  /** More definitions and builders, listed after `tools`. */
  readonly extraTools?: readonly (AnyToolDefinition<TContext> | BuilderFor<TContext>)[];
  /** Prompts: definitions, or a `PromptsManager`. */
  readonly prompts?: PromptsFor<TContext> | readonly AnyPromptDefinition<TContext>[];
  /** Resources: definitions, or a `ResourcesManager`. */
  readonly resources?: ResourcesFor<TContext> | readonly AnyResourceDefinition<TContext>[];
}

/** Inferred arrays of {@link InferredServerOptions}, except `tools`. */
export interface InferredParts<TContext extends object, TExtraTools, TPrompts, TTemplates> {
  /** More definitions and builders, listed after `tools`. */
  readonly extraTools?: ToolList<TExtraTools, NotInferred<TContext>>;
  /** Prompts: an array of definitions, or a `PromptsManager`. */
  readonly prompts?: PromptsFor<NotInferred<TContext>> | PromptList<TPrompts, NotInferred<TContext>>;
  /** Resources: an array of definitions, or a `ResourcesManager`. */
  readonly resources?: ResourcesFor<NotInferred<TContext>> | ResourceList<TTemplates, NotInferred<TContext>>;
}

/**
 * {@link ServerOptions} as `createServer` takes them: entries of an array literal are typed by their own schemas, arguments and URI
 * templates. All type parameters except the first are inferred tuples.
 */
export interface InferredServerOptions<TContext extends object, TTools, TExtraTools, TPrompts, TTemplates>
  extends ServerSettings<TContext>, InferredParts<TContext, TExtraTools, TPrompts, TTemplates> {
  /**
   * Tools: an array of definitions and builders, a `ToolRegistry`, or a surface. Tools whose handlers use nothing of the context are valid
   * in any server.
   */
  readonly tools?: ToolsFor<NotInferred<TContext>> | ToolList<TTools, NotInferred<TContext>>;
}
