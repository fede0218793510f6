import { assertKnown } from '../errors/assert-known.ts';
import { DefinitionError } from '../errors/errors.ts';
import { PromptsManager } from '../prompts/prompts-manager.ts';
import { ToolSurface } from '../registry/surface.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import { MemoryEventBus } from '../stores/event-bus.ts';
import { MemoryTaskStore } from '../stores/task-store.ts';
import { TaskRunner } from '../tasks/task-runner.ts';
import { resolveSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettingsOptions } from '../tools/compile/tool-settings.ts';
import { META } from '../wire/meta-keys.ts';
import { Sealer } from '../wire/sealer.ts';
import type { CacheableMethod, CacheHint, Served, ServerDescription, ServerLimits } from '../wire/served.ts';
import { wholeTaskOf } from '../wire/task-state.ts';
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
  readonly #closing = new AbortController();
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
        clock,
      }),
      limits,
      logger,
      clock,
      errorHandler,
      cacheHints: hintsOf(options),
      stamp: `"resultType":"complete","_meta":${JSON.stringify({ [META.serverInfo]: info })}`,
      books: new WeakMap(),
      listening: new Map(),
      closing: this.#closing.signal,
    };
    this.#release = announceChanges(served, surface);
    keepServed(this, served);
  }

  /** Ends subscriptions and tasks. Transports are closed by themselves, and before this. */
  async close(): Promise<void> {
    this.#closing.abort();
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
  const publish = (event: Parameters<typeof bus.publish>[0]): void => {
    Promise.resolve(bus.publish(event)).catch((error: unknown) => {
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

/** The options that are the server's own; all others say how tools, prompts and resources are called. */
const OWN = [
  'version',
  'title',
  'description',
  'websiteUrl',
  'icons',
  'instructions',
  'tools',
  'prompts',
  'resources',
  'cacheHints',
  'limits',
  'requestStateKeys',
  'requestStateTtlMs',
  'taskStore',
  'taskTtlMs',
  'eventBus',
] as const satisfies readonly (keyof ServerOptions)[];

const SETTINGS = [
  'name',
  'createContext',
  'policy',
  'unknownArguments',
  'repairArguments',
  'invalidArguments',
  'structuredText',
  'timeoutMs',
  'maxResultBytes',
  'rateLimit',
  'flatSeparator',
  'confirmationTtlMs',
  'confirmationStore',
  'withSecurityWrapper',
  'errorHandler',
  'responseFormatter',
  'cache',
  'rateLimitStore',
  'logger',
  'clock',
  'jsonSchemaCompiler',
] as const satisfies readonly (keyof ToolSettingsOptions)[];

function settingsOf<TContext extends object>(
  options: ServerOptions<TContext>,
): ToolSettingsOptions<TContext> {
  const own = new Set<string>(OWN);
  return Object.fromEntries(Object.entries(options).filter(([key]) => !own.has(key)));
}

function describe(options: ServerDescription): ServerDescription {
  const said = DESCRIPTION.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]);
  return Object.freeze(Object.fromEntries(said)) as ServerDescription;
}

function limitsOf({ limits = {} }: Pick<ServerOptions, 'limits'>): ServerLimits {
  const { requestStateTtlMs: _state, taskTtlMs: _task, ...defaults } = SERVER_DEFAULTS;
  assertKnown('The limits of a server', limits, Object.keys(defaults));
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isInteger(value) || value < 1)
      throw new DefinitionError(
        `The limit "${name}" of a server must be a whole number from 1 on; it is ${String(value)}.`,
      );
  }
  return { ...defaults, ...limits };
}

const NO_CACHE: CacheHint = { ttlMs: 0, scope: 'private' };

const CACHEABLE: readonly CacheableMethod[] = [
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
];

function hintsOf({ cacheHints = {} }: Pick<ServerOptions, 'cacheHints'>): Served['cacheHints'] {
  assertKnown('The cacheHints of a server', cacheHints, CACHEABLE);
  for (const [method, hint] of Object.entries(cacheHints)) {
    const isHint =
      Number.isInteger(hint?.ttlMs) && hint.ttlMs >= 0 && ['public', 'private'].includes(hint.scope);
    if (!isHint)
      throw new DefinitionError(
        `The cache hint of "${method}" must be { ttlMs, scope: 'public' | 'private' } with a whole number of milliseconds.`,
      );
  }
  return Object.fromEntries(
    CACHEABLE.map((method) => [method, cacheHints[method] ?? NO_CACHE]),
  ) as Served['cacheHints'];
}

/** The settings that the server itself uses as well. */
const SHARED: readonly string[] = ['name', 'logger', 'clock', 'errorHandler'];

/** A policy that protects nothing must not look as if it did. */
function assertSettingsAreUsed(options: ServerOptions<never>): void {
  const said = SETTINGS.filter((key) => options[key] !== undefined && !SHARED.includes(key));
  if (said.length === 0) return;
  const { tools, prompts, resources } = options;
  const owners = [
    [tools instanceof ToolRegistry || tools instanceof ToolSurface, 'tools'],
    [prompts instanceof PromptsManager, 'prompts'],
    [resources instanceof ResourcesManager, 'resources'],
  ] as const;
  const settled = owners.find(([isSettled]) => isSettled)?.[1];
  if (settled === undefined) return;
  throw new DefinitionError(
    `createServer: ${said.join(', ')} would not hold for the ${settled}, which bring settings of their own. Set them there.`,
  );
}

/** Types say the same; this is for JavaScript, and for secrets, of which types know nothing. */
function assertOptions(options: ServerOptions<never>): void {
  assertKnown('The options of a server', options, [...OWN, ...SETTINGS]);
  for (const key of ['name', 'version'] as const) {
    if (typeof options[key] !== 'string' || options[key] === '')
      throw new DefinitionError(
        `createServer needs a ${key}: createServer({ name: 'notes', version: '1.0.0', … }).`,
      );
  }
  assertSettingsAreUsed(options);
  const keys: unknown = options.requestStateKeys;
  if (keys === undefined) return;
  const isList = Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === 'string');
  if (!isList || keys.some((key: string) => key.length < 32))
    throw new DefinitionError('requestStateKeys must be a list of secrets of at least 32 characters each.');
}
