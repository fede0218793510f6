import type { NotInferred } from '../base/not-inferred.ts';
import { assertOptions, DEFINITIONS } from '../errors/options/rules.ts';
import { JSON_RPC_INVALID_PARAMS } from '../errors/codes.ts';
import { DefinitionError } from '../errors/errors.ts';
import { findNearestNames } from '../errors/nearest-names.ts';
import { assertMiddleware } from '../middleware/compile-chain.ts';
import type { AnyMiddleware, Middleware } from '../middleware/middleware.ts';
import type { McpCompletion, McpGetPromptResult, McpPrompt } from '../model/mcp-types.ts';
import type { ToolCall } from '../pipeline/context/call.ts';
import { VisibilityChange } from '../pipeline/visibility/visibility-change.ts';
import type { ListWatch } from '../pipeline/visibility/visibility-change.ts';
import { runComponent, toValue } from '../pipeline/component-reply.ts';
import type { ComponentReply } from '../pipeline/component-reply.ts';
import { startRecord, toEnd } from '../pipeline/record-call.ts';
import type { Caller } from '../pipeline/tool/policy.ts';
import type { Schema } from '../schema/nodes/schema-types.ts';
import { SETTINGS } from '../tools/compile/assert-settings.ts';
import { resolveSettings } from '../tools/compile/tool-settings.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { OwnContext, ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import { ComponentList } from '../tools/components/component-list.ts';
import type { ComponentEntry, WireItem } from '../tools/components/component-list.ts';
import { ComponentTree } from '../tools/components/component-tree.ts';
import type { MountOptions, TreeKind } from '../tools/components/component-tree.ts';
import { namesOfComponents, toComponentUnit } from '../tools/components/component-unit.ts';
import type { BareComponent } from '../tools/components/component-unit.ts';
import type { ChangeListener } from '../tools/components/registry-change.ts';
import { mountCompletable } from './compile-completers.ts';
import { assertPrompt, compilePrompt } from './compile-prompt.ts';
import type { PromptEntry } from './compile-prompt.ts';
import { complete } from './complete.ts';
import type { CompletionRequest } from './completion.ts';
import type {
  AnyPromptDefinition,
  PromptArgumentDefinition,
  PromptDefinition,
  SchemaPromptDefinition,
} from './prompt-definition.ts';

/** Options of {@link PromptsManager}. */
export interface PromptsManagerOptions<
  TContext extends object = object,
> extends ToolSettingsOptions<TContext> {
  /** Prompts to add. */
  readonly prompts?: Iterable<AnyPromptDefinition<NotInferred<TContext>>>;
}

/** A manager that needs no more than this context. */
export interface PromptsFor<TContext extends object> {
  readonly needs?: ((context: TContext) => void) | undefined;
  getAllPrompts(caller?: Caller): McpPrompt[];
}

const PROMPTS: TreeKind<PromptEntry, ComponentList<PromptEntry>> = {
  kind: 'prompt',
  holder: 'Prompts manager',
  hasFixedKeys: false,
  namesOf: namesOfComponents,
  mount: (entry, mounting) => mountCompletable(entry, `${mounting.prefix}${entry.key}`, mounting),
  compileCatalog: (entries) => new ComponentList(entries),
};

/** The class of {@link PromptsManager}. */
class Prompts<TContext extends object, TNeeds extends object> {
  /** The public name, for logs. */
  static readonly name: string = 'PromptsManager';
  /** For the compiler only: a server must provide this context to serve the manager. */
  declare readonly needs?: ((context: TNeeds) => void) | undefined;
  readonly #settings: ToolSettings;
  readonly #tree: ComponentTree<PromptEntry, ComponentList<PromptEntry>>;
  readonly #change = new VisibilityChange();

  /** `settings`: those of the server that this manager belongs to. Default: read from the options. */
  constructor(options: PromptsManagerOptions<TContext> = {}, settings?: ToolSettings) {
    assertOptions('PromptsManager', options, { ...SETTINGS, prompts: DEFINITIONS });
    this.#settings = settings ?? resolveSettings(options, 'PromptsManager');
    this.#tree = new ComponentTree(PROMPTS, this.#settings, settings !== undefined);
    for (const definition of options.prompts ?? []) this.addPrompt(definition);
  }

  /** The options with defaults. Used by servers. */
  get settings(): ToolSettings {
    return this.#settings;
  }

  /** Number of prompts, including mounted ones, regardless of visibility. */
  get size(): number {
    return this.#tree.entries().length;
  }

  /** All prompts, regardless of visibility; the same array until something changes. Used by servers. */
  get entries(): readonly ComponentEntry[] {
    return this.#tree.catalog().entries;
  }

  /** Adds a prompt. Invalid definitions and duplicate names are rejected here, never during a call. */
  addPrompt<
    TInput extends Schema,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: SchemaPromptDefinition<TInput, TContext, TMiddleware>): this;
  addPrompt<
    const TArguments extends readonly PromptArgumentDefinition[] = readonly [],
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: PromptDefinition<TArguments, TContext, TMiddleware>): this;
  addPrompt(definition: AnyPromptDefinition<TContext>): this;
  addPrompt(definition: object): this {
    assertPrompt(definition as AnyPromptDefinition<never>);
    // Copied, so that later changes of the definition have no effect.
    const given = { ...(definition as AnyPromptDefinition<never>) };
    const { middleware } = this.#tree;
    const compile = (settings: ToolSettings): BareComponent<PromptEntry> => compilePrompt(given, settings);
    this.#tree.add([toComponentUnit(compile, { settings: this.#settings, middleware })]);
    return this;
  }

  /** Removes a prompt; returns whether it existed. Remove mounted prompts in their own manager. */
  removePrompt(name: string): boolean {
    return this.#tree.remove(name);
  }

  /**
   * Adds the prompts of another manager under a prefix. The mount is live: later changes of the other manager apply here. Its prompts keep
   * their settings, policy and middleware. The returned function removes the mount.
   */
  mount<TChild extends object>(
    prefix: string,
    prompts: PromptsManager<TChild, TNeeds>,
    options: MountOptions = {},
  ): () => void {
    if (typeof prefix !== 'string' || !(prompts instanceof Prompts)) {
      throw new DefinitionError(
        "mount takes a prefix and a PromptsManager: prompts.mount('users', userPrompts).",
        { option: 'mount' },
      );
    }
    return this.#tree.mount(prompts.#tree, prefix, options);
  }

  /**
   * Adds a middleware around every prompt and its completers, outermost: existing, future and mounted ones. The members that it adds to the
   * context are typed for prompts added on the returned manager.
   */
  use<TAdds extends object>(
    middleware: Middleware<TContext, TAdds>,
  ): PromptsManager<TContext & TAdds, TNeeds> {
    assertMiddleware([middleware], 'PromptsManager');
    this.#tree.use(middleware);
    return this as unknown as PromptsManager<TContext & TAdds, TNeeds>;
  }

  /** The prompts visible to a caller, as advertised. Default: an anonymous caller. */
  getAllPrompts(caller: Caller = {}): McpPrompt[] {
    return this.#tree
      .catalog()
      .list(caller)
      .map(({ listed }) => listed);
  }

  /** The prompts visible to a caller. The same array until something changes, shared by all callers that see the same prompts. */
  list(caller: Caller): readonly WireItem[] {
    return this.#tree.catalog().list(caller);
  }

  /** Whether different callers may see different prompts. */
  get variesByCaller(): boolean {
    return this.#tree.catalog().variesByCaller;
  }

  /** Whether a prompt of this name is visible to the caller. */
  has(name: string, caller: Caller = {}): boolean {
    return this.#tree.catalog().find(name, caller) !== undefined;
  }

  /** Renders a prompt for an anonymous caller. Resolves to its messages, rejects with a `ToolwrightError`. */
  getPrompt(name: string, args?: Readonly<Record<string, unknown>>): Promise<McpGetPromptResult>;
  /** Renders a prompt. Always returns a reply, never throws. */
  getPrompt(call: ToolCall): Promise<ComponentReply<McpGetPromptResult>>;
  async getPrompt(
    call: ToolCall | string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<ComponentReply<McpGetPromptResult> | McpGetPromptResult> {
    if (typeof call === 'string') return toValue(await this.getPrompt({ name: call, arguments: args }));
    // JavaScript code may pass anything.
    const given: ToolCall = call ?? { name: '' };
    const entry = this.#tree.catalog().find(given.name, given);
    const onEnded = startRecord(this.#settings.collaborators, given, 'prompt');
    const reply =
      entry === undefined
        ? this.#unknown(given.name, given)
        : await runComponent(entry.tool, given, entry.write);
    onEnded?.(toEnd(reply, entry?.tool.name));
    return reply;
  }

  /** Completes the value of an argument. Always returns a reply, never throws. */
  async complete(request: CompletionRequest): Promise<ComponentReply<McpCompletion>> {
    const given: Partial<CompletionRequest> = request ?? {};
    const entry = this.#tree.catalog().find(given.ref ?? '', given);
    return entry === undefined ? this.#unknown(given.ref, given) : complete(entry, request);
  }

  /** Returns a function that tells whether the list of a caller has changed since the previous call. */
  watch(): ListWatch {
    return this.#change.watch(() => this.#tree.catalog().plan());
  }

  /** Calls the listener after every change; the returned function unsubscribes. */
  onChange(listener: ChangeListener): () => void {
    return this.#tree.onChange(listener);
  }

  /** Hidden prompts have no influence, not even on the suggestions. */
  #unknown(name: unknown, caller: Caller): ComponentReply<never> {
    const text = typeof name === 'string' ? name : undefined;
    const visible = this.#tree
      .catalog()
      .list(caller)
      .map(({ key }) => key);
    const suggestions = text === undefined ? [] : findNearestNames(text, visible);
    return {
      kind: 'protocol-error',
      code: JSON_RPC_INVALID_PARAMS,
      reason: 'UNKNOWN_PROMPT',
      // No prompt has a longer name; a response must not repeat a megabyte of input.
      message: `Unknown prompt: ${text?.slice(0, 128) ?? '(no name)'}`,
      ...(suggestions.length > 0 ? { data: { suggestions } } : {}),
    };
  }
}

/**
 * The manager where prompts are defined, listed and rendered.
 *
 * `TContext`: members of the handlers' context beyond the standard ones; provide them with `createContext`, or with each call. `TNeeds`:
 * the part of it that the server must provide; nothing if the manager has a `createContext`.
 *
 * @example
 * const prompts = new PromptsManager().addPrompt({
 *   name: 'greet',
 *   arguments: [{ name: 'who', required: true }],
 *   template: 'Say hello to {{who}}.',
 * });
 * await prompts.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
 */
export interface PromptsManager<
  TContext extends object = object,
  TNeeds extends object = TContext,
> extends Prompts<TContext, TNeeds> {}

/** The required context of a new manager depends on its options, which the constructor of a class cannot express. */
interface PromptsManagerConstructor {
  readonly prototype: (typeof Prompts)['prototype'];
  /** A manager that creates its own context. */
  new <TContext extends object>(
    options: PromptsManagerOptions<TContext> & OwnContext<TContext>,
  ): PromptsManager<TContext, object>;
  /** A manager whose context comes from its server, or with each call. `settings`: those of its server. */
  new <TContext extends object = object, TNeeds extends object = TContext>(
    options?: PromptsManagerOptions<TContext>,
    settings?: ToolSettings,
  ): PromptsManager<TContext, TNeeds>;
}

export const PromptsManager: PromptsManagerConstructor = Prompts;
