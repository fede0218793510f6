import { toLoggedError } from '../errors/log-thrown.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { McpCallToolResult, McpTool } from '../model/mcp-types.ts';
import type { ToolCall } from '../pipeline/context/call.ts';
import { toErrorResult } from '../pipeline/reply/error-result.ts';
import type { ToolReply } from '../pipeline/reply/tool-reply.ts';
import { handleCall } from '../pipeline/handle-call.ts';
import type { BeforeCall } from '../pipeline/handle-call.ts';
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

/** What a surface needs of the registry behind it. */
export interface SurfaceSource {
  readonly registry: object;
  readonly settings: ToolSettings;
  readonly catalog: () => Catalog;
  readonly middleware: () => readonly AnyMiddleware[];
  readonly onChange: (listener: ChangeListener) => () => void;
}

/** A list as it goes to clients, made once for all callers who see the same. */
interface SurfaceList {
  readonly tools: readonly WireTool[];
  /** As text; made when first asked for. */
  json: string | undefined;
}

/** The catalog in one exposure. */
interface View {
  readonly projection: Projection;
  readonly lists: Map<string, SurfaceList>;
  /** What some caller may be shown, by name; made when first asked for. */
  listed: ReadonlyMap<string, McpTool> | undefined;
}

/** The tools of a registry or a surface that needs no more than this context. */
export interface ToolsFor<TContext extends object> {
  readonly needs?: ((context: TContext) => void) | undefined;
  listToolsJson(caller?: Caller): string;
}

/** So many lists are kept for each exposure. Others are made anew when they are asked for. */
const MAX_LISTS = 256;

/** One call through a surface. */
type SurfaceCall<TContext extends object> = ToolCall & { readonly context?: Partial<TContext> | undefined };

/**
 * The tools of a registry as one kind of client sees them: in one exposure, under one policy. Listing and calling ask the same
 * policy about the same canonical actions, whatever name a caller uses. Made by `ToolRegistry.surface`; follows every change of the
 * registry.
 */
export class ToolSurface<TContext extends object = object, TNeeds extends object = TContext> {
  /** Only for the compiler: a server that cannot give this context cannot take the surface. */
  declare readonly needs?: ((context: TNeeds) => void) | undefined;
  readonly #source: SurfaceSource;
  readonly #options: SurfaceOptions;
  readonly #policy: Policy | undefined;
  readonly #change = new VisibilityChange();
  /** Everything below was made for this catalog. */
  #catalog: Catalog | undefined;
  #visibility: VisibilityPlan<CatalogEntry> = { entries: [], asked: [] };
  #views = new Map<string, View>();
  /** The only view there is, where neither exposure nor profile depends on the caller. */
  #only: View | undefined;

  constructor(source: SurfaceSource, options: SurfaceOptions) {
    this.#source = source;
    this.#options = options;
    const { policy } = options;
    assertPolicy(policy, 'registry.surface');
    this.#policy =
      policy === undefined ? undefined : compilePolicy(policy, source.settings.collaborators.logger);
  }

  /** The registry behind it. Used by servers. */
  get registry(): object {
    return this.#source.registry;
  }

  /** How it shows the tools of the registry. Used by servers. */
  get options(): SurfaceOptions {
    return this.#options;
  }

  /** The tools a caller may see, as clients get them. */
  listTools(caller: Caller = {}): McpTool[] {
    return this.#list(caller).tools.map((tool) => tool.listed);
  }

  /** The result of `tools/list` as JSON text, kept for all callers who see the same. */
  listToolsJson(caller: Caller = {}): string {
    const list = this.#list(caller);
    list.json ??= `{"tools":[${list.tools.map((tool) => tool.json).join(',')}]}`;
    return list.json;
  }

  /** The tools a caller may see, each with its text. The same array as long as nothing changed, for all callers who see the same. */
  listWireTools(caller: Caller): readonly WireTool[] {
    return this.#list(caller).tools;
  }

  /** Whether different callers may be shown different tools. */
  get variesByCaller(): boolean {
    const { exposure, schemaProfile } = this.#options;
    return (
      this.#plan().asked.length > 0 || typeof exposure === 'function' || typeof schemaProfile === 'function'
    );
  }

  /**
   * Says at each call whether the list of a caller has become another one since the call before. With `auto`, whoever sees what has changed
   * counts: to know whether its list stays that of a search, the policy would have to be asked about every action.
   */
  watch(): ListWatch {
    const isOther = this.#change.watch(() => this.#plan());
    return (caller) => isOther(caller) && !this.#view(caller).projection.isFixed;
  }

  /** A tool as clients get it, whoever may see it; undefined when there is none of this name. */
  findTool(name: string, caller: Caller = {}): McpTool | undefined {
    const view = this.#view(caller);
    view.listed ??= new Map(view.projection.all().map(({ listed }) => [listed.name, listed]));
    return view.listed.get(name);
  }

  /** The tools that some entries make, whoever may see them. What is otherwise found by searching is listed flat. */
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

  /** Calls a tool and answers as a transport would: with a result, or with an error of the protocol. Never throws. */
  handleCall(call: SurfaceCall<TContext>): Promise<ToolReply>;
  /** The same, for transports that have a say once it is known what is called. */
  handleCall<TInstead>(call: ToolCall, before: BeforeCall<TInstead>): Promise<ToolReply | TInstead>;
  async handleCall<TInstead>(call: ToolCall, before?: BeforeCall<TInstead>): Promise<ToolReply | TInstead> {
    // From JavaScript anything may come.
    const given: ToolCall = call ?? { name: '' };
    return handleCall(this.#view(given).projection.table, given, before);
  }

  /** Calls a tool in this process. Never throws: what the protocol calls an error comes back as a result with `isError`. */
  async executeTool(call: SurfaceCall<TContext>): Promise<McpCallToolResult> {
    const reply = await this.handleCall(call);
    return reply.kind === 'result'
      ? reply.result
      : toErrorResult(reply, this.#source.settings.collaborators.errorHandler);
  }

  /** Calls back after every change of the registry behind this surface; the returned function ends it. */
  onChange(listener: ChangeListener): () => void {
    return this.#source.onChange(listener);
  }

  /** Puts the tools of this surface behind a server of the official SDK, or anything else with `setRequestHandler`. The returned function takes them away again. */
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

  /** What an option says to this caller. A function that fails gets the answer that every client can live with. */
  #choose<TChoice extends string>(
    option: TChoice | ((caller: Caller) => TChoice) | undefined,
    { choices, caller, otherwise }: { choices: readonly TChoice[]; caller: Caller; otherwise: TChoice },
  ): TChoice | undefined {
    if (typeof option !== 'function') return option;
    const { logger } = this.#source.settings.collaborators;
    try {
      const chosen = option(caller);
      if (choices.includes(chosen)) return chosen;
      // Nobody waits for this answer; if it is a rejection, it must not end the process.
      if (isPromiseLike(chosen)) chosen.then(undefined, () => {});
      logger.error('an option of a surface returned an unknown value', { chosen: String(chosen) });
    } catch (error) {
      logger.error('an option of a surface failed', { error: toLoggedError(error) });
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
