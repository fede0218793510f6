import { assertKnown } from '../errors/assert-known.ts';
import { DuplicateNameError } from '../errors/errors.ts';
import { assertMiddleware } from '../middleware/compile-chain.ts';
import type { AnyMiddleware, Middleware } from '../middleware/middleware.ts';
import type {
  McpCompletion,
  McpReadResourceResult,
  McpResource,
  McpResourceTemplate,
} from '../model/mcp-types.ts';
import type { ToolCall } from '../pipeline/call.ts';
import { runComponent } from '../pipeline/component-reply.ts';
import type { ComponentReply } from '../pipeline/component-reply.ts';
import { guard } from '../pipeline/guard.ts';
import type { ListWatch } from '../pipeline/visibility-change.ts';
import type { Caller } from '../pipeline/policy.ts';
import { complete, NOTHING } from '../prompts/complete.ts';
import type { CompletionRequest } from '../prompts/completion.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import { ChangeFeed } from '../stores/change-feed.ts';
import { SETTINGS } from '../tools/compile/assert-settings.ts';
import { resolveSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettings, ToolSettingsOptions } from '../tools/compile/tool-settings.ts';
import { ComponentList } from '../tools/components/component-list.ts';
import type { WireItem } from '../tools/components/component-list.ts';
import { assertResource } from './assert-resource.ts';
import { compileResourceTemplate } from './compile-resource-template.ts';
import type { TemplateEntry } from './compile-resource-template.ts';
import { compileResource, READ_INPUT, unknownResource } from './compile-resource.ts';
import type {
  CompiledCacheHint,
  ReadableEntry,
  ReadInput,
  ResourceEntry,
  ResourceParts,
} from './compile-resource.ts';
import type {
  AnyResourceDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
} from './resource-definition.ts';

/** Options of {@link ResourcesManager}. */
export interface ResourcesManagerOptions<
  TContext extends object = object,
> extends ToolSettingsOptions<TContext> {
  readonly resources?: Iterable<AnyResourceDefinition<TContext>>;
}

/** One reading of a resource, decoded. */
export type ReadCall = Omit<ToolCall, 'name' | 'arguments'> & { readonly uri: string };

/** What a URI leads to. */
interface Found {
  readonly entry: ReadableEntry;
  readonly input: ReadInput;
}

/**
 * The one place where resources and resource templates are defined, listed and read.
 *
 * `TContext` is what content providers find in their context beyond the standard members; give it with `createContext`, or with each
 * call.
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
export class ResourcesManager<TContext extends object = object> {
  readonly #parts: ResourceParts;
  readonly #resources = new ComponentList<ResourceEntry>();
  readonly #templates = new ComponentList<TemplateEntry>();
  readonly #changes: ChangeFeed<undefined>;
  readonly #updates: ChangeFeed<string>;

  /** `settings`: those of a server that this manager belongs to. Without it, they are read from the options. */
  constructor(options: ResourcesManagerOptions<TContext> = {}, given?: ToolSettings) {
    assertKnown('The options of ResourcesManager', options, [...Object.keys(SETTINGS), 'resources']);
    const settings = given ?? resolveSettings(options);
    const { jsonSchemaCompiler } = settings;
    const input = compileSchema(READ_INPUT, { owner: 'A resource', side: 'input', jsonSchemaCompiler });
    this.#parts = { settings, input };
    this.#changes = new ChangeFeed(settings.collaborators.logger);
    this.#updates = new ChangeFeed(settings.collaborators.logger);
    for (const definition of options.resources ?? []) this.addResource(definition);
  }

  /** How many resources and resource templates there are, whoever may see them. */
  get size(): number {
    return this.#resources.size + this.#templates.size;
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
    const given = definition as AnyResourceDefinition<never>;
    const key = assertResource(given);
    if (this.#resources.has(key) || this.#templates.has(key)) throw new DuplicateNameError('Resource', key);
    if (given.uriTemplate === undefined) this.#resources.add(compileResource(given, this.#parts));
    else this.#templates.add(compileResourceTemplate(given, this.#parts));
    this.#changes.announce(undefined);
    return this;
  }

  /** False if there was none of this URI or URI template. */
  removeResource(uriOrTemplate: string): boolean {
    const isGone = this.#resources.remove(uriOrTemplate) || this.#templates.remove(uriOrTemplate);
    if (isGone) this.#changes.announce(undefined);
    return isGone;
  }

  /**
   * Puts a middleware around every resource, resource template and completer, outermost: those added already and those still to come.
   * What it adds to the context is known to resources that are added on what this returns.
   */
  use<TAdds extends object>(middleware: Middleware<TContext, TAdds>): ResourcesManager<TContext & TAdds> {
    assertMiddleware([middleware], 'ResourcesManager');
    this.#resources.use(middleware);
    this.#templates.use(middleware);
    return this as unknown as ResourcesManager<TContext & TAdds>;
  }

  /** The resources a caller may see, as clients get them. Without a caller: what everybody may see. */
  getAllResources(caller: Caller = {}): McpResource[] {
    return this.#resources.list(caller).map(({ listed }) => listed);
  }

  /** The resource templates a caller may see, as clients get them. Without a caller: what everybody may see. */
  getAllResourceTemplates(caller: Caller = {}): McpResourceTemplate[] {
    return this.#templates.list(caller).map(({ listed }) => listed);
  }

  /** What a caller may see. The same array object as long as nothing changed and for all callers who see the same. */
  list(caller: Caller): readonly WireItem[] {
    return this.#resources.list(caller);
  }

  /** The same for resource templates. */
  listTemplates(caller: Caller): readonly WireItem[] {
    return this.#templates.list(caller);
  }

  /** Whether different callers may be shown different resources. Caches between a server and its clients must not keep those. */
  get variesByCaller(): boolean {
    return this.#resources.variesByCaller || this.#templates.variesByCaller;
  }

  /** Reads a resource. Always answers, never throws. */
  async readResource(call: ReadCall): Promise<ComponentReply<McpReadResourceResult>> {
    // From JavaScript anything may come.
    const { uri, ...rest }: ReadCall = call ?? { uri: '' };
    const found = this.#find(uri, rest);
    if (found === undefined) return unknownResource(uri);
    const { entry, input } = found;
    return runComponent(entry.tool, { ...rest, name: uri, arguments: input }, entry.writeFor(uri));
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
    const template = this.#templates.find(ref, given);
    if (template !== undefined) return complete(template.completers, request);
    const found = this.#find(ref, given);
    if (found === undefined) return unknownResource(given.ref);
    const { completers } = found.entry as Partial<TemplateEntry>;
    // A resource that is no template has nothing to fill in.
    return completers === undefined ? NOTHING : complete(completers, request);
  }

  /** Says at each call whether one of the two lists of a caller has become another one since the call before. */
  watch(): ListWatch {
    const watches = [this.#resources.watch(), this.#templates.watch()];
    return (caller) => watches.map((isOther) => isOther(caller)).includes(true);
  }

  /** Calls back after every change of the lists; the returned function ends it. */
  onChange(listener: () => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Calls back whenever a resource has changed; the returned function ends it. */
  onUpdate(listener: (uri: string) => void): () => void {
    return this.#updates.subscribe(listener);
  }

  /** A resource wins over templates; the first template that fits wins over others. What is hidden takes no part. */
  #find(uri: string, caller: Caller): Found | undefined {
    if (typeof uri !== 'string') return undefined;
    const exact = this.#resources.find(uri, caller);
    if (exact !== undefined) return { entry: exact, input: { uri, variables: {} } };
    for (const entry of this.#templates.values()) {
      const variables = entry.template.match(uri);
      if (variables !== undefined && guard(entry.tool, caller)) return { entry, input: { uri, variables } };
    }
    return undefined;
  }
}
