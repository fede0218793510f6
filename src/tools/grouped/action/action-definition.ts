import type { AddedBy, AnyMiddleware } from '../../../middleware/middleware.ts';
import type {
  Flat,
  InferSchemaInput,
  InferSchemaOutput,
  Schema,
} from '../../../schema/nodes/schema-types.ts';
import type { CallableDefinition, HandlerCall, HandlerReturn, ResolverCall } from '../../tool-definition.ts';

/** The fields of a schema after validation; of no schema, none. */
export type FieldsOf<TSchema> = TSchema extends Schema ? InferSchemaOutput<TSchema> : NoFields;

/** No fields at all. */
// oxlint-disable-next-line typescript/no-empty-object-type -- the empty object is what is meant: it takes part in intersections
export type NoFields = {};

/** What the handler of an action sees: common fields, unless they are left out or written anew, and its own. */
export type ActionInput<TCommon, TInput, TOmit> = Flat<
  Omit<TCommon, keyof FieldsOf<TInput> | (TOmit & string)> & FieldsOf<TInput>
>;

/** Common fields, and more of them: a later one of the same name wins. */
export type CommonFields<TCommon, TSchema> = Flat<Omit<TCommon, keyof FieldsOf<TSchema>> & FieldsOf<TSchema>>;

/** The parts of an action that do not depend on its schemas. */
export interface ActionDefinitionBase extends CallableDefinition {
  /** Letters, digits, `_` and `-`; no dots. */
  readonly name: string;
  /** Tells the model what the action does and when to use it. */
  readonly description?: string;
  /** Its name where it is listed by itself. Default: the names of tool, group and action, joined by the registry's `flatSeparator`. */
  readonly flatName?: string;
  /** It may destroy something: said in the description, and in the annotations of the whole tool. */
  readonly destructive?: boolean;
  /** It changes nothing. */
  readonly readOnly?: boolean;
  /** Doing it twice is the same as doing it once. */
  readonly idempotent?: boolean;
  /** Arguments as somebody would send them, without the discriminator; shown to the model. */
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
  /** Its own fields. Without a schema it takes no arguments but the common ones. */
  readonly schema?: TInput;
  /** The structured result. Enforced after the handler has run. Default: any result. */
  readonly outputSchema?: TOutput;
  /** Common fields that this action does not take. */
  readonly omitCommonFields?: readonly TOmit[];
  /** What stands around the handler, inside what the tool and the group use. */
  readonly middleware?: readonly [...TMiddleware];
  /** Supplies missing arguments before validation. Explicit arguments win. */
  readonly defaultArgumentResolver?: (
    call: ResolverCall<TScope['context']>,
  ) => MaybeDefaults<TInput> | Promise<MaybeDefaults<TInput>>;
  /** With `confirm: 'preview'`: says what the handler would do, and does nothing. */
  readonly preview?: (
    call: HandlerCall<ActionInput<TScope['common'], TInput, TOmit>, TScope['context'] & AddedBy<TMiddleware>>,
  ) => unknown;
  /** Does what the action is for. */
  readonly handler: (
    call: HandlerCall<ActionInput<TScope['common'], TInput, TOmit>, TScope['context'] & AddedBy<TMiddleware>>,
  ) => HandlerReturn<TOutput> | Promise<HandlerReturn<TOutput>>;
}

/** What the handlers of a builder find around them: common fields and context. */
export interface ActionScope {
  /** The fields that every action takes. */
  readonly common: object;
  /** The members of the context beyond the standard ones. */
  readonly context: object;
}

type MaybeDefaults<TInput> = Partial<TInput extends Schema ? InferSchemaInput<TInput> : NoFields> | undefined;

/** An action of any builder: what lists of actions hold. */
export interface AnyActionDefinition extends ActionDefinitionBase {
  /** Its own fields. */
  readonly schema?: Schema | undefined;
  /** The structured result. */
  readonly outputSchema?: Schema | undefined;
  /** Common fields that this action does not take. */
  readonly omitCommonFields?: readonly string[];
  /** Runs around the handler, inside what the tool and the group use. */
  readonly middleware?: readonly AnyMiddleware[];
  /** Supplies missing arguments before validation. */
  readonly defaultArgumentResolver?: (call: never) => unknown;
  /** With `confirm: 'preview'`: returns what the handler would do, and does nothing. */
  readonly preview?: (call: never) => unknown;
  /** Runs the action. */
  readonly handler: (call: never) => unknown;
}
