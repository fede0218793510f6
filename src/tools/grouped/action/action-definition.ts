import type { AddedBy, AnyMiddleware } from '../../../middleware/middleware.ts';
import type {
  Flat,
  InferSchemaInput,
  InferSchemaOutput,
  Schema,
} from '../../../schema/nodes/schema-types.ts';
import type { CallableDefinition, HandlerCall, HandlerReturn, ResolverCall } from '../../tool-definition.ts';

/** The fields of a schema after validation; none without a schema. */
export type FieldsOf<TSchema> = TSchema extends Schema ? InferSchemaOutput<TSchema> : NoFields;

/** An empty set of fields. */
// oxlint-disable-next-line typescript/no-empty-object-type -- the empty object is what is meant: it takes part in intersections
export type NoFields = {};

/** Input of an action's handler: its own fields and the common ones, except those that are omitted or redefined. */
export type ActionInput<TCommon, TInput, TOmit> = Flat<
  Omit<TCommon, keyof FieldsOf<TInput> | (TOmit & string)> & FieldsOf<TInput>
>;

/** Common fields of two schemas; the later one wins. */
export type CommonFields<TCommon, TSchema> = Flat<Omit<TCommon, keyof FieldsOf<TSchema>> & FieldsOf<TSchema>>;

/** Members of an action that do not depend on its schemas. */
export interface ActionDefinitionBase extends CallableDefinition {
  /** Letters, digits, `_` and `-`; no dots. */
  readonly name: string;
  /** Tells the model what the action does and when to use it. */
  readonly description?: string;
  /**
   * Name of the action in the flat exposure. Default: the names of tool, group and action, joined by the registry's
   * `flatSeparator`.
   */
  readonly flatName?: string;
  /**
   * The action may destroy data; advertised in the description and in the annotations of the tool. Default: false.
   */
  readonly destructive?: boolean;
  /** The action changes nothing. Default: false. */
  readonly readOnly?: boolean;
  /** Repeating the action has no further effect. Default: false. */
  readonly idempotent?: boolean;
  /** Example arguments, without the discriminator; included in the description. */
  readonly examples?: readonly Readonly<Record<string, unknown>>[];
}

/** One action of a grouped tool. */
export interface ActionDefinition<
  TInput extends Schema | undefined,
  TOutput extends Schema | undefined,
  TScope extends ActionScope,
  TOmit extends keyof TScope['common'] & string = never,
  TMiddleware extends readonly AnyMiddleware[] = readonly [],
> extends ActionDefinitionBase {
  /** Its own fields. Default: none, only the common ones. */
  readonly schema?: TInput;
  /** The structured result. Enforced after the handler has run. Default: any result. */
  readonly outputSchema?: TOutput;
  /** Common fields that this action does not take. */
  readonly omitCommonFields?: readonly TOmit[];
  /** Runs around the handler, inside the middleware of the tool and the group. */
  readonly middleware?: readonly [...TMiddleware];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (
    call: ResolverCall<TScope['context']>,
  ) => MaybeDefaults<TInput> | Promise<MaybeDefaults<TInput>>;
  /** With `confirm: 'preview'`: describes what the handler would do, without doing it. */
  readonly preview?: (
    call: HandlerCall<ActionInput<TScope['common'], TInput, TOmit>, TScope['context'] & AddedBy<TMiddleware>>,
  ) => unknown;
  /** Runs the action. */
  readonly handler: (
    call: HandlerCall<ActionInput<TScope['common'], TInput, TOmit>, TScope['context'] & AddedBy<TMiddleware>>,
  ) => HandlerReturn<TOutput> | Promise<HandlerReturn<TOutput>>;
}

/** Types that the handlers of a builder see: common fields and context. */
export interface ActionScope {
  /** Fields that every action takes. */
  readonly common: object;
  /** Members of the context beyond the standard ones. */
  readonly context: object;
}

type MaybeDefaults<TInput> = Partial<TInput extends Schema ? InferSchemaInput<TInput> : NoFields> | undefined;

/** An action of any builder, for arrays of actions. */
export interface AnyActionDefinition extends ActionDefinitionBase {
  /** Its own fields. */
  readonly schema?: Schema | undefined;
  /** The structured result. */
  readonly outputSchema?: Schema | undefined;
  /** Common fields that this action does not take. */
  readonly omitCommonFields?: readonly string[];
  /** Runs around the handler, inside the middleware of the tool and the group. */
  readonly middleware?: readonly AnyMiddleware[];
  /** Supplies missing arguments before validation. */
  readonly defaultArgumentResolver?: (call: never) => unknown;
  /** With `confirm: 'preview'`: describes what the handler would do, without doing it. */
  readonly preview?: (call: never) => unknown;
  /** Runs the action. */
  readonly handler: (call: never) => unknown;
}
