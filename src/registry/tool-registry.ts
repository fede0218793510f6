import { DefinitionError } from '../errors/errors.ts';
import { assertMiddleware } from '../middleware/compile-chain.ts';
import type { AnyMiddleware, Middleware } from '../middleware/middleware.ts';
import { Group } from '../model/group.ts';
import type { Tool } from '../model/tool.ts';
import type { McpCallToolResult, McpTool } from '../model/mcp-types.ts';
import type { ToolCall } from '../pipeline/context/call.ts';
import type { ToolReply } from '../pipeline/reply/tool-reply.ts';
import type { Caller } from '../pipeline/tool/policy.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import { remember } from '../base/remember.ts';
import { resolveSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { OwnContext } from '../tools/compile/settings-options.ts';
import { ComponentTree } from '../tools/components/component-tree.ts';
import type { MountOptions, TreeKind } from '../tools/components/component-tree.ts';
import type { ChangeListener } from '../tools/components/registry-change.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import { unstatedDefaults } from '../tools/compile/unstated-defaults.ts';
import type { AnyToolDefinition, HandlerCall, ToolDefinition } from '../tools/tool-definition.ts';
import type { AttachOptions, DetachFn, GivenContext } from './attach-to-server.ts';
import { compileCatalog } from './catalog.ts';
import type { Catalog } from './catalog.ts';
import { assertSurfaceOptions } from './exposure/exposure.ts';
import type { SurfaceOptions } from './exposure/exposure.ts';
import { leavesOf, toModelTree } from './model-tree.ts';
import { toMountedEntry } from './mounted-entry.ts';
import { assertRegistryOptions, surfaceOptionsOf } from './registry-options.ts';
import type { ToolRegistryOptions } from './registry-options.ts';
import { compileUnit, toUnitSource } from './registry-unit.ts';
import type { BuilderFor, NeedsAtMost } from './registry-unit.ts';
import { ToolSurface, toSearchTools } from './surface.ts';
import { toTreeUnits } from './tree-units.ts';
import { matchesFilter } from './tool-filter.ts';
import type { ToolFilter } from './tool-filter.ts';
import type { ToolList } from './tool-list.ts';
import { namingOf, wireNames } from './wire-names.ts';

/** An entry of {@link ToolRegistry.listTools}: the advertised tool, and its category. */
export type ListedTool = McpTool & { readonly category?: string };

/** Options of {@link ToolRegistry.register}. */
export interface RegisterOptions {
  /** Merges a grouped tool into one of the same name. Every action keeps its own middleware, tags and policy. Default: `false`. */
  readonly merge?: boolean;
}

/** Options of {@link ToolRegistry.fromGroup}: those of the registry, and handlers. */
export interface FromGroupOptions<TContext extends object = object> extends ToolRegistryOptions<TContext> {
  /** Creates the handler of a tool that does not come from a registry. `name` is its canonical name: `platform.users.create`. */
  readonly handlerOf?: (
    tool: Tool,
    name: string,
  ) => (call: HandlerCall<Readonly<Record<string, unknown>>, TContext>) => unknown;
}

const TOOLS: TreeKind<CatalogEntry, Catalog> = {
  kind: 'tool',
  holder: 'Registry',
  hasFixedKeys: false,
  namesOf: wireNames,
  mount: toMountedEntry,
  compileCatalog,
};

/** An iterable that is not an array. */
type OtherIterable<TTools, TElement> = [TTools] extends [readonly unknown[]] ? never : Iterable<TElement>;

/** Everything that can be registered. */
type Registrable<TContext extends object> = AnyToolDefinition<TContext> | BuilderFor<TContext>;

/** The class of {@link ToolRegistry}. */
class Registry<TContext extends object, TNeeds extends object> {
  /** The public name, for logs. */
  static readonly name: string = 'ToolRegistry';
  /** For the compiler only: a server must provide this context to serve the registry. */
  declare readonly needs?: ((context: TNeeds) => void) | undefined;
  readonly name: string;
  readonly #settings: ToolSettings;
  readonly #tree: ComponentTree<CatalogEntry, Catalog>;
  /** Default options of surfaces. */
  readonly #shown: SurfaceOptions;
  readonly #surface: ToolSurface<TContext, TNeeds>;
  /** Surfaces of attached servers, by options. */
  readonly #attached = new Map<string, ToolSurface<TContext, TNeeds>>();

  /** `settings`: those of the server that this registry belongs to. Default: read from the options. */
  constructor(options: ToolRegistryOptions<TContext> = {}, settings?: ToolSettings) {
    assertRegistryOptions(options);
    this.#settings = settings ?? resolveSettings(options, 'ToolRegistry');
    this.name = this.#settings.name;
    this.#tree = new ComponentTree(TOOLS, this.#settings, settings !== undefined);
    // Without its policy, which is already part of every entry.
    this.#shown = surfaceOptionsOf(options);
    this.#surface = this.#createSurface(this.#shown);
  }

  static fromGroup<TContext extends object = object>(
    group: Group,
    given: FromGroupOptions<TContext> = {},
  ): ToolRegistry<TContext, object> {
    if (!(group instanceof Group)) {
      throw new DefinitionError('fromGroup takes a Group of toolwright/model, such as registry.toGroup().');
    }
    const { handlerOf, ...options } = given;
    const registry = new Registry<TContext, object>({ name: group.name, ...options });
    const settings = registry.#settings;
    registry.#tree.add(toTreeUnits(leavesOf(group, { settings, handlerOf }), { settings, middleware: [] }));
    return registry;
  }

  /** The options with defaults. Used by servers. */
  get settings(): ToolSettings {
    return this.#settings;
  }

  /** Number of tools, including mounted ones. A grouped tool counts once in every exposure. */
  get size(): number {
    return this.#tree.catalog().toolNames.size;
  }

  /** Registers a grouped tool. */
  register(builder: BuilderFor<TContext>, options?: RegisterOptions): this;
  /** Registers a tool. Invalid definitions and duplicate names are rejected here, never during a call. */
  register<
    TInput extends Schema,
    TOutput extends Schema | undefined = undefined,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: NeedsAtMost<TContext> & ToolDefinition<TInput, TOutput, TContext, TMiddleware>): this;
  register(given: object, options: RegisterOptions = {}): this {
    return this.registerAll([given as Registrable<TContext>], options);
  }

  /** Registers several tools: all of them, or none if one is rejected. Listeners are notified once. */
  registerAll<TTools>(
    given: ToolList<TTools, TContext> | OtherIterable<TTools, Registrable<TContext>>,
    options: RegisterOptions = {},
  ): this {
    if (typeof (given as { [Symbol.iterator]?: unknown } | null)?.[Symbol.iterator] !== 'function') {
      throw new DefinitionError('registerAll takes an array of definitions. Use register for a single one.', {
        option: 'registerAll',
        expected: 'an array of definitions',
      });
    }
    // Copied first: an iterator may run other code between two definitions.
    const sources = [...(given as unknown as Iterable<never>)].map((each) => {
      assertNoRegistry(each);
      return toUnitSource(each);
    });
    const around = { settings: this.#settings, middleware: this.#tree.middleware };
    const units = sources.map((source) => compileUnit(source, around));
    this.#tree.add(units, options.merge === true);
    for (const entry of units.flatMap((unit) => unit.entries)) warnOfUnstatedDefaults(entry);
    return this;
  }

  /**
   * Adds a middleware around every tool, outermost: existing, future and mounted ones. The members that it adds to the context are typed
   * for tools registered on the returned registry.
   */
  use<TAdds extends object>(middleware: Middleware<TContext, TAdds>): ToolRegistry<TContext & TAdds, TNeeds> {
    assertMiddleware([middleware], `Registry "${this.name}"`);
    this.#tree.use(middleware);
    return this as unknown as ToolRegistry<TContext & TAdds, TNeeds>;
  }

  /** Removes a tool of this registry; returns whether it existed. Remove mounted tools in their own registry. */
  unregister(name: string): boolean {
    return this.#tree.remove(name);
  }

  /** Removes all tools and mounts. */
  clear(): void {
    this.#tree.clear();
  }

  /**
   * Adds the tools of another registry under a prefix. The mount is live: later changes of the other registry apply here. Its tools keep
   * its settings, including `createContext`; settings it lacks come from the server. The returned function removes the mount.
   */
  mount<TChild extends object>(
    prefix: string,
    registry: ToolRegistry<TChild, TNeeds>,
    options: MountOptions = {},
  ): () => void {
    if (typeof prefix !== 'string' || !(registry instanceof Registry)) {
      throw new DefinitionError(
        "mount takes a prefix and a ToolRegistry: registry.mount('users', usersRegistry).",
        { option: 'mount' },
      );
    }
    return this.#tree.mount(registry.#tree, prefix, options);
  }

  /**
   * Creates a surface: the tools in another exposure, under a further policy. Omitted options default to those of the registry. Follows
   * every change.
   */
  surface(given: SurfaceOptions = {}): ToolSurface<TContext, TNeeds> {
    const said = Object.entries(given).filter(([, value]) => value !== undefined);
    if (said.length === 0) return this.#surface;
    return this.#createSurface({ ...this.#shown, ...(Object.fromEntries(said) as SurfaceOptions) });
  }

  #createSurface(options: SurfaceOptions): ToolSurface<TContext, TNeeds> {
    assertSurfaceOptions(options);
    const { exposure, pinned = [] } = options;
    const isMixed = exposure === 'auto' || (exposure === 'search' && pinned.length > 0);
    const turnsToSearch = isMixed || typeof exposure === 'function';
    this.#tree.names.reserve(namingOf(options), turnsToSearch ? Object.values(toSearchTools(options)) : []);
    return new ToolSurface<TContext, TNeeds>(
      {
        registry: this,
        settings: this.#settings,
        catalog: () => this.#tree.catalog(),
        middleware: () => this.#tree.middleware,
        onChange: (listener) => this.onChange(listener),
      },
      options,
    );
  }

  /** Calls the listener after every change of the tools; the returned function unsubscribes. */
  onChange(listener: ChangeListener): () => void {
    return this.#tree.onChange(listener);
  }

  /** Whether a tool of this name, or an action of this canonical name, is registered or mounted. */
  has(name: string): boolean {
    const { toolNames, byName } = this.#tree.catalog();
    return toolNames.has(name) || byName.has(name);
  }

  /** A tool as advertised; undefined if unknown. */
  findTool(name: string): McpTool | undefined {
    return this.#surface.findTool(name);
  }

  /** The tools visible to a caller, as advertised, in order of registration. */
  listTools(caller: Caller = {}): ListedTool[] {
    const { byName } = this.#tree.catalog();
    return this.#surface.listTools(caller).map((listed) => {
      const category = byName.get(listed.name)?.tool.subject.category;
      return category === undefined ? listed : { ...listed, category };
    });
  }

  /** The result of `tools/list` as JSON text, shared by all callers that see the same tools. */
  listToolsJson(caller: Caller = {}): string {
    return this.#surface.listToolsJson(caller);
  }

  /** All tools as advertised, regardless of visibility. */
  getAllTools(): McpTool[] {
    return this.#surface.listAll(() => true);
  }

  /** The tools that match the filter, as advertised; of a grouped tool only the matching actions. */
  getTools(filter: ToolFilter = {}): McpTool[] {
    return this.#surface.listAll((entry) => matchesFilter(entry.tool.subject, filter));
  }

  /** The original definitions, mounted ones under their prefixed names. Each action of a grouped tool is one. */
  getToolDefinitions(): AnyToolDefinition<TContext>[] {
    return this.#tree.catalog().entries.map((entry) => entry.definition as AnyToolDefinition<TContext>);
  }

  /**
   * The served tools as a tree of the domain model: a group per grouped tool, its groups of actions, and a tool per action and single tool,
   * regardless of visibility. A copy: later changes of the registry do not affect it.
   */
  toGroup(): Group {
    return toModelTree(this.name, this.#tree.catalog().entries);
  }

  /** Calls a tool like a transport: returns a result or a JSON-RPC error. Never throws. */
  handleCall(call: ToolCall & { readonly context?: Partial<TContext> | undefined }): Promise<ToolReply> {
    return this.#surface.handleCall(call);
  }

  /** Calls a tool in this process. Never throws: protocol errors are returned as a result with `isError`. */
  executeTool(
    call: ToolCall & { readonly context?: Partial<TContext> | undefined },
  ): Promise<McpCallToolResult> {
    return this.#surface.executeTool(call);
  }

  /** Calls a tool; the short form of {@link ToolRegistry.executeTool} with the application's context as first argument. */
  routeCall(
    context: TNeeds & Partial<TContext>,
    name: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<McpCallToolResult> {
    return this.executeTool({ name, arguments: args, context });
  }

  /**
   * Attaches the tools to a server of the official SDK, version 1 or 2, `Server` or `McpServer`, or to any object with `setRequestHandler`.
   * The returned function detaches them and restores the previous handlers. Surface options set the exposure for this server.
   */
  attachToServer(
    server: unknown,
    options: AttachOptions<TContext> & GivenContext<TNeeds> & SurfaceOptions,
  ): DetachFn;
  attachToServer(
    this: ToolRegistry<TContext, object>,
    server: unknown,
    options?: AttachOptions<TContext> & SurfaceOptions,
  ): DetachFn;
  attachToServer(server: unknown, options: AttachOptions<TContext> & SurfaceOptions = {}): DetachFn {
    const { context, identify, ...shown } = options;
    const surface = Object.keys(shown).length === 0 ? this.#surface : this.#surfaceFor(shown);
    return (surface as ToolSurface<TContext, object>).attachToServer(server, {
      ...(context === undefined ? {} : { context }),
      ...(identify === undefined ? {} : { identify }),
    });
  }

  /** Servers are often created per request with equal options: plain options share one surface with its lists and index. */
  #surfaceFor(options: SurfaceOptions): ToolSurface<TContext, TNeeds> {
    const isPlain = Object.values(options).every((value) => typeof value !== 'function');
    if (!isPlain || options.policy !== undefined) return this.surface(options);
    const make = (): ToolSurface<TContext, TNeeds> => this.surface(options);
    return remember(this.#attached, JSON.stringify(options), { make, max: 32 });
  }
}

/**
 * The central registry, where tools are defined, listed and called.
 *
 * `TContext`: members of the handlers' context beyond the standard ones; provide them with `createContext`, or with each call. `TNeeds`:
 * the part of it that the server must provide; nothing if the registry has a `createContext`.
 *
 * @example
 * const registry = new ToolRegistry({ name: 'calculator' });
 * registry.register({
 *   name: 'add',
 *   description: 'Adds two numbers',
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   handler: ({ input }) => input.a + input.b,
 * });
 * await registry.executeTool({ name: 'add', arguments: { a: 1, b: 2 } });
 */
export interface ToolRegistry<
  TContext extends object = object,
  TNeeds extends object = TContext,
> extends Registry<TContext, TNeeds> {}

/** The required context of a new registry depends on its options, which the constructor of a class cannot express. */
interface ToolRegistryConstructor {
  readonly prototype: (typeof Registry)['prototype'];
  /** A registry that creates its own context. */
  new <TContext extends object>(
    options: ToolRegistryOptions<TContext> & OwnContext<TContext>,
  ): ToolRegistry<TContext, object>;
  /** A registry whose context comes from its server, or with each call. `settings`: those of its server. */
  new <TContext extends object = object, TNeeds extends object = TContext>(
    options?: ToolRegistryOptions<TContext>,
    settings?: ToolSettings,
  ): ToolRegistry<TContext, TNeeds>;

  /**
   * Creates a registry from a tree of the domain model: tools directly below the group are single tools, groups below it are grouped tools.
   * Tools of {@link ToolRegistry.toGroup} are served as registered, with their policy and middleware; others need `handlerOf`.
   *
   * @example
   * const tree = registry.toGroup();
   * for (const group of tree.childGroups) if (group.name === 'internal') tree.removeChildGroup(group);
   * const smaller = ToolRegistry.fromGroup(tree);
   */
  fromGroup<TContext extends object>(
    group: Group,
    options: FromGroupOptions<TContext> & OwnContext<TContext>,
  ): ToolRegistry<TContext, object>;
  fromGroup<TContext extends object = object>(
    group: Group,
    options?: FromGroupOptions<TContext>,
  ): ToolRegistry<TContext>;
}

export const ToolRegistry: ToolRegistryConstructor = Registry;

function warnOfUnstatedDefaults(entry: CatalogEntry): void {
  const required = unstatedDefaults(entry);
  if (required.length === 0) return;
  entry.tool.log.warning(
    'the tool has a defaultArgumentResolver and no resolvedArguments: these arguments are advertised as required. List those that it can supply in resolvedArguments',
    { required },
  );
}

function assertNoRegistry(given: unknown): void {
  if (!(given instanceof ToolRegistry || given instanceof ToolSurface)) return;
  const what = given instanceof ToolRegistry ? 'a ToolRegistry' : 'a surface of a ToolRegistry';
  throw new DefinitionError(
    `This is ${what}, not a tool. Give it to createServer as \`tools\`, and further tools as \`extraTools\`; or mount it in another registry: registry.mount(prefix, other).`,
    { reason: 'wrong-value', option: 'tools', expected: 'a tool', received: what },
  );
}
