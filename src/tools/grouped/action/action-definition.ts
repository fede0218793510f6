import type { AddedBy, AnyMiddleware } from '../../../middleware/middleware.ts';
import type {
  Flat,
  InferSchemaInput,
  InferSchemaOutput,
  Schema,
} from '../../../schema/nodes/schema-types.ts';
import type { UnknownArguments } from '../../../schema/issues/unknown-keys.ts';
import type {
  HandlerCall,
  HandlerReturn,
  ResolverCall,
  TaskOptions,
  TaskSupport,
  ToolSecurity,
} from '../../tool-definition.ts';

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
export interface ActionDefinitionBase {
  /** Letters, digits, `_` and `-`; no dots. */
  readonly name: string;
  /** Tells the model what the action does and when to use it. */
  readonly description?: string;
  /** The name people see. Default: the name. */
  readonly title?: string;
  /** Words that policies, filters and surfaces select actions by. */
  readonly tags?: readonly string[];
  /** What a caller must have been granted, all of it; to others the action does not exist. */
  readonly scopes?: readonly string[];
  /** Other words for what the action does, for the search exposure. */
  readonly synonyms?: readonly string[];
  /** It may destroy something: said in the description, and in the annotations of the whole tool. */
  readonly destructive?: boolean;
  /** It changes nothing. */
  readonly readOnly?: boolean;
  /** Doing it twice is the same as doing it once. */
  readonly idempotent?: boolean;
  /** Arguments as somebody would send them, without the discriminator; shown to the model. */
  readonly examples?: readonly Readonly<Record<string, unknown>>[];
  /** How long it may take. Default: the registry's `timeoutMs`. */
  readonly timeoutMs?: number;
  /** The one subject that the action belongs to. */
  readonly category?: string;
  /** The labels that `withSecurityWrapper` gets. */
  readonly security?: ToolSecurity;
  /** Dot paths of arguments whose values never appear in messages and logs. */
  readonly secrets?: readonly string[];
  /** Unknown arguments are dropped (`strip`), refused (`reject`) or kept (`keep`). Default: the registry's setting. */
  readonly unknownArguments?: UnknownArguments;
  /** Undo numbers, booleans, arrays and objects sent as JSON strings. Not for destructive actions. Default: the registry's setting. */
  readonly repairArguments?: boolean;
  /** Arguments that `defaultArgumentResolver` can supply; they are advertised as optional. */
  readonly resolvedArguments?: readonly string[];
  /** Beside structured content: the same data as text, or a short note. Default: the registry's setting. */
  readonly structuredText?: 'full' | 'short';
  /** `preview`: a first call answers with what `preview` returns and a token; a second one with the token runs the handler. */
  readonly confirm?: 'preview';
  /** Whether a call may, or must, run as a task that the client comes back for. Default: it is answered when it is done. */
  readonly task?: TaskSupport | TaskOptions;
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
