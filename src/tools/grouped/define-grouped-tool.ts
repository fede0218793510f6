import type { InferredMembers, MemberOf } from '../../base/inferred-list.ts';
import { assertKnown } from '../../errors/assert-known.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { Reserved } from '../../middleware/context.ts';
import type { AddedBy, AnyMiddleware } from '../../middleware/middleware.ts';
import type { McpToolAnnotations } from '../../model/mcp-types.ts';
import type { ToolAnnotations } from '../../model/tool-annotations.ts';
import type { Flat, Schema, SchemaFor } from '../../schema/nodes/schema-types.ts';
import type { HandlerCall, HandlerReturn, MissingScopes, ResolverCall } from '../tool-definition.ts';
import type { ActionDefinitionBase, AnyActionDefinition, FieldsOf } from './action/action-definition.ts';
import type { ActionGroupBuilder } from './action-group-builder.ts';
import { createTool } from './grouped-tool-builder.ts';
import type { GroupedToolBuilder, GroupedToolOptions } from './grouped-tool-builder.ts';

/** An action in an object of actions; its key is its name. */
interface ActionConfig<TAction, TCommon, TContext extends object> extends Omit<ActionDefinitionBase, 'name'> {
  /** Its own fields: a schema of a library, a raw shape or a JSON Schema. Default: none, only the common ones. */
  readonly schema?: SchemaFor<MemberOf<TAction, 'schema'>> | undefined;
  /** The structured result. Enforced after the handler has run. Default: any result. */
  readonly outputSchema?: SchemaFor<MemberOf<TAction, 'outputSchema'>> | undefined;
  /** Common fields that this action does not take. */
  readonly omitCommonFields?: readonly string[];
  /** Runs around the handler, inside the middleware of the tool and the group. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (call: ResolverCall<TContext>) => unknown;
  /** With `confirm: 'preview'`: describes what the handler would do, without doing it. */
  readonly preview?: (call: ActionCall<TAction, TCommon, TContext>) => unknown;
  /** Runs the action. Its input has the common fields and its own. */
  readonly handler: (
    call: ActionCall<TAction, TCommon, TContext>,
  ) => ActionReturn<TAction> | Promise<ActionReturn<TAction>>;
}

type ActionCall<TAction, TCommon, TContext extends object> = HandlerCall<
  Flat<TCommon & FieldsOf<MemberOf<TAction, 'schema'>>>,
  TContext
>;

type ActionReturn<TAction> = HandlerReturn<MemberOf<TAction, 'outputSchema'>>;

/** The actions of a tool or a group by name, each typed by its own schemas. */
type Actions<TActions, TCommon, TContext extends object> = {
  readonly [TName in keyof TActions]: InferredMembers<TActions[TName], 'schema' | 'outputSchema'> &
    ActionConfig<TActions[TName], TCommon, TContext>;
};

/** Members that tools and groups share. */
interface SharedConfig<TCommon extends Schema | undefined, TMiddleware extends readonly AnyMiddleware[]> {
  /** Tells the model what the actions are for; a list of the actions is appended. */
  readonly description?: string;
  /** Tags of every action. */
  readonly tags?: readonly string[];
  /** Scopes that every action needs. */
  readonly scopes?: readonly string[];
  /** Callers without the scopes of an action do not see it (`hide`), or see it and get a 403 when they call it (`challenge`). Default: the setting of the tool, then of the registry. */
  readonly missingScopes?: MissingScopes;
  /** Fields that every action takes. */
  readonly commonSchema?: TCommon;
  /** Runs around all actions; handlers see its additions to the context. */
  readonly middleware?: readonly [...TMiddleware];
}

/** A group of actions, created by {@link defineActionGroup}. */
export interface ActionGroupConfig<TContext extends object = object> {
  /** For the compiler only: a tool with another context cannot contain the group. */
  readonly needs?: ((context: TContext) => void) | undefined;
  /** Adds the actions to a builder. */
  readonly configure: (group: ActionGroupBuilder) => void;
}

/** A grouped tool as one object. */
export interface GroupedToolConfig<
  TCommon extends Schema | undefined,
  TMiddleware extends readonly AnyMiddleware[],
> extends SharedConfig<TCommon, TMiddleware> {
  /** 1 to 128 letters, digits, `_`, `.` or `-`; unique in the registry. */
  readonly name: string;
  /** Display name for users. Default: the name. */
  readonly title?: string;
  /** Name of the argument that selects the action. Default: `action`. */
  readonly discriminator?: string;
  /** Annotations that replace those derived from the actions. */
  readonly annotations?: McpToolAnnotations | ToolAnnotations;
  /** Describes the actions as a TOON table. Default: false. */
  readonly toonDescription?: boolean;
  /** Replaces some of the functions that combine the actions into a tool. */
  readonly strategies?: GroupedToolOptions['strategies'];
}

/** The actions of a grouped tool: either directly or in groups. */
interface ActionsOrGroups<TActions, TCommon, TContext extends object> {
  /** Actions by name. Not together with `groups`. */
  readonly actions?: Actions<TActions, TCommon, TContext>;
  /** Groups by name, each created by {@link defineActionGroup}. Not together with `actions`. */
  readonly groups?: Readonly<Record<string, ActionGroupConfig<TContext>>>;
}

/**
 * Defines a grouped tool as one object; `createTool` does the same as a chain. Use either `actions` or `groups`.
 *
 * @example
 * const projects = defineGroupedTool({
 *   name: 'projects',
 *   description: 'Manages projects',
 *   commonSchema: z.object({ workspace: z.string() }),
 *   actions: {
 *     list: { readOnly: true, handler: ({ input }) => store.list(input.workspace) },
 *     create: { schema: z.object({ title: z.string() }), handler: ({ input }) => store.create(input) },
 *   },
 * });
 */
export function defineGroupedTool<
  TActions,
  TCommon extends Schema | undefined = undefined,
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
>(
  given: GroupedToolConfig<TCommon, TMiddleware> &
    ActionsOrGroups<TActions, FieldsOf<TCommon>, TContext & AddedBy<TMiddleware>>,
): GroupedToolBuilder<TContext, TContext & AddedBy<TMiddleware>, FieldsOf<TCommon> & object> {
  const config = given as unknown as LooseConfig;
  assertKnown('defineGroupedTool', config, TOOL_MEMBERS);
  const { name, strategies, title, discriminator, annotations, actions, groups } = config;
  const builder = createTool(name, strategies === undefined ? {} : { strategies });
  if (title !== undefined) builder.title(title);
  if (discriminator !== undefined) builder.discriminator(discriminator);
  if (annotations !== undefined) builder.annotations(annotations);
  if (config.toonDescription === true) builder.toonDescription();
  applyShared(builder, config);
  // If both are present, the builder rejects them.
  for (const [key, action] of Object.entries(actions ?? {}))
    builder.action({ ...action, name: key } as never);
  for (const [key, group] of Object.entries(groups ?? {})) {
    if (typeof (group as Partial<ActionGroupConfig> | undefined)?.configure !== 'function') {
      throw new DefinitionError(
        `Group "${key}" of builder "${name}" must be created with defineActionGroup({ actions: … }).`,
        { option: 'groups', path: [key] },
      );
    }
    builder.group(key, (added) => group.configure(added));
  }
  return builder as never;
}

/**
 * `defineGroupedTool` for registries with their own context type. Two calls, because TypeScript infers either all type arguments of a call
 * or none.
 *
 * @example
 * const defineAppGroupedTool = defineGroupedToolFor<{ db: Database }>();
 * const notes = defineAppGroupedTool({
 *   name: 'notes',
 *   actions: { count: { readOnly: true, handler: ({ context }) => context.db.count('notes') } },
 * });
 */
export function defineGroupedToolFor<TContext extends object & Reserved>(): GroupedToolDefiner<TContext> {
  return defineGroupedTool as never;
}

/** The function that {@link defineGroupedToolFor} returns. */
export interface GroupedToolDefiner<TContext extends object> {
  <
    TActions,
    TCommon extends Schema | undefined = undefined,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(
    config: GroupedToolConfig<TCommon, TMiddleware> &
      ActionsOrGroups<TActions, FieldsOf<TCommon>, TContext & AddedBy<TMiddleware>>,
  ): GroupedToolBuilder<TContext, TContext & AddedBy<TMiddleware>, FieldsOf<TCommon> & object>;
}

const SHARED_MEMBERS = [
  'description',
  'tags',
  'scopes',
  'missingScopes',
  'commonSchema',
  'middleware',
  'actions',
];
const TOOL_MEMBERS = [
  ...SHARED_MEMBERS,
  'name',
  'title',
  'groups',
  'discriminator',
  'annotations',
  'toonDescription',
  'strategies',
];

/** Config of both forms at run time. */
interface LooseConfig extends GroupedToolConfig<Schema | undefined, readonly AnyMiddleware[]> {
  /** Actions by name. */
  readonly actions?: Readonly<Record<string, object>> | undefined;
  /** Groups by name. */
  readonly groups?: Readonly<Record<string, ActionGroupConfig<never>>> | undefined;
}

/**
 * Defines a group of actions for {@link defineGroupedTool}.
 *
 * @example
 * const users = defineActionGroup({
 *   description: 'Manages users',
 *   actions: { ban: { destructive: true, schema: z.object({ id: z.string() }), handler: ({ input }) => ban(input.id) } },
 * });
 * const platform = defineGroupedTool({ name: 'platform', groups: { users } });
 */
export function defineActionGroup<
  TActions,
  TCommon extends Schema | undefined = undefined,
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
>(
  config: SharedConfig<TCommon, TMiddleware> & {
    readonly actions: Actions<TActions, FieldsOf<TCommon>, TContext & AddedBy<TMiddleware>>;
  },
): ActionGroupConfig<TContext> {
  assertKnown('defineActionGroup', config, SHARED_MEMBERS);
  return {
    configure: (group) => {
      applyShared(group, config);
      for (const [key, action] of Object.entries(config.actions))
        group.action({ ...(action as AnyActionDefinition), name: key } as never);
    },
  };
}

/**
 * `defineActionGroup` for grouped tools with their own context type.
 *
 * @example
 * const defineAppGroup = defineActionGroupFor<{ db: Database }>();
 * const users = defineAppGroup({ actions: { count: { handler: ({ context }) => context.db.count('users') } } });
 * const platform = defineGroupedToolFor<{ db: Database }>()({ name: 'platform', groups: { users } });
 */
export function defineActionGroupFor<TContext extends object & Reserved>(): ActionGroupDefiner<TContext> {
  return defineActionGroup as never;
}

/** The function that {@link defineActionGroupFor} returns. */
export interface ActionGroupDefiner<TContext extends object> {
  <
    TActions,
    TCommon extends Schema | undefined = undefined,
    TMiddleware extends readonly AnyMiddleware<TContext>[] = readonly AnyMiddleware<TContext>[],
  >(
    config: SharedConfig<TCommon, TMiddleware> & {
      readonly actions: Actions<TActions, FieldsOf<TCommon>, TContext & AddedBy<TMiddleware>>;
    },
  ): ActionGroupConfig<TContext>;
}

interface SharedTarget {
  description(text: string): unknown;
  tags(...tags: readonly string[]): unknown;
  scopes(...scopes: readonly string[]): unknown;
  missingScopes(missingScopes: MissingScopes): unknown;
  commonSchema(schema: Schema): unknown;
  use(middleware: never): unknown;
}

function applyShared(
  target: SharedTarget,
  config: SharedConfig<Schema | undefined, readonly AnyMiddleware[]>,
): void {
  const { description, tags = [], scopes = [], missingScopes, commonSchema, middleware = [] } = config;
  if (description !== undefined) target.description(description);
  if (tags.length > 0) target.tags(...tags);
  if (scopes.length > 0) target.scopes(...scopes);
  if (missingScopes !== undefined) target.missingScopes(missingScopes);
  if (commonSchema !== undefined) target.commonSchema(commonSchema);
  for (const layer of middleware) target.use(layer as never);
}
