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

/**
 * Options of `createServer` beside what is served. All tools, prompts and resources have these settings; a registry or a manager that was made
 * before keeps those that it was given itself.
 */
interface ServerSettings<TContext extends object>
  extends ServerDescription, Omit<ToolSettingsOptions<TContext>, 'name'>, Omit<SurfaceOptions, 'policy'> {
  /** Tells a model what the server is for and how its parts belong together. */
  readonly instructions?: string;
  /** Agent Skills, of `directorySkills` for example. Their files are added to the resources. */
  readonly skills?: SkillSource | readonly SkillSource[];
  /** Around all tools, prompts and resources, the first outermost. `server.use` adds to it, and to the type of the context. */
  readonly middleware?: readonly Middleware<NotInferred<TContext>>[];
  /** How long clients may keep answers. Default: not at all. */
  readonly cacheHints?: Partial<Record<CacheableMethod, CacheHint>>;
  /** Bounds of messages, pages, subscriptions, tasks and memory; see `SERVER_DEFAULTS`. */
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

/** Options of `createServer`. */
export interface ServerOptions<TContext extends object = object> extends ServerSettings<TContext> {
  /** A registry, a surface of one, or definitions and builders. */
  readonly tools?: ToolsFor<TContext> | readonly (AnyToolDefinition<TContext> | BuilderFor<TContext>)[];
  /** Definitions and builders beside them, listed behind them. */
  readonly extraTools?: readonly (AnyToolDefinition<TContext> | BuilderFor<TContext>)[];
  /** A manager, or definitions. */
  readonly prompts?: PromptsFor<TContext> | readonly AnyPromptDefinition<TContext>[];
  /** A manager, or definitions. */
  readonly resources?: ResourcesFor<TContext> | readonly AnyResourceDefinition<TContext>[];
}

/** The arrays of {@link InferredServerOptions} beside `tools`. */
export interface InferredParts<TContext extends object, TExtraTools, TPrompts, TTemplates> {
  /** Definitions and builders beside them, listed behind them. */
  readonly extraTools?: ToolList<TExtraTools, NotInferred<TContext>>;
  /** A manager, or an array of definitions. */
  readonly prompts?: PromptsFor<NotInferred<TContext>> | PromptList<TPrompts, NotInferred<TContext>>;
  /** A manager, or an array of definitions. */
  readonly resources?: ResourcesFor<NotInferred<TContext>> | ResourceList<TTemplates, NotInferred<TContext>>;
}

/**
 * {@link ServerOptions} as `createServer` takes them: what stands in an array literal is typed by its own schemas, arguments and URI
 * templates. Each type parameter but the first is a tuple that the compiler infers.
 */
export interface InferredServerOptions<TContext extends object, TTools, TExtraTools, TPrompts, TTemplates>
  extends ServerSettings<TContext>, InferredParts<TContext, TExtraTools, TPrompts, TTemplates> {
  /** A registry, a surface of one, or an array of definitions and builders. Those whose handlers need nothing of the context fit any server. */
  readonly tools?: ToolsFor<NotInferred<TContext>> | ToolList<TTools, NotInferred<TContext>>;
}
