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
import type { WireItem } from '../tools/components/component-list.ts';
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
  readonly resources?: Iterable<AnyResourceDefinition<NotInferred<TContext>>>;
}

/** A manager that needs no more than this context. */
export interface ResourcesFor<TContext extends object> {
  readonly needs?: ((context: TContext) => void) | undefined;
  getAllResources(caller?: Caller): McpResource[];
}

/** One reading of a resource, decoded. */
export type ReadCall = Omit<ToolCall, 'name' | 'arguments'> & { readonly uri: string };

/** A reply to a read, and how long clients may keep it, where the definition sets that. */
export interface ReadReply {
  readonly reply: ComponentReply<McpReadResourceResult>;
  readonly cacheHint: CompiledCacheHint | undefined;
}

/** What a URI leads to. */
interface Found {
  readonly entry: AnyEntry;
  readonly input: ReadInput;
}

/** Everything that is served, at one moment. */
interface ResourceCatalog {
  readonly resources: ComponentList<ResourceEntry>;
  readonly templates: ComponentList<TemplateEntry>;
}

type AnyEntry = ResourceEntry | TemplateEntry;

const RESOURCES: TreeKind<AnyEntry, ResourceCatalog> = {
  kind: 'resource',
  holder: 'Resources manager',
  // A URI is what links, contents and subscriptions refer to: a mount must not change it.
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

/** The class behind {@link ResourcesManager}. */
class Resources<TContext extends object, TNeeds extends object> {
  /** The public name, which logs show. */
  static readonly name: string = 'ResourcesManager';
  /** Only for the compiler: a server that cannot give this context cannot take the manager. */
  declare readonly needs?: ((context: TNeeds) => void) | undefined;
  readonly #parts: ResourceParts;
  readonly #tree: ComponentTree<AnyEntry, ResourceCatalog>;
  readonly #change = new VisibilityChange();
  readonly #updates: ChangeFeed<string>;

  /** `settings`: those of a server that this manager belongs to. Without it, they are read from the options. */
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

  /** Its options with their defaults filled in. Used by servers. */
  get settings(): ToolSettings {
    return this.#parts.settings;
  }

  /** How many resources and resource templates there are, mounted ones included, whoever may see them. */
  get size(): number {
    return this.#tree.entries().length;
  }

  /** Adds a resource or a resource template. Wrong definitions and taken URIs are refused here, never during a call. */
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
    // Copied: later changes of the definition are not seen.
    const given = { ...(definition as AnyResourceDefinition<never>) };
    const { settings: own, input } = this.#parts;
    const compile = (settings: ToolSettings): BareComponent<AnyEntry> =>
      given.uriTemplate === undefined
        ? compileResource(given, { settings, input })
        : compileResourceTemplate(given, { settings, input });
    this.#tree.add([toComponentUnit(compile, { settings: own, middleware: this.#tree.middleware })]);
    return this;
  }

  /** False if there was none of this URI or URI template. Mounted resources are removed where they were added. */
  removeResource(uriOrTemplate: string): boolean {
    return this.#tree.remove(uriOrTemplate);
  }

  /**
   * Shows the resources of another manager. Their names get the prefix; their URIs stay as they are, so a URI that is taken refuses the
   * mount. The mount is live: resources that the other manager gains, loses or updates later appear, disappear and are announced here. They
   * keep their settings, policy and middleware. The returned function takes the mount away.
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
   * Puts a middleware around every resource, resource template and completer, outermost: those added already, those still to come,
   * and those mounted here. What it adds to the context is known to resources that are added on what this returns.
   */
  use<TAdds extends object>(
    middleware: Middleware<TContext, TAdds>,
  ): ResourcesManager<TContext & TAdds, TNeeds> {
    assertMiddleware([middleware], 'ResourcesManager');
    this.#tree.use(middleware);
    return this as unknown as ResourcesManager<TContext & TAdds, TNeeds>;
  }

  /** The resources a caller may see, as clients get them. Without a caller: what everybody may see. */
  getAllResources(caller: Caller = {}): McpResource[] {
    return this.#tree
      .catalog()
      .resources.list(caller)
      .map(({ listed }) => listed);
  }

  /** The resource templates a caller may see, as clients get them. Without a caller: what everybody may see. */
  getAllResourceTemplates(caller: Caller = {}): McpResourceTemplate[] {
    return this.#tree
      .catalog()
      .templates.list(caller)
      .map(({ listed }) => listed);
  }

  /** What a caller may see. The same array object as long as nothing changed and for all callers who see the same. */
  list(caller: Caller): readonly WireItem[] {
    return this.#tree.catalog().resources.list(caller);
  }

  /** The same for resource templates. */
  listTemplates(caller: Caller): readonly WireItem[] {
    return this.#tree.catalog().templates.list(caller);
  }

  /** Whether different callers may be shown different resources. Caches between a server and its clients must not keep those. */
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

  /** The same, with the cache hint of the definition. The policy is asked once for both. */
  async readWithHint(call: ReadCall): Promise<ReadReply> {
    // From JavaScript anything may come.
    const { uri, ...rest }: ReadCall = call ?? { uri: '' };
    const found = this.#find(uri, rest);
    if (found === undefined) return { reply: unknownResource(uri), cacheHint: undefined };
    const { entry, input } = found;
    const read = { ...rest, name: uri, arguments: input };
    const reply = await runComponent(entry.tool, read, entry.writeFor(uri));
    return { reply, cacheHint: entry.cacheHint };
  }

  /** How long, and for whom, what this caller reads may be kept, where the definition says so. */
  cacheHintOf(uri: string, caller: Caller = {}): CompiledCacheHint | undefined {
    return this.#find(uri, caller)?.entry.cacheHint;
  }

  /** Whether the caller could read this URI, as a resource or through a template. */
  has(uri: string, caller: Caller = {}): boolean {
    return this.#find(uri, caller) !== undefined;
  }

  /** Tells subscribers that a resource has changed. */
  notifyUpdated(uri: string): void {
    this.#updates.announce(uri);
  }

  /** What the value of a variable could become. Always answers, never throws. */
  async complete(request: CompletionRequest): Promise<ComponentReply<McpCompletion>> {
    const given: Partial<CompletionRequest> = request ?? {};
    const { ref = '' } = given;
    const template = this.#tree.catalog().templates.find(ref, given);
    if (template !== undefined) return complete(template, request);
    const found = this.#find(ref, given);
    if (found === undefined) return unknownResource(given.ref);
    // A resource that is not a template has nothing to fill in.
    return isTemplate(found.entry) ? complete(found.entry, request) : NOTHING;
  }

  /** Says at each call whether one of the two lists of a caller has become another one since the call before. */
  watch(): ListWatch {
    const watches = [
      this.#change.watch(() => this.#tree.catalog().resources.plan()),
      this.#change.watch(() => this.#tree.catalog().templates.plan()),
    ];
    return (caller) => watches.map((isOther) => isOther(caller)).includes(true);
  }

  /** Calls back after every change of the lists; the returned function ends it. */
  onChange(listener: ChangeListener): () => void {
    return this.#tree.onChange(listener);
  }

  /** Calls back whenever a resource has changed; the returned function ends it. */
  onUpdate(listener: (uri: string) => void): () => void {
    return this.#updates.subscribe(listener);
  }

  /** A resource wins over templates; the first template that fits wins over others. What is hidden takes no part. */
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
 * The one place where resources and resource templates are defined, listed and read.
 *
 * `TContext` is what content providers find in their context beyond the standard members; give it with `createContext`, or with each
 * call.
 * `TNeeds` is the part of it that the server has to give: nothing where the manager has a `createContext` of its own.
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

/** The context that a new manager needs depends on its options; the constructor of a class cannot express that. */
interface ResourcesManagerConstructor {
  readonly prototype: (typeof Resources)['prototype'];
  /** A manager that makes its context itself. */
  new <TContext extends object>(
    options: ResourcesManagerOptions<TContext> & OwnContext<TContext>,
  ): ResourcesManager<TContext, object>;
  /** A manager whose context comes from the server that serves it, or with each call. `settings`: those of a server that it belongs to. */
  new <TContext extends object = object, TNeeds extends object = TContext>(
    options?: ResourcesManagerOptions<TContext>,
    settings?: ToolSettings,
  ): ResourcesManager<TContext, TNeeds>;
}

export const ResourcesManager: ResourcesManagerConstructor = Resources;
