// The declarations name AsyncDisposable, which programs without the types of Node do not have.
/// <reference lib="esnext.disposable" preserve="true" />
import { isObject } from '../base/is-object.ts';
import { DefinitionError } from '../errors/errors.ts';
import { assertMiddleware } from '../middleware/compile-chain.ts';
import type { AnyMiddleware, Middleware } from '../middleware/middleware.ts';
import type {
  AnyPromptDefinition,
  PromptArgumentDefinition,
  PromptDefinition,
  SchemaPromptDefinition,
} from '../prompts/prompt-definition.ts';
import { toWireObject } from '../model/converters/mcp/wire-object.ts';
import { PromptsManager } from '../prompts/prompts-manager.ts';
import type { BuilderFor, NeedsAtMost } from '../registry/registry-unit.ts';
import type { SurfaceOptions } from '../registry/exposure/exposure.ts';
import { surfaceOptionsOf } from '../registry/registry-options.ts';
import { ToolSurface } from '../registry/surface.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import type {
  AnyResourceDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
} from '../resources/resource-definition.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import { ServerEventBus } from '../stores/event-bus.ts';
import { MemoryBudget } from '../base/memory/memory-budget.ts';
import { Quota } from '../base/quota.ts';
import type { MemoryState } from '../stores/memory-state.ts';
import { MemoryStateStore } from '../stores/state/state-store.ts';
import type { QueueOfServer } from '../tasks/queued-tasks.ts';
import { TaskRunner } from '../tasks/task-runner.ts';
import { resolveSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { AnyToolDefinition, ToolDefinition } from '../tools/tool-definition.ts';
import { Closing } from '../wire/served/closing.ts';
import { dispatch } from '../wire/methods/dispatch.ts';
import { Introduction } from '../wire/served/introduction.ts';
import type { ServerDescription } from '../wire/served/introduction.ts';
import { toSealing } from './sealing.ts';
import { LegSealer } from '../wire/dialogues/leg-work.ts';
import type { Served } from '../wire/served/served.ts';
import type { Services } from '../wire/services/services.ts';
import { CatalogHash } from './catalog-hash.ts';
import { followCancels, startLegs, toQueue, toTaskStore } from './task-parts.ts';
import { findMemoryState } from './find-memory-state.ts';
import { News } from './news.ts';
import { toOwnParts } from './own-parts.ts';
import { assertServerOptions, assertSettingsHold, hintsOf, limitsOf, skillsOf } from './read-options.ts';
import { SERVER_DEFAULTS } from './server-options.ts';
import type { InferredServerOptions, ServerOptions } from './server-options.ts';
import { keepServed } from './served-of.ts';
import { toDefinition } from './unnamed-tool.ts';
import type { ToolFunction, UnnamedTool } from './unnamed-tool.ts';

/**
 * Creates a server from tools, prompts and resources. Serve it over any number of transports.
 *
 * @example
 * const server = createServer({ name: 'calculator', version: '1.0.0', tools: [add] });
 * const { url } = await serveHttp(server, { port: 3000 });
 */
export function createServer<
  TContext extends object = object,
  TTools = readonly unknown[],
  TExtraTools = readonly unknown[],
  const TPrompts = readonly unknown[],
  const TTemplates = readonly string[],
>(
  options: InferredServerOptions<TContext, TTools, TExtraTools, TPrompts, TTemplates>,
): ToolwrightServer<TContext>;
// Types of single handlers matter only to their schemas; here all tools have the same type.
export function createServer(options: unknown, ...rest: readonly unknown[]): unknown {
  // The official SDK's server takes two objects: a likely mistake. Other arguments are ignored: `map(createServer)` passes an index.
  if (isObject(rest[0]))
    throw new DefinitionError(
      'createServer takes one object. Put all options into it: createServer({ name, version, instructions, tools }).',
      { reason: 'wrong-value', option: Object.keys(rest[0])[0] ?? 'name', expected: 'one object' },
    );
  return new ToolwrightServer(options as ServerOptions<never>);
}

/** A server, created by {@link createServer}. */
export class ToolwrightServer<TContext extends object = object> implements AsyncDisposable {
  readonly name: string;
  readonly version: string;
  /** Shared settings of all tools, prompts and resources, now and later. */
  readonly #settings: ToolSettings;
  readonly #shown: SurfaceOptions;
  /** The registry and managers that were passed. They are mounted in the server's own. */
  readonly #given: Pick<ServerOptions<TContext>, 'tools' | 'prompts' | 'resources'>;
  readonly #unmount: () => void;
  readonly #closing = new Closing();
  readonly #tasks: TaskRunner;
  readonly #services: Growing<Services>;
  readonly #news: News;
  /** Applied to the first tool, prompt or resource that is registered later. */
  readonly #middleware: Middleware<TContext>[] = [];
  #registry: ToolRegistry<TContext> | undefined;
  #prompts: PromptsManager<TContext> | undefined;
  #resources: ResourcesManager<TContext> | undefined;

  /** `settings`: used by servers whose parts were already created with them. Default: read from the options. */
  constructor(options: ServerOptions<TContext>, settings?: ToolSettings) {
    assertServerOptions(options as unknown as ServerOptions<never>);
    if (settings === undefined)
      assertSettingsHold(options as unknown as ServerOptions<never>, 'createServer');
    this.name = options.name;
    this.version = options.version;
    this.#settings = settings ?? resolveSettings(options, 'createServer');
    this.#shown = surfaceOptionsOf(options);
    this.#given = options;
    const { logger, clock, errorHandler } = this.#settings.collaborators;
    const limits = limitsOf(options);
    const owner = { settings: this.#settings, shown: this.#shown };
    const { registry, surface, prompts, resources, unmount } = toOwnParts(options, owner);
    this.#registry = registry;
    this.#prompts = prompts;
    this.#resources = resources;
    this.#unmount = unmount;
    const bus = new ServerEventBus(options.eventBus, options.name);
    const memory = new MemoryBudget(limits.maxMemoryBytes, limits.maxMemoryBytesPerCaller);
    const sealing = toSealing(options, limits, this.#settings.collaborators);
    const legs = new LegSealer(sealing.keys, options.name);
    const queued = toQueue(options, sealing.keys, legs);
    this.#tasks = new TaskRunner({
      queued,
      store: options.taskStore ?? toTaskStore(memory, clock),
      clock,
      logger,
      ttlMs: options.taskTtlMs ?? SERVER_DEFAULTS.taskTtlMs,
      maxRunning: limits.maxRunningTasks,
      maxRunningPerOwner: limits.maxRunningTasksPerCaller,
      answerWithinMs: limits.taskAnswerMs,
      followCancels: followCancels(bus),
    });
    const services: Growing<Services> = {
      introduction: new Introduction(describe(options), options.instructions),
      tools: surface,
      prompts,
      resources,
      skills: skillsOf(options),
      tasks: this.#tasks,
      hasTask: async (taskId, owner) => (await this.#tasks.get(taskId, owner)) !== undefined,
      bus,
      memory,
      ...sealing,
      legs,
      limits,
      logger,
      clock,
      errorHandler,
      cacheHints: hintsOf(options),
      books: new WeakMap(),
      listeners: new Quota(limits.maxSubscriptions, limits.maxSubscriptionsPerCaller),
      recent: { name: undefined },
      closing: this.#closing,
    };
    this.#services = services;
    this.#news = new News(services);
    for (const middleware of options.middleware ?? []) this.use(middleware);
    keepServed(this, toServed(services, this.#settings, { ...options, queued }));
  }

  /** The server's registry, with the passed one mounted; undefined if the server serves a surface or has no tools yet. */
  get tools(): ToolRegistry<TContext> | undefined {
    return this.#given.tools instanceof ToolSurface ? undefined : this.#registry;
  }

  /** The server's prompts manager, with the passed one mounted; undefined if there are no prompts yet. */
  get prompts(): PromptsManager<TContext> | undefined {
    return this.#prompts;
  }

  /** The server's resources manager, with the passed one mounted; undefined if there are no resources yet. */
  get resources(): ResourcesManager<TContext> | undefined {
    return this.#resources;
  }

  /**
   * Adds a middleware around all tools, prompts and resources of this server, existing and future ones, as the outermost. The returned
   * server has the members that the middleware adds to the type of the context.
   */
  use<TAdds extends object>(middleware: Middleware<TContext, TAdds>): ToolwrightServer<TContext & TAdds> {
    assertMiddleware([middleware], `Server "${this.name}"`);
    this.#middleware.push(middleware);
    this.#registry?.use(middleware);
    this.#prompts?.use(middleware);
    this.#resources?.use(middleware);
    return this as unknown as ToolwrightServer<TContext & TAdds>;
  }

  /** Adds a grouped tool, also while the server runs. */
  registerTool(builder: BuilderFor<TContext>): this;
  /** Adds a tool, also while the server runs, and notifies subscribed clients. Throws if the name is taken or the definition is invalid. */
  registerTool<
    TInput extends Schema,
    TOutput extends Schema | undefined = undefined,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: NeedsAtMost<TContext> & ToolDefinition<TInput, TOutput, TContext, TMiddleware>): this;
  /** Adds a tool with name and handler as separate arguments. */
  registerTool<TInput extends Schema, TOutput extends Schema | undefined = undefined>(
    name: string,
    definition: UnnamedTool<TInput, TOutput, TContext>,
    handler: ToolFunction<TInput, TOutput, TContext>,
  ): this;
  registerTool(...given: unknown[]): this {
    const definition = toDefinition(given) as AnyToolDefinition<TContext>;
    if (this.#given.tools instanceof ToolSurface) {
      throw new DefinitionError(
        `Server "${this.name}" serves a surface. Register tools with the registry of the surface.`,
        { option: 'registerTool' },
      );
    }
    const tools = this.#registry ?? this.#surrounded(new ToolRegistry<TContext>(this.#shown, this.#settings));
    tools.registerAll([definition]);
    if (this.#registry !== undefined) return this;
    this.#registry = tools;
    this.#services.tools = tools.surface();
    this.#news.followTools(this.#services.tools);
    return this.#tellNew('tools');
  }

  /** Adds a prompt, also while the server runs, and notifies subscribed clients. Throws if the name is taken or the definition is invalid. */
  registerPrompt<
    TInput extends Schema,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: SchemaPromptDefinition<TInput, TContext, TMiddleware>): this;
  registerPrompt<
    const TArguments extends readonly PromptArgumentDefinition[] = readonly [],
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: PromptDefinition<TArguments, TContext, TMiddleware>): this;
  registerPrompt(definition: AnyPromptDefinition<TContext>): this;
  registerPrompt(definition: object): this {
    const prompts = this.#prompts ?? this.#surrounded(new PromptsManager<TContext>({}, this.#settings));
    prompts.addPrompt(definition as AnyPromptDefinition<TContext>);
    if (this.#prompts !== undefined) return this;
    this.#prompts = prompts;
    this.#services.prompts = prompts;
    this.#news.followPrompts(prompts);
    return this.#tellNew('prompts');
  }

  /** Adds a resource, also while the server runs, and notifies subscribed clients. Throws if the URI is taken or the definition is invalid. */
  registerResource<
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: ResourceDefinition<TContext, TMiddleware>): this;
  registerResource<
    const TTemplate extends string,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: ResourceTemplateDefinition<TTemplate, TContext, TMiddleware>): this;
  registerResource(definition: AnyResourceDefinition<TContext>): this;
  registerResource(definition: object): this {
    const resources = this.#resources ?? this.#surrounded(new ResourcesManager<TContext>({}, this.#settings));
    resources.addResource(definition as AnyResourceDefinition<TContext>);
    if (this.#resources !== undefined) return this;
    this.#resources = resources;
    this.#services.resources = resources;
    this.#news.followResources(resources);
    return this.#tellNew('resources');
  }

  /** Removes a tool; returns false if it does not exist. A tool of a passed registry is removed from that registry. */
  unregisterTool(name: string): boolean {
    const { tools } = this.#given;
    return this.tools?.unregister(name) === true || (tools instanceof ToolRegistry && tools.unregister(name));
  }

  /** Removes a prompt; returns false if it does not exist. A prompt of a passed manager is removed from that manager. */
  unregisterPrompt(name: string): boolean {
    const { prompts } = this.#given;
    const isOwn = this.#prompts?.removePrompt(name) === true;
    return isOwn || (prompts instanceof PromptsManager && prompts.removePrompt(name));
  }

  /** Removes a resource by URI or URI template; returns false if it does not exist. A resource of a passed manager is removed from that manager. */
  unregisterResource(uriOrTemplate: string): boolean {
    const { resources } = this.#given;
    const isOwn = this.#resources?.removeResource(uriOrTemplate) === true;
    return isOwn || (resources instanceof ResourcesManager && resources.removeResource(uriOrTemplate));
  }

  /**
   * Notifies all subscribed clients that their list of tools, prompts or resources may have changed. Call it when data that a policy
   * depends on has changed. Registering and removing is announced automatically.
   */
  announceChange(kind: 'tools' | 'prompts' | 'resources'): void {
    this.#news.announce(kind);
  }

  /** Ends subscriptions and tasks. Close the transports first; this does not close them. */
  async close(): Promise<void> {
    this.#closing.close();
    this.#news.stop();
    this.#unmount();
    await this.#tasks.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #surrounded<TPart extends ToolRegistry<TContext> | PromptsManager<TContext> | ResourcesManager<TContext>>(
    part: TPart,
  ): TPart {
    for (const middleware of this.#middleware) part.use(middleware);
    return part;
  }

  /** Declares the capability after the first registration of its kind. */
  #tellNew(kind: 'tools' | 'prompts' | 'resources'): this {
    this.#news.publishList[kind]();
    return this;
  }
}

/** Services whose parts can be added while the server runs. */
type Growing<TServices> = {
  -readonly [TKey in keyof TServices]: TServices[TKey];
};

/** The part of the services that transports use. */
function toServed(
  services: Services,
  settings: ToolSettings,
  {
    queued,
    ...stores
  }: Pick<ServerOptions, 'eventBus' | 'taskStore'> & {
    readonly queued: QueueOfServer | undefined;
  },
): Served {
  const { limits, logger, clock, memory, bus, keys, closing, introduction, recent } = services;
  const runtime = { limits, logger, clock, memory, bus, keys, closing };
  const answer: Served['answer'] = (request, exchange) => dispatch({ services, request, exchange });
  const catalog = new CatalogHash(services);
  const catalogHash = (): Promise<string> => catalog.get();
  const memoryState = (): readonly MemoryState[] => findMemoryState(services, settings, stores);
  const { stateStore } = settings.collaborators;
  const sharedState = stateStore instanceof MemoryStateStore ? undefined : stateStore;
  const startTaskWorker = queued && ((concurrency: number) => startLegs(services, queued, concurrency));
  const parts = {
    introduction,
    recent,
    announced: services,
    catalogHash,
    sharedState,
    memoryState,
    startTaskWorker,
  };
  return { ...runtime, ...parts, answer, errorWatch: settings.watched.watch };
}

function describe(options: ServerDescription): ServerDescription {
  const { name, version, title, description, websiteUrl, icons } = options;
  return Object.freeze(
    toWireObject<ServerDescription>({ name, version, title, description, websiteUrl, icons }, {}),
  );
}
