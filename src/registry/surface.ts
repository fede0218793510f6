import { toLoggedError } from '../errors/log-thrown.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { McpCallToolResult, McpTool } from '../model/mcp-types.ts';
import type { ToolCall } from '../pipeline/context/call.ts';
import { toErrorResult } from '../pipeline/reply/error-result.ts';
import type { ToolReply } from '../pipeline/reply/tool-reply.ts';
import { handleCall } from '../pipeline/handle-call.ts';
import type { BeforeCall } from '../pipeline/handle-call.ts';
import { startRecord } from '../pipeline/record-call.ts';
import { tokenHider } from '../pipeline/tool/hide-secrets.ts';
import type { Caller, Policy } from '../pipeline/tool/policy.ts';
import { assertPolicy, compilePolicy } from '../pipeline/tool/policy-rules.ts';
import { VisibilityChange } from '../pipeline/visibility/visibility-change.ts';
import type { ListWatch } from '../pipeline/visibility/visibility-change.ts';
import { entriesOfClass, planVisibility, visibilityClass } from '../pipeline/visibility/visibility.ts';
import type { VisibilityPlan } from '../pipeline/visibility/visibility.ts';
import type { SchemaProfile } from '../schema/profiles/schema-profile.ts';
import { isPromiseLike } from '../base/maybe-promise.ts';
import { remember } from '../base/remember.ts';
import { REGISTRY_DEFAULTS } from '../tools/compile/tool-settings.ts';
import type { CatalogEntry } from '../tools/compile/catalog-entry.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import { attachToServer } from './attach-to-server.ts';
import type { AttachOptions, DetachFn, GivenContext } from './attach-to-server.ts';
import type { Catalog } from './catalog.ts';
import { EXPOSURES, SCHEMA_PROFILES, SEARCH_TOOLS } from './exposure/exposure.ts';
import type { Exposure, SurfaceOptions } from './exposure/exposure.ts';
import { project } from './exposure/project.ts';
import type { Projection, ProjectionOptions, WireTool } from './exposure/projection.ts';
import type { ChangeListener } from '../tools/components/registry-change.ts';

/** The parts of a registry that a surface needs. */
export interface SurfaceSource {
  readonly registry: object;
  readonly settings: ToolSettings;
  readonly catalog: () => Catalog;
  readonly middleware: () => readonly AnyMiddleware[];
  readonly onChange: (listener: ChangeListener) => () => void;
}

/** A list as sent to clients, shared by all callers that see the same tools. */
interface SurfaceList {
  readonly tools: readonly WireTool[];
  /** JSON text; created on first use. */
  json: string | undefined;
}

/** The catalog in one exposure. */
interface View {
  readonly projection: Projection;
  readonly lists: Map<string, SurfaceList>;
  /** Tools that some caller may see, by name; created on first use. */
  listed: ReadonlyMap<string, McpTool> | undefined;
}

/** The tools of a registry or surface that needs no more than this context. */
export interface ToolsFor<TContext extends object> {
  readonly needs?: ((context: TContext) => void) | undefined;
  listToolsJson(caller?: Caller): string;
}

/** Maximum number of cached lists per exposure. */
const MAX_LISTS = 256;

/** A call through a surface. */
type SurfaceCall<TContext extends object> = ToolCall & { readonly context?: Partial<TContext> | undefined };

/**
 * The tools of a registry as one kind of client sees them: in one exposure, under one policy. Listing and calling apply the same policy to
 * the same canonical actions. Created by `ToolRegistry.surface`; follows every change of the registry.
 */
export class ToolSurface<TContext extends object = object, TNeeds extends object = TContext> {
  /** For the compiler only: a server must provide this context to serve the surface. */
  declare readonly needs?: ((context: TNeeds) => void) | undefined;
  readonly #source: SurfaceSource;
  readonly #options: SurfaceOptions;
  readonly #policy: Policy | undefined;
  readonly #change = new VisibilityChange();
  /** The catalog that the following members belong to. */
  #catalog: Catalog | undefined;
  #visibility: VisibilityPlan<CatalogEntry> = { entries: [], asked: [] };
  #views = new Map<string, View>();
  /** The only view, if neither exposure nor profile depends on the caller. */
  #only: View | undefined;

  constructor(source: SurfaceSource, options: SurfaceOptions) {
    this.#source = source;
    this.#options = options;
    const { policy } = options;
    assertPolicy(policy, 'registry.surface');
    this.#policy =
      policy === undefined ? undefined : compilePolicy(policy, source.settings.collaborators.logger);
  }

  /** The registry of this surface. Used by servers. */
  get registry(): object {
    return this.#source.registry;
  }

  /** The tools of the catalog, regardless of visibility; the same array until something changes. Used by servers. */
  get entries(): readonly CatalogEntry[] {
    return this.#source.catalog().entries;
  }

  /** The options of this surface. Used by servers. */
  get options(): SurfaceOptions {
    return this.#options;
  }

  /** The tools visible to a caller, as advertised. */
  listTools(caller: Caller = {}): McpTool[] {
    return this.#list(caller).tools.map((tool) => tool.listed);
  }

  /** The result of `tools/list` as JSON text, shared by all callers that see the same tools. */
  listToolsJson(caller: Caller = {}): string {
    const list = this.#list(caller);
    list.json ??= `{"tools":[${list.tools.map((tool) => tool.json).join(',')}]}`;
    return list.json;
  }

  /**
   * The tools visible to a caller, each with its JSON text. The same array until something changes, shared by all callers that see the same
   * tools.
   */
  listWireTools(caller: Caller): readonly WireTool[] {
    return this.#list(caller).tools;
  }

  /** Whether different callers may see different tools. */
  get variesByCaller(): boolean {
    const { exposure, schemaProfile } = this.#options;
    return (
      this.#plan().asked.length > 0 || typeof exposure === 'function' || typeof schemaProfile === 'function'
    );
  }

  /**
   * Returns a function that tells whether the list of a caller has changed since the previous call. With `auto`, every caller that sees a
   * changed action counts: checking whether its list is still that of a search would require the policy for every action.
   */
  watch(): ListWatch {
    const isOther = this.#change.watch(() => this.#plan());
    return (caller) => isOther(caller) && !this.#view(caller).projection.isFixed;
  }

  /** A tool as advertised, regardless of visibility; undefined if unknown. */
  findTool(name: string, caller: Caller = {}): McpTool | undefined {
    const view = this.#view(caller);
    view.listed ??= new Map(view.projection.all().map(({ listed }) => [listed.name, listed]));
    return view.listed.get(name);
  }

  /** The tools of these entries, regardless of visibility. Tools found by searching are listed flat. */
  listAll(isWanted: (entry: CatalogEntry) => boolean): McpTool[] {
    const { exposure } = this.#options;
    const entries = this.#source.catalog().entries.filter(isWanted);
    const projection = project(
      exposure === 'grouped' || exposure === undefined ? 'grouped' : 'flat',
      entries,
      this.#projectionOptions('full'),
    );
    return projection.list(entries).map((tool) => tool.listed);
  }

  /** Calls a tool like a transport: returns a result or a JSON-RPC error. Never throws. */
  handleCall(call: SurfaceCall<TContext>): Promise<ToolReply>;
  /** The same for transports, with a hook before the selected tool runs. */
  handleCall<TInstead>(call: ToolCall, before: BeforeCall<TInstead>): Promise<ToolReply | TInstead>;
  async handleCall<TInstead>(call: ToolCall, before?: BeforeCall<TInstead>): Promise<ToolReply | TInstead> {
    // JavaScript code may pass anything.
    const given: ToolCall = call ?? { name: '' };
    const onEnded = startRecord(this.#source.settings.collaborators, given);
    const recorded = onEnded === undefined ? given : { ...given, onEnded };
    return handleCall(this.#view(given).projection.table, recorded, before);
  }

  /** Calls a tool in this process. Never throws: protocol errors are returned as a result with `isError`. */
  async executeTool(call: SurfaceCall<TContext>): Promise<McpCallToolResult> {
    const reply = await this.handleCall(call);
    return reply.kind === 'result'
      ? reply.result
      : toErrorResult(reply, this.#source.settings.collaborators.errorHandler);
  }

  /** Calls the listener after every change of the registry; the returned function unsubscribes. */
  onChange(listener: ChangeListener): () => void {
    return this.#source.onChange(listener);
  }

  /**
   * Attaches the tools of this surface to a server of the official SDK, or to any object with `setRequestHandler`. The returned function
   * detaches them.
   */
  attachToServer(server: unknown, options: AttachOptions<TContext> & GivenContext<TNeeds>): DetachFn;
  attachToServer(
    this: ToolSurface<TContext, object>,
    server: unknown,
    options?: AttachOptions<TContext>,
  ): DetachFn;
  attachToServer(server: unknown, options: AttachOptions<TContext> = {}): DetachFn {
    const { logger } = this.#source.settings.collaborators;
    return attachToServer(
      {
        logger,
        listTools: (caller) => this.listTools(caller),
        findTool: (name, caller) => this.findTool(name, caller),
        handleCall: (call) => this.handleCall(call),
        onChange: (listener) => this.onChange(listener),
        watch: () => this.watch(),
      },
      server,
      options,
    );
  }

  #list(caller: Caller): SurfaceList {
    const view = this.#view(caller);
    const key = visibilityClass(this.#visibility, caller);
    return remember(view.lists, key, {
      max: MAX_LISTS,
      make: () => {
        const tools = view.projection.list(entriesOfClass(this.#visibility, key));
        return { tools, json: undefined };
      },
    });
  }

  #plan(): VisibilityPlan<CatalogEntry> {
    const catalog = this.#source.catalog();
    if (catalog !== this.#catalog) {
      this.#catalog = catalog;
      this.#visibility = planVisibility(catalog.entries, this.#policy);
      this.#views = new Map();
      this.#only = undefined;
    }
    return this.#visibility;
  }

  #view(caller: Caller): View {
    this.#plan();
    if (this.#only !== undefined) return this.#only;
    const { exposure, schemaProfile } = this.#options;
    const chosen = this.#choose(exposure, { choices: EXPOSURES, caller, otherwise: 'search' }) ?? 'grouped';
    const profile =
      this.#choose(schemaProfile, { choices: SCHEMA_PROFILES, caller, otherwise: 'no-union' }) ?? 'full';
    const key = `${chosen} ${profile}`;
    const view = this.#views.get(key) ?? this.#project(chosen, profile);
    this.#views.set(key, view);
    if (typeof exposure !== 'function' && typeof schemaProfile !== 'function') this.#only = view;
    return view;
  }

  /** The value of an option for this caller. If its function fails, the value that every client supports. */
  #choose<TChoice extends string>(
    option: TChoice | ((caller: Caller) => TChoice) | undefined,
    { choices, caller, otherwise }: { choices: readonly TChoice[]; caller: Caller; otherwise: TChoice },
  ): TChoice | undefined {
    if (typeof option !== 'function') return option;
    const { logger } = this.#source.settings.collaborators;
    try {
      const chosen = option(caller);
      if (choices.includes(chosen)) return chosen;
      // Not awaited; a rejection must not end the process.
      if (isPromiseLike(chosen)) chosen.then(undefined, () => {});
      logger.error('an option of a surface returned an unknown value', { chosen: String(chosen) });
    } catch (error) {
      const hide = tokenHider(caller.accessToken);
      logger.error('an option of a surface failed', { error: toLoggedError(error, hide) });
    }
    return otherwise;
  }

  #project(exposure: Exposure, profile: SchemaProfile): View {
    return {
      projection: project(exposure, this.#visibility.entries, this.#projectionOptions(profile)),
      lists: new Map(),
      listed: undefined,
    };
  }

  #projectionOptions(profile: SchemaProfile): ProjectionOptions {
    const { settings, middleware } = this.#source;
    const { splitReadWrite = false, groupBy, groupedSchemas = 'full', pinned = [] } = this.#options;
    const { tokenBudget = REGISTRY_DEFAULTS.tokenBudget, describeTokens = REGISTRY_DEFAULTS.describeTokens } =
      this.#options;
    return {
      profile,
      splitReadWrite,
      groupBy,
      groupedSchemas,
      tokenBudget,
      describeTokens,
      searchTools: toSearchTools(this.#options),
      pinned,
      own: { settings, middleware: middleware() },
    };
  }
}

/** The names of the three search tools. */
export function toSearchTools({ searchTools }: SurfaceOptions): ProjectionOptions['searchTools'] {
  return { ...SEARCH_TOOLS, ...searchTools };
}
