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

/** Resources and resource templates in an array; each template types its own variables. `TEntry` and the condition: as in `ToolList`. */
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
  /** `never` if the array also has a plain resource and not every definition is inferred separately. */
  readonly uriTemplate: TTemplate | ([TTemplate] extends [never] ? string : never);
  readonly uri?: never;
  /** Middleware around the content provider and the completers, outermost first. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** Completers for the variables. */
  readonly complete?: Completers<string, never>;
  /** Returns the content of a URI at each read. The template types its variables. */
  readonly contentProvider: (
    call: TemplateCall<TTemplate, TContext>,
  ) => ResourceReturn | Promise<ResourceReturn>;
}

/** `never` if only "some template" is known, as in `AnyResourceTemplateDefinition`. */
type TemplateCall<TTemplate, TContext extends object> = [TTemplate] extends [never]
  ? AnyCall<TContext>
  : string extends TTemplate
    ? AnyCall<TContext>
    : TTemplate extends string
      ? ResourceTemplateCall<TemplateVariable<TTemplate>, TContext, OptionalVariable<TTemplate>>
      : never;

type AnyCall<TContext extends object> = ResourceTemplateCall<never, TContext> & { readonly variables: never };
