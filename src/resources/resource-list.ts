import type { TupleHint } from '../base/inferred-list.ts';
import type { AnyMiddleware } from '../middleware/middleware.ts';
import type { Completers } from '../prompts/completion.ts';
import type {
  ResourceDefinition,
  ResourceDefinitionBase,
  ResourceReturn,
  ResourceTemplateCall,
} from './resource-definition.ts';
import type { OptionalVariable, TemplateVariable } from './uri-template.ts';

/** Resources and resource templates in an array; the variables of each template are typed by it. `TEntry` and the condition: as in `ToolList`. */
export type ResourceList<TTemplates, TContext extends object, TEntry = never> =
  | ([TTemplates, unknown] extends [readonly unknown[], unknown]
      ? {
          readonly [TIndex in keyof TTemplates]:
            | ResourceDefinition<TContext>
            | ListedTemplate<TTemplates[TIndex], TContext>
            | TEntry;
        }
      : never)
  | TupleHint<ResourceDefinitionBase>;

interface ListedTemplate<TTemplate, TContext extends object> extends ResourceDefinitionBase {
  /** A plain resource in the same array makes it `never`, where not every definition is known by itself. */
  readonly uriTemplate: TTemplate | ([TTemplate] extends [never] ? string : never);
  readonly uri?: never;
  /** Runs around the content provider and the completers, outermost first. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Helps whoever fills in the variables. */
  readonly complete?: Completers<string, never>;
  /** Returns the content of one URI, each time it is read. Its variables are typed by the template. */
  readonly contentProvider: (
    call: TemplateCall<TTemplate, TContext>,
  ) => ResourceReturn | Promise<ResourceReturn>;
}

/** `never` where only "some template" is known, as of `AnyResourceTemplateDefinition`. */
type TemplateCall<TTemplate, TContext extends object> = [TTemplate] extends [never]
  ? AnyCall<TContext>
  : string extends TTemplate
    ? AnyCall<TContext>
    : TTemplate extends string
      ? ResourceTemplateCall<TemplateVariable<TTemplate>, TContext, OptionalVariable<TTemplate>>
      : never;

type AnyCall<TContext extends object> = ResourceTemplateCall<never, TContext> & { readonly variables: never };
