import type { NotInferred } from '../base/not-inferred.ts';
import { assertOptions, DEFINITIONS } from '../errors/options/rules.ts';
import { DefinitionError } from '../errors/errors.ts';
import { assertMiddleware } from '../middleware/compile-chain.ts';
import type { AnyMiddleware, Middleware } from '../middleware/middleware.ts';
import type {
  McpCompletion,
  McpReadResourceResult,
  McpResource,
  McpResourceTemplate,
} from '../model/mcp-types.ts';
import type { ToolCall } from '../pipeline/context/call.ts';
import { runComponent, toValue } from '../pipeline/component-reply.ts';
import type { ComponentReply } from '../pipeline/component-reply.ts';
import { startRecord, toEnd } from '../pipeline/record-call.ts';
import { guard } from '../pipeline/visibility/guard.ts';
import { VisibilityChange } from '../pipeline/visibility/visibility-change.ts';
import type { ListWatch } from '../pipeline/visibility/visibility-change.ts';
import type { Caller } from '../pipeline/tool/policy.ts';
import { mountCompletable } from '../prompts/compile-completers.ts';
import { complete, NOTHING } from '../prompts/complete.ts';
import type { CompletionRequest } from '../prompts/completion.ts';
import { compileSchema } from '../schema/checks/compile-schema.ts';
import { ChangeFeed } from '../tools/components/change-feed.ts';
import { SETTINGS } from '../tools/compile/assert-settings.ts';
import { resolveSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { OwnContext, ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import { ComponentList } from '../tools/components/component-list.ts';
import type { ComponentEntry, WireItem } from '../tools/components/component-list.ts';
import { ComponentTree } from '../tools/components/component-tree.ts';
import type { MountOptions, TreeKind } from '../tools/components/component-tree.ts';
import { mountComponent, namesOfComponents, toComponentUnit } from '../tools/components/component-unit.ts';
import type { BareComponent } from '../tools/components/component-unit.ts';
import type { ChangeListener } from '../tools/components/registry-change.ts';
import { assertResource } from './assert-resource.ts';
import { compileResourceTemplate } from './compile-resource-template.ts';
import type { TemplateEntry } from './compile-resource-template.ts';
import { compileResource, READ_INPUT, unknownResource } from './compile-resource.ts';
import type { CompiledCacheHint, ReadInput, ResourceEntry, ResourceParts } from './compile-resource.ts';
import type {
  AnyResourceDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
} from './resource-definition.ts';

/** Options of {@link ResourcesManager}. */
export interface ResourcesManagerOptions<
  TContext extends object = object,
> extends ToolSettingsOptions<TContext> {
  /** Resources and resource templates to add. */
  readonly resources?: Iterable<AnyResourceDefinition<NotInferred<TContext>>>;
}

/** A manager that needs no more than this context. */
export interface ResourcesFor<TContext extends object> {
  readonly needs?: ((context: TContext) => void) | undefined;
  getAllResources(caller?: Caller): McpResource[];
}

/** One decoded read of a resource. */
export type ReadCall = Omit<ToolCall, 'name' | 'arguments'> & { readonly uri: string };

/** A reply to a read, and its cache hint if the definition has one. */
export interface ReadReply {
  readonly reply: ComponentReply<McpReadResourceResult>;
  readonly cacheHint: CompiledCacheHint | undefined;
}

/** The target of a URI. */
interface Found {
  readonly entry: AnyEntry;
  readonly input: ReadInput;
}

/** Everything that is served at one moment. */
interface ResourceCatalog {
  readonly resources: ComponentList<ResourceEntry>;
  readonly templates: ComponentList<TemplateEntry>;
}

type AnyEntry = ResourceEntry | TemplateEntry;

const RESOURCES: TreeKind<AnyEntry, ResourceCatalog> = {
  kind: 'resource',
  holder: 'Resources manager',
  // Links, contents and subscriptions refer to URIs, so a mount must not change them.
  hasFixedKeys: true,
  namesOf: namesOfComponents,
  mount: (entry, mounting) =>
    isTemplate(entry)
      ? mountCompletable(entry, entry.key, mounting)
      : mountComponent(entry, entry.key, mounting),
  compileCatalog: (entries, before) => ({
    resources: ComponentList.of(entries.filter(isExact), before?.resources),
    templates: ComponentList.of(entries.filter(isTemplate), before?.templates),
  }),
};

function isExact(entry: AnyEntry): entry is ResourceEntry {
  return !isTemplate(entry);
}

function isTemplate(entry: AnyEntry): entry is TemplateEntry {
  return 'template' in entry;
}

/** The class of {@link ResourcesManager}. */
class Resources<TContext extends object, TNeeds extends object> {
  /** The public name, for logs. */
  static readonly name: string = 'ResourcesManager';
  /** For the compiler only: a server must provide this context to serve the manager. */
  declare readonly needs?: ((context: TNeeds) => void) | undefined;
  readonly #parts: ResourceParts;
  readonly #tree: ComponentTree<AnyEntry, ResourceCatalog>;
  readonly #change = new VisibilityChange();
  readonly #updates: ChangeFeed<string>;

  /** `settings`: those of the server that this manager belongs to. Default: read from the options. */
  constructor(options: ResourcesManagerOptions<TContext> = {}, settings?: ToolSettings) {
    assertOptions('ResourcesManager', options, { ...SETTINGS, resources: DEFINITIONS });
    const resolved = settings ?? resolveSettings(options, 'ResourcesManager');
    const { jsonSchemaCompiler, collaborators } = resolved;
    const input = compileSchema(READ_INPUT, { owner: 'A resource', side: 'input', jsonSchemaCompiler });
    this.#parts = { settings: resolved, input };
    this.#tree = new ComponentTree(RESOURCES, resolved, settings !== undefined);
    this.#updates = new ChangeFeed(collaborators.logger);
    for (const definition of options.resources ?? []) this.addResource(definition);
  }

  /** The options with defaults. Used by servers. */
  get settings(): ToolSettings {
    return this.#parts.settings;
  }

  /** Number of resources and resource templates, including mounted ones, regardless of visibility. */
  get size(): number {
    return this.#tree.entries().length;
  }

  /** All resources, regardless of visibility; the same array until something changes. Used by servers. */
  get entries(): readonly ComponentEntry[] {
    return this.#tree.catalog().resources.entries;
  }

  /** The same for resource templates. */
  get templateEntries(): readonly ComponentEntry[] {
    return this.#tree.catalog().templates.entries;
  }

  /** Adds a resource or resource template. Invalid definitions and duplicate URIs are rejected here, never during a call. */
  addResource<TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[]>(
    definition: ResourceDefinition<TContext, TMiddleware>,
  ): this;
  addResource<
    const TTemplate extends string,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: ResourceTemplateDefinition<TTemplate, TContext, TMiddleware>): this;
  addResource(definition: AnyResourceDefinition<TContext>): this;
  addResource(definition: object): this {
    assertResource(definition as AnyResourceDefinition<never>);
    // Copied, so that later changes of the definition have no effect.
    const given = { ...(definition as AnyResourceDefinition<never>) };
    const { settings: own, input } = this.#parts;
    const compile = (settings: ToolSettings): BareComponent<AnyEntry> =>
      given.uriTemplate === undefined
        ? compileResource(given, { settings, input })
        : compileResourceTemplate(given, { settings, input });
    this.#tree.add([toComponentUnit(compile, { settings: own, middleware: this.#tree.middleware })]);
    return this;
  }

  /** Removes a resource by URI or URI template; returns whether it existed. Remove mounted resources in their own manager. */
  removeResource(uriOrTemplate: string): boolean {
    return this.#tree.remove(uriOrTemplate);
  }

  /**
   * Adds the resources of another manager. Their names get the prefix; their URIs stay unchanged, so a duplicate URI rejects the mount. The
   * mount is live: later changes and updates of the other manager apply here. Its resources keep their settings, policy and middleware. The
   * returned function removes the mount.
   */
  mount<TChild extends object>(
    prefix: string,
    resources: ResourcesManager<TChild, TNeeds>,
    options: MountOptions = {},
  ): () => void {
    if (typeof prefix !== 'string' || !(resources instanceof Resources)) {
      throw new DefinitionError(
        "mount takes a prefix and a ResourcesManager: resources.mount('users', userResources).",
        { option: 'mount' },
      );
    }
    const unmount = this.#tree.mount(resources.#tree, prefix, options);
    const unfollow = resources.onUpdate((uri) => this.notifyUpdated(uri));
    return () => {
      unfollow();
      unmount();
    };
  }

  /**
   * Adds a middleware around every resource, resource template and completer, outermost: existing, future and mounted ones. The members
   * that it adds to the context are typed for resources added on the returned manager.
   */
  use<TAdds extends object>(
    middleware: Middleware<TContext, TAdds>,
  ): ResourcesManager<TContext & TAdds, TNeeds> {
    assertMiddleware([middleware], 'ResourcesManager');
    this.#tree.use(middleware);
    return this as unknown as ResourcesManager<TContext & TAdds, TNeeds>;
  }

  /** The resources visible to a caller, as advertised. Default: an anonymous caller. */
  getAllResources(caller: Caller = {}): McpResource[] {
    return this.#tree
      .catalog()
      .resources.list(caller)
      .map(({ listed }) => listed);
  }

  /** The resource templates visible to a caller, as advertised. Default: an anonymous caller. */
  getAllResourceTemplates(caller: Caller = {}): McpResourceTemplate[] {
    return this.#tree
      .catalog()
      .templates.list(caller)
      .map(({ listed }) => listed);
  }

  /** The resources visible to a caller. The same array until something changes, shared by all callers that see the same resources. */
  list(caller: Caller): readonly WireItem[] {
    return this.#tree.catalog().resources.list(caller);
  }

  /** The same for resource templates. */
  listTemplates(caller: Caller): readonly WireItem[] {
    return this.#tree.catalog().templates.list(caller);
  }

  /** Whether different callers may see different resources. Shared caches must not store such lists. */
  get variesByCaller(): boolean {
    const { resources, templates } = this.#tree.catalog();
    return resources.variesByCaller || templates.variesByCaller;
  }

  /** Reads a resource for an anonymous caller. Resolves to its contents, rejects with a `ToolwrightError`. */
  readResource(uri: string): Promise<McpReadResourceResult>;
  /** Reads a resource. Always returns a reply, never throws. */
  readResource(call: ReadCall): Promise<ComponentReply<McpReadResourceResult>>;
  async readResource(
    call: ReadCall | string,
  ): Promise<ComponentReply<McpReadResourceResult> | McpReadResourceResult> {
    if (typeof call === 'string') return toValue(await this.readResource({ uri: call }));
    return (await this.readWithHint(call)).reply;
  }

  /** The same, with the cache hint of the definition. The policy is applied once for both. */
  async readWithHint(call: ReadCall): Promise<ReadReply> {
    // JavaScript code may pass anything.
    const { uri, ...rest }: ReadCall = call ?? { uri: '' };
    const found = this.#find(uri, rest);
    const read = { ...rest, name: uri, arguments: found?.input };
    const onEnded = startRecord(this.settings.collaborators, read, 'resource');
    const reply =
      found === undefined
        ? unknownResource(uri)
        : await runComponent(found.entry.tool, read, found.entry.writeFor(uri));
    onEnded?.(toEnd(reply, found?.entry.tool.name));
    return { reply, cacheHint: found?.entry.cacheHint };
  }

  /** The cache hint for this caller, if the definition has one. */
  cacheHintOf(uri: string, caller: Caller = {}): CompiledCacheHint | undefined {
    return this.#find(uri, caller)?.entry.cacheHint;
  }

  /** Whether the caller can read this URI, as a resource or through a template. */
  has(uri: string, caller: Caller = {}): boolean {
    return this.#find(uri, caller) !== undefined;
  }

  /** Notifies subscribers that a resource has changed. */
  notifyUpdated(uri: string): void {
    this.#updates.announce(uri);
  }

  /** Completes the value of a variable. Always returns a reply, never throws. */
  async complete(request: CompletionRequest): Promise<ComponentReply<McpCompletion>> {
    const given: Partial<CompletionRequest> = request ?? {};
    const { ref = '' } = given;
    const template = this.#tree.catalog().templates.find(ref, given);
    if (template !== undefined) return complete(template, request);
    const found = this.#find(ref, given);
    if (found === undefined) return unknownResource(given.ref);
    // A resource that is not a template has no variables.
    return isTemplate(found.entry) ? complete(found.entry, request) : NOTHING;
  }

  /** Returns a function that tells whether one of the two lists of a caller has changed since the previous call. */
  watch(): ListWatch {
    const watches = [
      this.#change.watch(() => this.#tree.catalog().resources.plan()),
      this.#change.watch(() => this.#tree.catalog().templates.plan()),
    ];
    return (caller) => watches.map((isOther) => isOther(caller)).includes(true);
  }

  /** Calls the listener after every change of the lists; the returned function unsubscribes. */
  onChange(listener: ChangeListener): () => void {
    return this.#tree.onChange(listener);
  }

  /** Calls the listener when a resource has changed; the returned function unsubscribes. */
  onUpdate(listener: (uri: string) => void): () => void {
    return this.#updates.subscribe(listener);
  }

  /** A resource wins over templates; the first matching template wins over others. Hidden ones are skipped. */
  #find(uri: string, caller: Caller): Found | undefined {
    if (typeof uri !== 'string') return undefined;
    const { resources, templates } = this.#tree.catalog();
    const exact = resources.find(uri, caller);
    if (exact !== undefined) return { entry: exact, input: { uri, variables: {} } };
    for (const entry of templates.entries) {
      const variables = entry.template.match(uri);
      if (variables !== undefined && guard(entry.tool, caller)) return { entry, input: { uri, variables } };
    }
    return undefined;
  }
}

/**
 * The manager where resources and resource templates are defined, listed and read.
 *
 * `TContext`: members of the content providers' context beyond the standard ones; provide them with `createContext`, or with each call.
 * `TNeeds`: the part of it that the server must provide; nothing if the manager has a `createContext`.
 *
 * @example
 * const resources = new ResourcesManager()
 *   .addResource({ uri: 'docs://manual', name: 'manual', text: 'Turn it off and on again.' })
 *   .addResource({
 *     uriTemplate: 'notes://{id}',
 *     name: 'note',
 *     contentProvider: ({ variables }) => notes.get(variables.id) ?? null,
 *   });
 * await resources.readResource({ uri: 'docs://manual' });
 */
export interface ResourcesManager<
  TContext extends object = object,
  TNeeds extends object = TContext,
> extends Resources<TContext, TNeeds> {}

/** The required context of a new manager depends on its options, which the constructor of a class cannot express. */
interface ResourcesManagerConstructor {
  readonly prototype: (typeof Resources)['prototype'];
  /** A manager that creates its own context. */
  new <TContext extends object>(
    options: ResourcesManagerOptions<TContext> & OwnContext<TContext>,
  ): ResourcesManager<TContext, object>;
  /** A manager whose context comes from its server, or with each call. `settings`: those of its server. */
  new <TContext extends object = object, TNeeds extends object = TContext>(
    options?: ResourcesManagerOptions<TContext>,
    settings?: ToolSettings,
  ): ResourcesManager<TContext, TNeeds>;
}

export const ResourcesManager: ResourcesManagerConstructor = Resources;
