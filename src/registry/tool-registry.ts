import { DefinitionError, DuplicateNameError } from '../errors/errors.ts';
import type { McpCallToolResult, McpTool } from '../model/mcp-types.ts';
import type { ToolCall } from '../pipeline/call.ts';
import type { ToolReply } from '../pipeline/format-outcome.ts';
import type { Caller } from '../pipeline/guard.ts';
import { handleCall } from '../pipeline/handle-call.ts';
import type { Schema } from '../schema/schema-types.ts';
import type { AnyToolDefinition, ToolDefinition } from '../tools/tool-definition.ts';
import { assertDefinition, assertToolName } from './assert-definition.ts';
import { attachToServer } from './attach-to-server.ts';
import type { AttachOptions, DetachFn } from './attach-to-server.ts';
import { compileCatalog, listJson, visibleEntries } from './catalog.ts';
import type { Catalog } from './catalog.ts';
import { ChangeFeed } from './change-feed.ts';
import type { ChangeListener, RegistryChange } from './change-feed.ts';
import { compileTool } from './compile-tool.ts';
import type { CatalogEntry } from './compile-tool.ts';
import { toErrorResult } from './error-result.ts';
import { toMountedEntry } from './mounted-entry.ts';
import { resolveSettings } from './registry-options.ts';
import type { RegistrySettings, ToolRegistryOptions } from './registry-options.ts';
import { matchesFilter } from './tool-filter.ts';
import type { ToolFilter } from './tool-filter.ts';

/** One entry of {@link ToolRegistry.listTools}: what clients see, and the category. */
export type ListedTool = McpTool & { readonly category?: string };

/** Options of {@link ToolRegistry.mount}. */
export interface MountOptions {
  /** Stands between prefix and name. Default: `_`, which every model vendor accepts in tool names. */
  readonly separator?: string;
}

interface Mount {
  readonly prefix: string;
  readonly child: ToolRegistry<never>;
  /** Ends the child's knowledge of this registry. */
  readonly release: () => void;
}

/** Names claimed in one change, by registry. */
type NameClaims = Map<object, Map<string, string>>;

/** A place in the order of the list: one tool, or all tools of a mounted registry. */
type Slot = { readonly entry: CatalogEntry } | { readonly mount: Mount };

/**
 * The one place where tools are defined, listed and called.
 *
 * `TContext` is what handlers find in their context beyond the standard members; give it with `createContext`, or with each call.
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
export class ToolRegistry<TContext extends object = object> {
  readonly name: string;
  readonly #settings: RegistrySettings;
  readonly #feed: ChangeFeed;
  readonly #own = new Map<string, CatalogEntry>();
  /** Registries this one is mounted in: a new name must be free there as well. */
  readonly #parents = new Set<{ readonly registry: ToolRegistry<never>; readonly prefix: string }>();
  #slots: readonly Slot[] = [];
  /** Made when first needed after a change. */
  #catalog: Catalog | undefined;

  constructor(options: ToolRegistryOptions<TContext> = {}) {
    this.#settings = resolveSettings(options);
    this.name = this.#settings.name;
    this.#feed = new ChangeFeed(this.#settings.collaborators.logger);
  }

  /** How many tools there are, mounted ones included. */
  get size(): number {
    return this.#current().entries.length;
  }

  /** Adds a tool. Wrong definitions and taken names are refused here, never during a call. */
  register<TInput extends Schema, TOutput extends Schema | undefined = undefined>(
    definition: ToolDefinition<TInput, TOutput, TContext>,
  ): this {
    return this.registerAll([definition]);
  }

  /** Adds several tools: all of them, or none if one is refused. Listeners hear of it once. */
  registerAll(definitions: Iterable<AnyToolDefinition<TContext>>): this {
    if (typeof (definitions as { [Symbol.iterator]?: unknown } | null)?.[Symbol.iterator] !== 'function') {
      throw new DefinitionError('registerAll takes a list of definitions; use register for one.');
    }
    // Taken out first: an iterator may run code of its own between two definitions.
    const given = [...definitions] as AnyToolDefinition<never>[];
    const entries = new Map<string, CatalogEntry>();
    const claims: NameClaims = new Map();
    for (const definition of given) {
      assertDefinition(definition);
      this.#claimName(definition.name, this.#describe(definition), claims);
      entries.set(definition.name, compileTool(definition, this.#settings));
    }
    for (const [name, entry] of entries) this.#own.set(name, entry);
    this.#change([...this.#slots, ...[...entries.values()].map((entry) => ({ entry }))], {
      added: [...entries.keys()],
      removed: [],
    });
    return this;
  }

  /** Removes a tool of this registry; says whether there was one. Mounted tools are removed where they were registered. */
  unregister(name: string): boolean {
    const entry = this.#own.get(name);
    if (entry === undefined) return false;
    this.#own.delete(name);
    this.#change(
      this.#slots.filter((slot) => !('entry' in slot && slot.entry === entry)),
      { added: [], removed: [name] },
    );
    return true;
  }

  /** Removes all tools and mounts. */
  clear(): void {
    const removed = this.#current().entries.map((entry) => entry.tool.name);
    for (const slot of this.#slots) {
      if ('mount' in slot) slot.mount.release();
    }
    this.#own.clear();
    this.#change([], { added: [], removed });
  }

  /**
   * Shows the tools of another registry under a prefix. The mount is live: what the other registry gains or loses later appears
   * and disappears here. Its tools keep its collaborators, `createContext` included; what else they need comes with the call. The
   * returned function takes the mount away.
   */
  mount<TChild extends object>(
    prefix: string,
    registry: ToolRegistry<TChild>,
    options: MountOptions = {},
  ): () => void {
    if (typeof prefix !== 'string' || !(registry instanceof ToolRegistry)) {
      throw new DefinitionError(
        "mount takes a prefix and a ToolRegistry: registry.mount('users', usersRegistry).",
      );
    }
    const full = prefix === '' ? '' : `${prefix}${options.separator ?? '_'}`;
    const child = registry as unknown as ToolRegistry<never>;
    if (child.#contains(this)) {
      throw new DefinitionError(
        `Registry "${child.name}" cannot be mounted in "${this.name}": it contains it already.`,
      );
    }
    if (full !== '') assertToolName(`${full}x`);
    const isMounted = this.#slots.some(
      (slot) => 'mount' in slot && slot.mount.child === child && slot.mount.prefix === full,
    );
    if (isMounted)
      throw new DefinitionError(
        `Registry "${child.name}" is mounted in "${this.name}" under "${prefix}" already.`,
      );
    const claims: NameClaims = new Map();
    const names = child.#current().entries.map((entry) => `${full}${entry.tool.name}`);
    for (const [index, { definition }] of child.#current().entries.entries()) {
      this.#claimName(names[index] ?? '', child.#describe(definition), claims);
    }
    const link = { registry: this as unknown as ToolRegistry<never>, prefix: full };
    child.#parents.add(link);
    const mount: Mount = { prefix: full, child, release: () => child.#parents.delete(link) };
    this.#change([...this.#slots, { mount }], { added: names, removed: [] });
    return () => this.#unmount(mount);
  }

  /** Calls back after every change of the tools; the returned function ends it. */
  onChange(listener: ChangeListener): () => void {
    return this.#feed.subscribe(listener);
  }

  /** Whether a tool of this name is registered or mounted. */
  has(name: string): boolean {
    return this.#current().table.has(name);
  }

  /** A tool as clients get it; undefined when there is none of this name. */
  findTool(name: string): McpTool | undefined {
    return this.#current().listed.get(name);
  }

  /** The tools a caller may see, as clients get them, in the order of registration. */
  listTools(caller: Caller = {}): ListedTool[] {
    return visibleEntries(this.#current(), caller).map(({ listed, tool: { subject } }) =>
      subject.category === undefined ? listed : { ...listed, category: subject.category },
    );
  }

  /** The result of `tools/list` as JSON text, put together from parts that were serialised at registration. */
  listToolsJson(caller: Caller = {}): string {
    return listJson(this.#current(), caller);
  }

  /** All tools as clients get them, whoever may see them. */
  getAllTools(): McpTool[] {
    return this.#current().entries.map((entry) => entry.listed);
  }

  /** The tools with certain tags or of a category, as clients get them. */
  getTools(filter: ToolFilter = {}): McpTool[] {
    const { entries } = this.#current();
    return entries.filter((entry) => matchesFilter(entry.tool.subject, filter)).map((entry) => entry.listed);
  }

  /** The definitions as they were written, mounted ones under their prefixed names. */
  getToolDefinitions(): AnyToolDefinition<TContext>[] {
    return this.#current().entries.map((entry) => entry.definition as AnyToolDefinition<TContext>);
  }

  /** Calls a tool and answers as a transport would: with a result, or with an error of the protocol. Never throws. */
  handleCall(call: ToolCall & { readonly context?: Partial<TContext> | undefined }): Promise<ToolReply> {
    return handleCall(this.#current().table, call ?? { name: '' });
  }

  /** Calls a tool in this process. Never throws: what the protocol calls an error comes back as a result with `isError`. */
  async executeTool(
    call: ToolCall & { readonly context?: Partial<TContext> | undefined },
  ): Promise<McpCallToolResult> {
    const reply = await this.handleCall(call);
    return reply.kind === 'result'
      ? reply.result
      : toErrorResult(reply, this.#settings.collaborators.errorHandler);
  }

  /** Calls a tool with the application's context first: the short form of {@link ToolRegistry.executeTool}. */
  routeCall(
    context: TContext,
    name: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<McpCallToolResult> {
    return this.executeTool({ name, arguments: args, context });
  }

  /**
   * Puts the tools behind a server of the official SDK, version 1 or 2, `Server` or `McpServer`. The returned function takes them
   * away again, after which the server answers as before.
   */
  attachToServer(server: unknown, options: AttachOptions<TContext> = {}): DetachFn {
    return attachToServer(
      {
        logger: this.#settings.collaborators.logger,
        listTools: (caller) => visibleEntries(this.#current(), caller).map((entry) => entry.listed),
        findTool: (name) => this.findTool(name),
        handleCall: (call) => this.handleCall(call),
        onChange: (listener) => this.onChange(listener),
      },
      server,
      options,
    );
  }

  #current(): Catalog {
    this.#catalog ??= compileCatalog(this.#slots.flatMap((slot) => this.#entriesOf(slot)));
    return this.#catalog;
  }

  #entriesOf(slot: Slot): readonly CatalogEntry[] {
    if ('entry' in slot) return [slot.entry];
    const { prefix, child } = slot.mount;
    const { policy } = this.#settings.collaborators;
    return child.#current().entries.map((entry) =>
      toMountedEntry(entry, `${prefix}${entry.tool.name}`, policy),
    );
  }

  #unmount(mount: Mount): void {
    const kept = this.#slots.filter((slot) => !('mount' in slot && slot.mount === mount));
    if (kept.length === this.#slots.length) return;
    mount.release();
    const removed = mount.child.#current().entries.map((entry) => `${mount.prefix}${entry.tool.name}`);
    this.#change(kept, { added: [], removed });
  }

  #change(slots: readonly Slot[], change: RegistryChange): void {
    this.#slots = slots;
    this.#invalidate();
    this.#announce(change);
  }

  /** Here and wherever this registry is mounted, before anybody hears of the change: no listener sees an old list. */
  #invalidate(): void {
    this.#catalog = undefined;
    for (const { registry } of this.#parents) registry.#invalidate();
  }

  #announce(change: RegistryChange): void {
    this.#feed.announce(change);
    for (const { registry, prefix } of this.#parents) {
      const rename = (name: string): string => `${prefix}${name}`;
      registry.#announce({ added: change.added.map(rename), removed: change.removed.map(rename) });
    }
  }

  /**
   * Claims a name here and, with its prefix, wherever this registry is mounted. It must be allowed and free in all those places,
   * also among the names claimed in the same change: one tool may appear twice in a registry that mounts this one twice.
   */
  #claimName(name: string, claimant: string, claims: NameClaims): void {
    assertToolName(name);
    const here = claims.get(this) ?? new Map<string, string>();
    claims.set(this, here);
    const holder = here.get(name) ?? this.#findClaimant(name);
    if (holder !== undefined) throw new DuplicateNameError('Tool', name, [holder, claimant]);
    here.set(name, claimant);
    for (const { registry, prefix } of this.#parents)
      registry.#claimName(`${prefix}${name}`, claimant, claims);
  }

  #findClaimant(name: string): string | undefined {
    const entry = this.#own.get(name);
    if (entry !== undefined) return this.#describe(entry.definition);
    for (const slot of this.#slots) {
      if (!('mount' in slot) || !name.startsWith(slot.mount.prefix)) continue;
      const claimant = slot.mount.child.#findClaimant(name.slice(slot.mount.prefix.length));
      if (claimant !== undefined) return claimant;
    }
    return undefined;
  }

  /** Names a claimant: the description tells two tools of one name apart. */
  #describe(definition: AnyToolDefinition<never>): string {
    return `"${definition.description.slice(0, 60)}" in registry "${this.name}"`;
  }

  #contains(other: ToolRegistry<never>): boolean {
    if ((this as unknown) === other) return true;
    return this.#slots.some((slot) => 'mount' in slot && slot.mount.child.#contains(other));
  }
}
