import { assertKnown } from '../../errors/assert-known.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { assertMiddleware } from '../../middleware/compile-chain.ts';
import type { AnyMiddleware, Middleware } from '../../middleware/middleware.ts';
import type { McpCallToolResult, McpTool, McpToolAnnotations } from '../../model/mcp-types.ts';
import { toHints } from '../../model/tool-annotations.ts';
import type { ToolAnnotations } from '../../model/tool-annotations.ts';
import type { Caller } from '../../pipeline/tool/policy.ts';
import { fromFields } from '../../schema/nodes/fields-schema.ts';
import type { Schema } from '../../schema/nodes/schema-types.ts';
import type { ToolSettingsOptions } from '../compile/settings-options.ts';
import { assertToolName } from '../compile/assert-definition.ts';
import { assertAnnotations } from '../compile/assert-members.ts';
import type { MissingScopes } from '../tool-definition.ts';
import type {
  ActionDefinition,
  AnyActionDefinition,
  CommonFields,
  NoFields,
} from './action/action-definition.ts';
import { ActionGroupBuilder } from './action-group-builder.ts';
import {
  assertAction,
  assertMissingScopes,
  assertPartName,
  assertScopes,
  assertTexts,
} from './action/action-record.ts';
import type { ActionRecord } from './action/action-record.ts';
import { planGroupedTool } from './plan/grouped-plan.ts';
import type { GroupedPlan, PlanSource } from './plan/grouped-plan.ts';
import { StandaloneTool } from './standalone-tool.ts';
import type { ActionMetadata } from './standalone-tool.ts';
import { DEFAULT_STRATEGIES } from './strategies/strategies.ts';
import type { GroupedToolStrategies } from './strategies/strategies.ts';

/** Options of a builder. */
export interface GroupedToolOptions {
  /** Replaces some of the functions that combine the actions into a tool. */
  readonly strategies?: Partial<GroupedToolStrategies>;
}

/** Options of {@link GroupedToolBuilder.execute}: the caller, and the settings of the tool. */
export interface ExecuteOptions extends ToolSettingsOptions, Caller {
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Types that handlers of a builder see: common fields and context. */
interface Scope<TCommon extends object, TContext extends object> {
  readonly common: TCommon;
  readonly context: TContext;
}

/**
 * Several actions behind one tool: the model sees one name and selects the action with an argument.
 *
 * `TBase` is the context that a call must provide, `TContext` the context that handlers see after the middleware, `TCommon` the fields
 * that every action takes. All three are inferred along the chain.
 *
 * @example
 * const projects = createTool('projects')
 *   .description('Manages projects')
 *   .commonSchema(z.object({ workspace: z.string() }))
 *   .action({ name: 'list', readOnly: true, handler: ({ input }) => store.list(input.workspace) })
 *   .action({
 *     name: 'delete',
 *     destructive: true,
 *     schema: z.object({ id: z.string() }),
 *     handler: ({ input }) => store.delete(input.workspace, input.id),
 *   });
 * registry.register(projects);
 */
export class GroupedToolBuilder<
  TBase extends object = object,
  TContext extends object = TBase,
  TCommon extends object = NoFields,
> {
  /** For the compiler only: a registry with another context cannot contain the tool. */
  declare readonly needs?: ((context: TBase) => void) | undefined;
  readonly #name: string;
  /** Names the builder in messages. */
  readonly #owner: string;
  readonly #strategies: GroupedToolStrategies;
  readonly #middleware: AnyMiddleware[] = [];
  readonly #commonSchemas: Schema[] = [];
  readonly #tags: string[] = [];
  readonly #scopes: string[] = [];
  #actions: readonly ActionRecord[] = [];
  #missingScopes: MissingScopes | undefined;
  #title: string | undefined;
  #description: string | undefined;
  #discriminator = 'action';
  #annotations: McpToolAnnotations = {};
  #isToon = false;
  #mode: 'flat' | 'hierarchical' | undefined;
  #frozen = false;
  #plan: GroupedPlan | undefined;
  #standalone: StandaloneTool | undefined;

  constructor(name: string, options: GroupedToolOptions = {}) {
    assertToolName(name);
    this.#name = name;
    this.#owner = `Builder "${name}"`;
    const known = Object.keys(DEFAULT_STRATEGIES);
    assertKnown(this.#owner, options.strategies ?? {}, known, 'strategies');
    this.#strategies = { ...DEFAULT_STRATEGIES, ...options.strategies };
  }

  /** Tells the model what the tool is for; a list of the actions is appended. */
  description(text: string): this {
    this.#assertNotFrozen();
    assertTexts(this.#owner, 'description', [text]);
    this.#description = text;
    return this;
  }

  /** Sets the display name for users. */
  title(text: string): this {
    this.#assertNotFrozen();
    assertTexts(this.#owner, 'title', [text]);
    this.#title = text;
    return this;
  }

  /** Sets the name of the argument that selects the action. Default: `action`. */
  discriminator(field: string): this {
    this.#assertNotFrozen();
    if (typeof field !== 'string' || field === '' || field in Object.prototype)
      throw wrongValue(this.#owner, {
        option: 'discriminator',
        expected: 'the name of an argument, such as "action"',
        value: field,
      });
    this.#discriminator = field;
    return this;
  }

  /** Sets annotations that replace those derived from the actions. */
  annotations(annotations: McpToolAnnotations | ToolAnnotations): this {
    this.#assertNotFrozen();
    assertAnnotations(annotations, this.#owner);
    this.#annotations = { ...this.#annotations, ...toHints(annotations) };
    return this;
  }

  /** Adds tags to every action. */
  tags(...tags: readonly string[]): this {
    this.#assertNotFrozen();
    assertTexts(this.#owner, 'tags', tags);
    this.#tags.push(...tags);
    return this;
  }

  /** Scopes that every action needs. */
  scopes(...scopes: readonly string[]): this {
    this.#assertNotFrozen();
    assertScopes(this.#owner, scopes);
    this.#scopes.push(...scopes);
    return this;
  }

  /**
   * Callers without the scopes of an action do not see it (`hide`), or see it and get a 403 when they call it (`challenge`). Groups and
   * actions can override it. Default: the registry's setting.
   */
  missingScopes(missingScopes: MissingScopes): this {
    this.#assertNotFrozen();
    assertMissingScopes(this.#owner, missingScopes);
    this.#missingScopes = missingScopes;
    return this;
  }

  /**
   * Adds fields that every action takes. Call it before adding actions, so that their handlers are typed with the
   * fields.
   */
  commonSchema<TSchema extends Schema>(
    schema: TSchema,
  ): GroupedToolBuilder<TBase, TContext, CommonFields<TCommon, TSchema>> {
    this.#assertNotFrozen();
    this.#commonSchemas.push(fromFields(schema));
    return this;
  }

  /**
   * Describes the actions as a TOON table instead of sentences. `npm run bench -- --tokens` shows the difference in
   * tokens. Default: off.
   */
  toonDescription(): this {
    this.#assertNotFrozen();
    this.#isToon = true;
    return this;
  }

  /**
   * Adds a middleware around all actions. Call it before adding actions, so that their handlers are typed with its
   * additions.
   */
  use<TAdds extends object>(
    middleware: Middleware<TContext, TAdds>,
  ): GroupedToolBuilder<TBase, TContext & TAdds, TCommon> {
    this.#assertNotFrozen();
    assertMiddleware([middleware], this.#owner);
    this.#middleware.push(middleware);
    return this as never;
  }

  /** Adds an action. Not together with {@link GroupedToolBuilder.group}. */
  action<
    TInput extends Schema | undefined = undefined,
    TOutput extends Schema | undefined = undefined,
    TOmit extends keyof TCommon & string = never,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(definition: ActionDefinition<TInput, TOutput, Scope<TCommon, TContext>, TOmit, TMiddleware>): this {
    this.#assertNotFrozen();
    this.#enter('flat');
    const action = definition as unknown as AnyActionDefinition;
    assertAction(action, this.#name);
    this.#add([{ key: action.name, definition: action, group: undefined }]);
    return this;
  }

  /** Adds a group of actions; their keys are `group.action`. Not together with {@link GroupedToolBuilder.action}. */
  group(name: string, configure: GroupConfigurator<TCommon, TContext>): this;
  group(name: string, description: string, configure: GroupConfigurator<TCommon, TContext>): this;
  group(
    name: string,
    second: string | GroupConfigurator<TCommon, TContext>,
    third?: GroupConfigurator<TCommon, TContext>,
  ): this {
    this.#assertNotFrozen();
    this.#enter('hierarchical');
    assertPartName(name, 'Group', this.#name);
    const configure = typeof second === 'function' ? second : third;
    if (typeof configure !== 'function') {
      throw new DefinitionError(
        `Group "${name}" of builder "${this.#name}" needs a function that adds its actions: .group('${name}', 'What it is for', (group) => group.action({ … })).`,
        { option: 'group', path: [name], expected: 'a function that adds its actions' },
      );
    }
    const group = new ActionGroupBuilder<Scope<TCommon, TContext>>(
      name,
      typeof second === 'string' ? second : undefined,
      { builderName: this.#name, assertNotFrozen: () => this.#assertNotFrozen() },
    );
    configure(group);
    this.#add(group.records());
    return this;
  }

  /** Returns the tool as clients see it, built once. Afterwards the builder is frozen. */
  buildToolDefinition(): McpTool {
    return this.#build().listed;
  }

  /**
   * Calls an action without a registry, through the same steps as a call of a registry: for tests and scripts. The
   * first call freezes the builder.
   */
  execute(
    context: TBase,
    args: Readonly<Record<string, unknown>> = {},
    options: ExecuteOptions = {},
  ): Promise<McpCallToolResult> {
    const { principal, accessToken, signal, ...settings } = options;
    const standalone =
      Object.keys(settings).length === 0 ? this.#build() : new StandaloneTool(this.plan(), settings);
    return standalone.execute({ context, arguments: args, principal, accessToken, signal });
  }

  /** Returns the name of the tool. */
  getName(): string {
    return this.#name;
  }

  /** Returns the tags that all actions share. */
  getTags(): readonly string[] {
    return [...this.#tags];
  }

  /** Returns the keys of all actions: `list`, or `users.list` with groups. */
  getActionNames(): readonly string[] {
    return this.#actions.map((record) => record.key);
  }

  /**
   * Returns the metadata of every action, for documentation, checks and dashboards. Does not freeze the builder.
   */
  getActionMetadata(): readonly ActionMetadata[] {
    if (this.#actions.length === 0) return [];
    return this.#frozen
      ? this.#build().metadata()
      : new StandaloneTool(planGroupedTool(this.#source()), {}).metadata();
  }

  /** Returns the plan that a registry compiles. Afterwards the builder is frozen. */
  plan(): GroupedPlan {
    if (this.#plan === undefined) {
      this.#plan = planGroupedTool(this.#source());
      this.#actions = Object.freeze([...this.#actions]);
      this.#frozen = true;
    }
    return this.#plan;
  }

  #source(): PlanSource {
    return {
      name: this.#name,
      title: this.#title,
      description: this.#description,
      discriminator: this.#discriminator,
      annotations: Object.freeze({ ...this.#annotations }),
      isToon: this.#isToon,
      middleware: Object.freeze([...this.#middleware]),
      strategies: this.#strategies,
      tags: [...this.#tags],
      scopes: [...this.#scopes],
      missingScopes: this.#missingScopes,
      commonSchemas: [...this.#commonSchemas],
      records: this.#actions,
    };
  }

  #build(): StandaloneTool {
    this.#standalone ??= new StandaloneTool(this.plan(), {});
    return this.#standalone;
  }

  #add(records: readonly ActionRecord[]): void {
    const taken = new Set(this.#actions.map((record) => record.key));
    for (const { key } of records) {
      if (taken.has(key)) {
        throw new DefinitionError(
          `Builder "${this.#name}" already has an action "${key}". Rename one of them.`,
          { option: 'name', received: key },
        );
      }
      taken.add(key);
    }
    this.#actions = [...this.#actions, ...records];
  }

  #enter(mode: 'flat' | 'hierarchical'): void {
    this.#mode ??= mode;
    if (this.#mode !== mode) {
      throw new DefinitionError(
        `Cannot use .action() and .group() on the same builder "${this.#name}".\nUse .action() for flat tools OR .group() for hierarchical tools.`,
        { option: mode === 'flat' ? 'action' : 'group', expected: mode === 'flat' ? 'group' : 'action' },
      );
    }
  }

  #assertNotFrozen(): void {
    if (this.#frozen) {
      throw new DefinitionError(
        `Builder "${this.#name}" is frozen after buildToolDefinition(). Cannot modify a built tool.`,
        { reason: 'already-built', option: 'buildToolDefinition' },
      );
    }
  }
}

/** Adds the actions of a group. */
export type GroupConfigurator<TCommon extends object, TContext extends object> = (
  group: ActionGroupBuilder<{ readonly common: TCommon; readonly context: TContext }>,
) => unknown;

/**
 * Creates a builder of a grouped tool.
 *
 * @example
 * const platform = createTool('platform').description('The platform');
 */
export function createTool<TContext extends object = object>(
  name: string,
  options: GroupedToolOptions = {},
): GroupedToolBuilder<TContext> {
  return new GroupedToolBuilder<TContext>(name, options);
}
