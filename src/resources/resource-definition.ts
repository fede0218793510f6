import type { ToolContext } from '../middleware/context.ts';
import type { AddedBy, AnyMiddleware } from '../middleware/middleware.ts';
import type { McpAnnotations, McpMeta } from '../model/mcp-types.ts';
import type { Completers } from '../prompts/completion.ts';
import type { ComponentDefinition } from '../tools/components/component-definition.ts';
import type { OptionalVariable, TemplateVariable } from './uri-template.ts';

/** Time and audience for which clients may cache content. */
export interface ResourceCacheHint {
  /** Time in milliseconds. */
  readonly ttlMs: number;
  /** `public`: equal for all callers, so that proxies may cache it too. Default: `'private'`. */
  readonly scope?: 'public' | 'private';
}

/** One piece of content. Omitted members default to those of the definition. */
export type ResourceContent = {
  /** Default: the requested URI. */
  readonly uri?: string;
  /** Default: that of the definition. */
  readonly mimeType?: string;
  /** Metadata of the protocol, sent unchanged. */
  readonly _meta?: McpMeta;
} & (
  | {
      /** Text content. */
      readonly text: string;
      readonly blob?: never;
    }
  | {
      /** Bytes, or a base64 string. */
      readonly blob: string | Uint8Array;
      readonly text?: never;
    }
);

/** The return value of a content provider. A string is text, a `Uint8Array` is bytes; `null` means that the URI does not exist. */
export type ResourceReturn =
  | string
  | Uint8Array
  | ResourceContent
  | readonly ResourceContent[]
  | {
      /** The pieces, in order. */
      readonly contents: readonly ResourceContent[];
    }
  | null;

/** Members of resources and resource templates. */
export interface ResourceDefinitionBase extends ComponentDefinition {
  /** The name for users and models; need not be unique. */
  readonly name: string;
  /** Media type. Default: `text/plain` for text, `application/octet-stream` for bytes. */
  readonly mimeType?: string;
  /** Audience, priority and time of the last change. */
  readonly annotations?: McpAnnotations;
  /** Time and audience for which clients may cache the content. Default: no caching. */
  readonly cacheHint?: ResourceCacheHint;
}

/** The parameter of a content provider. */
export interface ResourceCall<TContext extends object = object> {
  /** The requested URI. */
  readonly uri: string;
  /** The standard members, and those of the application and of middleware. */
  readonly context: ToolContext<TContext>;
}

/** The source of a resource's content. */
export type ResourceSource<TContext extends object> =
  | {
      /** Static content as text. */
      readonly text: string;
      readonly blob?: never;
      readonly contentProvider?: never;
    }
  | {
      /** Static content as bytes or a base64 string. */
      readonly blob: string | Uint8Array;
      readonly text?: never;
      readonly contentProvider?: never;
    }
  | {
      /** Returns the content at each read. */
      readonly contentProvider: (call: ResourceCall<TContext>) => ResourceReturn | Promise<ResourceReturn>;
      readonly text?: never;
      readonly blob?: never;
    };

/** A resource with one URI. */
export type ResourceDefinition<
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly AnyMiddleware<TContext>[],
> = ResourceDefinitionBase &
  ResourceSource<TContext & AddedBy<TMiddleware>> & {
    /** The URI; unique among the resources. */
    readonly uri: string;
    /** Middleware around the content provider, outermost first; inside that of the manager. */
    readonly middleware?: readonly [...TMiddleware];
    /** Size in bytes, before encoding. */
    readonly size?: number;
    readonly uriTemplate?: never;
  };

/** The parameter of a resource template's content provider. */
export interface ResourceTemplateCall<
  TVariable extends string = string,
  TContext extends object = object,
  /** The optional variables. */
  TOptional extends string = never,
> extends ResourceCall<TContext> {
  /** The decoded variables of the URI. */
  readonly variables: VariableValues<TVariable, TOptional>;
}

/** The values of variables by name. */
type VariableValues<TVariable extends string, TOptional extends string> = [TOptional] extends [never]
  ? Readonly<Record<TVariable, string>>
  : Readonly<Record<Exclude<TVariable, TOptional>, string>> & Readonly<Partial<Record<TOptional, string>>>;

/** A resource template: all URIs that match a template. */
export interface ResourceTemplateDefinition<
  TTemplate extends string = string,
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly [],
> extends ResourceDefinitionBase {
  /**
   * The URI template, with `{name}` for one path segment, `{+name}` for any characters, `{?name}` for a query:
   * `notes://{user}/{+path}{?draft}`.
   */
  readonly uriTemplate: TTemplate;
  readonly uri?: never;
  /** Middleware around the content provider and the completers, outermost first; inside that of the manager. */
  readonly middleware?: readonly [...TMiddleware];
  /** Completers for the variables. */
  readonly complete?: Completers<TemplateVariable<TTemplate>, TContext & AddedBy<TMiddleware>>;
  /** Returns the content of a URI at each read. */
  readonly contentProvider: (
    call: ResourceTemplateCall<
      TemplateVariable<TTemplate>,
      TContext & AddedBy<TMiddleware>,
      OptionalVariable<TTemplate>
    >,
  ) => ResourceReturn | Promise<ResourceReturn>;
}

/** The definition of any resource template with the given context. */
export interface AnyResourceTemplateDefinition<
  TContext extends object = object,
> extends ResourceDefinitionBase {
  /** The URI template. */
  readonly uriTemplate: string;
  readonly uri?: never;
  /** Middleware around the content provider and the completers, outermost first. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** `never`: middleware may have added to the context. */
  readonly complete?: Completers<string, never>;
  /** `never`: the variables depend on the template. */
  readonly contentProvider: (call: {
    readonly uri: string;
    readonly variables: never;
    readonly context: ToolContext<TContext>;
  }) => ResourceReturn | Promise<ResourceReturn>;
}

/** The definition of any resource or resource template; the element type of arrays of definitions. */
export type AnyResourceDefinition<TContext extends object = object> =
  | ResourceDefinition<TContext>
  | AnyResourceTemplateDefinition<TContext>;
