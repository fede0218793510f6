import { PromptsManager } from '../prompts/prompts-manager.ts';
import { ToolSurface } from '../registry/surface.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import { MemoryEventBus } from '../stores/event-bus.ts';
import type { ServerEvent } from '../stores/event-bus.ts';
import { Places } from '../stores/places.ts';
import { MemoryTaskStore } from '../stores/task-store.ts';
import { TaskRunner } from '../tasks/task-runner.ts';
import { resolveSettings } from '../tools/compile/tool-settings.ts';
import { Closing } from '../wire/closing.ts';
import { META } from '../wire/meta-keys.ts';
import { Sealer } from '../wire/sealer.ts';
import type { Served, ServerDescription } from '../wire/served.ts';
import { wholeTaskOf } from '../wire/task-state.ts';
import { assertOptions, hintsOf, limitsOf, settingsOf } from './read-options.ts';
import { SERVER_DEFAULTS } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';
import { keepServed } from './served-of.ts';

/**
 * Everything that is served: tools, prompts and resources under one name. Put it behind as many transports as you like.
 *
 * @example
 * const server = createServer({ name: 'calculator', version: '1.0.0', tools: [add] });
 * const { url } = await serveHttp(server, { port: 3000 });
 */
export function createServer<TContext extends object = object>(
  options: ServerOptions<TContext>,
): ToolwrightServer<TContext> {
  return new ToolwrightServer(options);
}

/** A server, made by {@link createServer}. */
export class ToolwrightServer<TContext extends object = object> implements AsyncDisposable {
  readonly name: string;
  readonly version: string;
  /** The registry behind the tools; undefined when a surface was given, or no tools. */
  readonly tools: ToolRegistry<TContext> | undefined;
  readonly prompts: PromptsManager<TContext> | undefined;
  readonly resources: ResourcesManager<TContext> | undefined;
  readonly #closing = new Closing();
  readonly #tasks: TaskRunner;
  readonly #release: readonly (() => void)[];

  constructor(options: ServerOptions<TContext>) {
    assertOptions(options as ServerOptions<never>);
    const { name, version } = options;
    this.name = name;
    this.version = version;
    const settings = resolveSettings(settingsOf(options));
    const { logger, clock, errorHandler } = settings.collaborators;
    this.tools = toRegistry(options);
    const surface = options.tools instanceof ToolSurface ? options.tools : this.tools?.surface();
    this.prompts = toPrompts(options);
    this.resources = toResources(options);
    const bus = options.eventBus ?? new MemoryEventBus();
    const limits = limitsOf(options);
    this.#tasks = new TaskRunner({
      store: options.taskStore ?? new MemoryTaskStore({ clock }),
      clock,
      logger,
      ttlMs: options.taskTtlMs ?? SERVER_DEFAULTS.taskTtlMs,
      maxRunning: limits.maxRunningTasks,
      maxRunningPerOwner: limits.maxRunningTasksPerCaller,
      answerWithinMs: limits.taskAnswerMs,
    });
    const info = describe(options);
    const served: Served = {
      info,
      instructions: options.instructions,
      tools: surface,
      prompts: this.prompts,
      resources: this.resources,
      tasks: this.#tasks,
      bus,
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
      signature: { name, version },
      stamp: `"resultType":"complete","_meta":${JSON.stringify({ [META.serverInfo]: { name, version } })}`,
      books: new WeakMap(),
      listeners: new Places(limits.maxSubscriptions, limits.maxSubscriptionsPerCaller),
      recent: { name: undefined },
      closing: this.#closing,
    };
    this.#release = announceChanges(served, surface);
    keepServed(this, served);
  }

  /** Ends subscriptions and tasks. Transports are closed by themselves, and before this. */
  async close(): Promise<void> {
    this.#closing.close();
    for (const release of this.#release) release();
    await this.#tasks.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Tells clients that listen what has changed. */
function announceChanges(served: Served, surface: Pick<ToolSurface, 'onChange'> | undefined): (() => void)[] {
  const { bus, prompts, resources, tasks } = served;
  const publish = (event: ServerEvent): void => {
    const published = async (): Promise<void> => bus.publish(event);
    published().catch((error: unknown) => {
      served.logger.error('the event bus failed', { error: String(error) });
    });
  };
  return [
    surface?.onChange(() => publish({ kind: 'tools' })),
    prompts?.onChange(() => publish({ kind: 'prompts' })),
    resources?.onChange(() => publish({ kind: 'resources' })),
    resources?.onUpdate((uri) => publish({ kind: 'resource', uri })),
    tasks.onChange((record) => publish({ kind: 'task', owner: record.owner, task: wholeTaskOf(record) })),
  ].filter((release) => release !== undefined);
}

function toRegistry<TContext extends object>(
  options: ServerOptions<TContext>,
): ToolRegistry<TContext> | undefined {
  const { tools } = options;
  if (tools === undefined || tools instanceof ToolSurface) return undefined;
  if (tools instanceof ToolRegistry) return tools;
  return new ToolRegistry<TContext>(settingsOf(options)).registerAll(tools);
}

function toPrompts<TContext extends object>(
  options: ServerOptions<TContext>,
): PromptsManager<TContext> | undefined {
  const { prompts } = options;
  if (prompts === undefined || prompts instanceof PromptsManager) return prompts;
  return new PromptsManager<TContext>({ ...settingsOf(options), prompts });
}

function toResources<TContext extends object>(
  options: ServerOptions<TContext>,
): ResourcesManager<TContext> | undefined {
  const { resources } = options;
  if (resources === undefined || resources instanceof ResourcesManager) return resources;
  return new ResourcesManager<TContext>({ ...settingsOf(options), resources });
}

const DESCRIPTION = ['name', 'version', 'title', 'description', 'websiteUrl', 'icons'] as const;

function describe(options: ServerDescription): ServerDescription {
  const said = DESCRIPTION.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]);
  return Object.freeze(Object.fromEntries(said)) as ServerDescription;
}
