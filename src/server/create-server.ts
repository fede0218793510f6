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
import type { BuilderFor } from '../registry/registry-unit.ts';
import { ToolSurface } from '../registry/surface.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import type {
  AnyResourceDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
} from '../resources/resource-definition.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import { MemoryEventBus } from '../stores/event-bus.ts';
import type { Clock } from '../base/time/clock.ts';
import { MemoryBudget } from '../base/memory/memory-budget.ts';
import { Quota } from '../base/quota.ts';
import { MemoryTaskStore } from '../stores/task-store.ts';
import { TaskRunner } from '../tasks/task-runner.ts';
import { resolveSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { AnyToolDefinition, ToolDefinition } from '../tools/tool-definition.ts';
import { Closing } from '../wire/served/closing.ts';
import { dispatch } from '../wire/methods/dispatch.ts';
import { Introduction } from '../wire/served/introduction.ts';
import type { ServerDescription } from '../wire/served/introduction.ts';
import { Sealer } from '../wire/dialogues/sealer.ts';
import type { Served } from '../wire/served/served.ts';
import type { Services } from '../wire/services/services.ts';
import { News } from './news.ts';
import { assertOptions, assertSettingsHold, hintsOf, limitsOf, skillsOf } from './read-options.ts';
import { SERVER_DEFAULTS } from './server-options.ts';
import type { InferredServerOptions, ServerOptions } from './server-options.ts';
import { keepServed } from './served-of.ts';
import { toDefinition } from './unnamed-tool.ts';
import type { ToolFunction, UnnamedTool } from './unnamed-tool.ts';

/**
 * Everything that is served: tools, prompts and resources under one name. Put it behind as many transports as you like.
 *
 * @example
 * const server = createServer({ name: 'calculator', version: '1.0.0', tools: [add] });
 * const { url } = await serveHttp(server, { port: 3000 });
 */
export function createServer<
  TContext extends object = object,
  TInputs = readonly Schema[],
  TOutputs = readonly (Schema | undefined)[],
  TExtraInputs = readonly Schema[],
  TExtraOutputs = readonly (Schema | undefined)[],
  TPromptInputs = readonly Schema[],
  const TPromptArguments = readonly (readonly PromptArgumentDefinition[])[],
  const TTemplates = readonly string[],
>(
  options: InferredServerOptions<
    TContext,
    TInputs,
    TOutputs,
    TExtraInputs,
    TExtraOutputs,
    TPromptInputs,
    TPromptArguments,
    TTemplates
  >,
): ToolwrightServer<TContext> {
  // The types of single handlers are between them and their schemas: to everybody else these are tools like any other.
  return new ToolwrightServer(options as unknown as ServerOptions<TContext>);
}

/** A server, made by {@link createServer}. */
export class ToolwrightServer<TContext extends object = object> implements AsyncDisposable {
  readonly name: string;
  readonly version: string;
  /** One set for everything that is registered here, now and later. */
  readonly #settings: ToolSettings;
  readonly #closing = new Closing();
  readonly #tasks: TaskRunner;
  readonly #services: Growing<Services>;
  readonly #news: News;
  /** For what is registered first later. */
  readonly #middleware: Middleware<TContext>[] = [];
  #tools: ToolRegistry<TContext> | undefined;
  #prompts: PromptsManager<TContext> | undefined;
  #resources: ResourcesManager<TContext> | undefined;

  /** `settings`: for servers whose parts were made with them already. Without it, they are read from the options. */
  constructor(options: ServerOptions<TContext>, settings?: ToolSettings) {
    assertOptions(options as unknown as ServerOptions<never>);
    if (settings === undefined)
      assertSettingsHold(options as unknown as ServerOptions<never>, 'createServer');
    const { name, version } = options;
    this.name = name;
    this.version = version;
    this.#settings = settings ?? resolveSettings(options);
    const { logger, clock, errorHandler } = this.#settings.collaborators;
    this.#tools = toRegistry(options, this.#settings);
    const surface = options.tools instanceof ToolSurface ? options.tools : this.#tools?.surface();
    this.#prompts = toPrompts(options, this.#settings);
    this.#resources = toResources(options, this.#settings);
    const bus = options.eventBus ?? new MemoryEventBus();
    const limits = limitsOf(options);
    const memory = new MemoryBudget(limits.maxMemoryBytes, limits.maxMemoryBytesPerCaller);
    this.#tasks = new TaskRunner({
      store: options.taskStore ?? toTaskStore(memory, clock),
      clock,
      logger,
      ttlMs: options.taskTtlMs ?? SERVER_DEFAULTS.taskTtlMs,
      maxRunning: limits.maxRunningTasks,
      maxRunningPerOwner: limits.maxRunningTasksPerCaller,
      answerWithinMs: limits.taskAnswerMs,
    });
    const services: Growing<Services> = {
      introduction: new Introduction(describe(options), options.instructions),
      tools: surface,
      prompts: this.#prompts,
      resources: this.#resources,
      skills: skillsOf(options),
      tasks: this.#tasks,
      hasTask: async (taskId, owner) => (await this.#tasks.get(taskId, owner)) !== undefined,
      bus,
      memory,
      sealer: new Sealer({
        keys: options.requestStateKeys,
        ttlMs: options.requestStateTtlMs ?? SERVER_DEFAULTS.requestStateTtlMs,
        maxChars: limits.maxStateBytes,
        clock,
      }),
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
    keepServed(this, toServed(services));
  }

  /** The registry behind the tools; undefined when a surface was given, or no tools so far. */
  get tools(): ToolRegistry<TContext> | undefined {
    return this.#tools;
  }

  /** The manager behind the prompts; undefined when there have been none so far. */
  get prompts(): PromptsManager<TContext> | undefined {
    return this.#prompts;
  }

  /** The manager behind the resources; undefined when there have been none so far. */
  get resources(): ResourcesManager<TContext> | undefined {
    return this.#resources;
  }

  /**
   * Puts a middleware around all tools, prompts and resources, outermost: those that are there already and those still to come. What it adds
   * to the context is known to what is registered on what this returns.
   */
  use<TAdds extends object>(middleware: Middleware<TContext, TAdds>): ToolwrightServer<TContext & TAdds> {
    assertMiddleware([middleware], `Server "${this.name}"`);
    this.#assertNoSurface('Call use of the registry');
    this.#middleware.push(middleware);
    this.#tools?.use(middleware);
    this.#prompts?.use(middleware);
    this.#resources?.use(middleware);
    return this as unknown as ToolwrightServer<TContext & TAdds>;
  }

  /** Adds a grouped tool, also while the server runs. */
  registerTool(builder: BuilderFor<TContext>): this;
  /** Adds a tool, also while the server runs: clients that listen are told. Taken names and wrong definitions are refused. */
  registerTool<
    TInput extends Schema,
    TOutput extends Schema | undefined = undefined,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: ToolDefinition<TInput, TOutput, TContext, TMiddleware>): this;
  /** The same with name and handler apart. */
  registerTool<TInput extends Schema, TOutput extends Schema | undefined = undefined>(
    name: string,
    definition: UnnamedTool<TInput, TOutput, TContext>,
    handler: ToolFunction<TInput, TOutput, TContext>,
  ): this;
  registerTool(...given: unknown[]): this {
    const definition = toDefinition(given) as AnyToolDefinition<TContext>;
    this.#assertNoSurface('Register tools with the registry');
    const tools = this.#tools ?? this.#surrounded(new ToolRegistry<TContext>({}, this.#settings));
    tools.registerAll([definition]);
    if (this.#tools !== undefined) return this;
    this.#tools = tools;
    this.#services.tools = tools.surface();
    this.#news.followTools(this.#services.tools);
    return this.#tellNew('tools');
  }

  /** Adds a prompt, also while the server runs: clients that listen are told. Taken names and wrong definitions are refused. */
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

  /** Adds a resource, also while the server runs: clients that listen are told. Taken URIs and wrong definitions are refused. */
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

  /** False if there was none of this name. */
  unregisterTool(name: string): boolean {
    return this.#tools?.unregister(name) ?? false;
  }

  /** False if there was none of this name. */
  unregisterPrompt(name: string): boolean {
    return this.#prompts?.removePrompt(name) ?? false;
  }

  /** False if there was none of this URI or URI template. */
  unregisterResource(uriOrTemplate: string): boolean {
    return this.#resources?.removeResource(uriOrTemplate) ?? false;
  }

  /**
   * Tells all clients that listen that their list of tools, prompts or resources may be another one. Only needed for changes that the server
   * cannot see: of the data that a policy decides by. What is registered and removed is announced without it.
   */
  announceChange(kind: 'tools' | 'prompts' | 'resources'): void {
    this.#news.announce(kind);
  }

  /** Ends subscriptions and tasks. Transports are closed by themselves, and before this. */
  async close(): Promise<void> {
    this.#closing.close();
    this.#news.stop();
    await this.#tasks.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The tools of a surface are changed where they come from. */
  #assertNoSurface(advice: string): void {
    if (this.#services.tools === undefined || this.#tools !== undefined) return;
    throw new DefinitionError(
      `Server "${this.name}" serves a surface. ${advice} that the surface was made of.`,
    );
  }

  #surrounded<TPart extends ToolRegistry<TContext> | PromptsManager<TContext> | ResourcesManager<TContext>>(
    part: TPart,
  ): TPart {
    for (const middleware of this.#middleware) part.use(middleware);
    return part;
  }

  /** The first of its kind: from now on the server declares that it has some. */
  #tellNew(kind: 'tools' | 'prompts' | 'resources'): this {
    this.#news.publishList[kind]();
    return this;
  }
}

/** What a server serves may grow while it runs. */
type Growing<TServices> = {
  -readonly [TKey in keyof TServices]: TServices[TKey];
};

function toRegistry<TContext extends object>(
  options: ServerOptions<TContext>,
  settings: ToolSettings,
): ToolRegistry<TContext> | undefined {
  const { tools, extraTools } = options;
  if (tools instanceof ToolSurface || (tools === undefined && extraTools === undefined)) return undefined;
  const isGiven = tools instanceof ToolRegistry;
  const registry = isGiven ? tools : new ToolRegistry<TContext>({}, settings);
  const added = [...(isGiven ? [] : (tools ?? [])), ...(extraTools ?? [])];
  return added.length === 0 ? registry : registry.registerAll(added);
}

function toPrompts<TContext extends object>(
  options: ServerOptions<TContext>,
  settings: ToolSettings,
): PromptsManager<TContext> | undefined {
  const { prompts } = options;
  if (prompts === undefined || prompts instanceof PromptsManager) return prompts;
  return new PromptsManager<TContext>({ prompts }, settings);
}

function toResources<TContext extends object>(
  options: ServerOptions<TContext>,
  settings: ToolSettings,
): ResourcesManager<TContext> | undefined {
  const { resources } = options;
  const ofSkills = skillsOf(options)?.flatMap((source) => source.resources) ?? [];
  if (resources === undefined && ofSkills.length === 0) return undefined;
  const isGiven = resources instanceof ResourcesManager;
  const manager = isGiven
    ? resources
    : new ResourcesManager<TContext>({ resources: resources ?? [] }, settings);
  for (const resource of ofSkills) manager.addResource(resource as AnyResourceDefinition<TContext>);
  return manager;
}

/** What transports need of it. */
function toServed(services: Services): Served {
  const { limits, logger, clock, memory, bus, closing, introduction, recent } = services;
  const runtime = { limits, logger, clock, memory, bus, closing };
  const answer: Served['answer'] = (request, exchange) => dispatch({ services, request, exchange });
  return { ...runtime, introduction, recent, announced: services, answer };
}

/** Results that wait for their clients may fill half of the budget; the other half stays free for calls. */
function toTaskStore(memory: MemoryBudget, clock: Clock): MemoryTaskStore {
  const store = new MemoryTaskStore({
    clock,
    maxBytes: memory.maxBytes / 2,
    onBytes: (change) => memory.add(change),
  });
  memory.onPressure('expired', () => store.dropExpired());
  return store;
}

function describe(options: ServerDescription): ServerDescription {
  const { name, version, title, description, websiteUrl, icons } = options;
  return Object.freeze(
    toWireObject<ServerDescription>({ name, version, title, description, websiteUrl, icons }, {}),
  );
}
