import type { ToolContext } from '../middleware/context.ts';
import type { AddedBy, AnyMiddleware } from '../middleware/middleware.ts';
import type { McpAnnotations, McpMeta } from '../model/mcp-types.ts';
import type { Completers } from '../prompts/completion.ts';
import type { ComponentDefinition } from '../tools/components/component-definition.ts';
import type { OptionalVariable, TemplateVariable } from './uri-template.ts';

/** How long, and for whom, a client may keep what it read. */
export interface ResourceCacheHint {
  /** How long, in milliseconds. */
  readonly ttlMs: number;
  /** `public`: the same for everybody, so that proxies may keep it too. Default: `private`. */
  readonly scope?: 'public' | 'private';
}

/** One piece of content. What is not said comes from the definition. */
export type ResourceContent = {
  /** Default: the URI that was read. */
  readonly uri?: string;
  /** Default: that of the definition. */
  readonly mimeType?: string;
  /** Metadata of the protocol, sent to clients as it is. */
  readonly _meta?: McpMeta;
} & (
  | {
      /** Text. */
      readonly text: string;
      readonly blob?: never;
    }
  | {
      /** Bytes, or bytes as base64. */
      readonly blob: string | Uint8Array;
      readonly text?: never;
    }
);

/** What a content provider may return. A string is text, a `Uint8Array` is bytes; `null` says that there is nothing at this URI. */
export type ResourceReturn =
  | string
  | Uint8Array
  | ResourceContent
  | readonly ResourceContent[]
  | {
      /** The pieces, in their order. */
      readonly contents: readonly ResourceContent[];
    }
  | null;

/** What resources and resource templates have in common. */
export interface ResourceDefinitionBase extends ComponentDefinition {
  /** What people and models call it; need not be unique. */
  readonly name: string;
  /** Default: `text/plain` for text, `application/octet-stream` for bytes. */
  readonly mimeType?: string;
  /** For whom it is, how important, how fresh. */
  readonly annotations?: McpAnnotations;
  /** How long, and for whom, clients may keep the content. Default: not at all. */
  readonly cacheHint?: ResourceCacheHint;
}

/** What a content provider of a resource is called with. */
export interface ResourceCall<TContext extends object = object> {
  /** The URI that is read. */
  readonly uri: string;
  /** The standard members, and those of the application and of middleware. */
  readonly context: ToolContext<TContext>;
}

/** Where the content of a resource comes from. */
export type ResourceSource<TContext extends object> =
  | {
      /** The content itself, as text. */
      readonly text: string;
      readonly blob?: never;
      readonly contentProvider?: never;
    }
  | {
      /** The content itself: bytes, or bytes as base64. */
      readonly blob: string | Uint8Array;
      readonly text?: never;
      readonly contentProvider?: never;
    }
  | {
      /** Returns the content, each time it is read. */
      readonly contentProvider: (call: ResourceCall<TContext>) => ResourceReturn | Promise<ResourceReturn>;
      readonly text?: never;
      readonly blob?: never;
    };

/** Something a client can read under one URI. */
export type ResourceDefinition<
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly AnyMiddleware<TContext>[],
> = ResourceDefinitionBase &
  ResourceSource<TContext & AddedBy<TMiddleware>> & {
    /** The URI that clients read it by; unique among the resources. */
    readonly uri: string;
    /** What stands around the content provider, outermost first; inside what the manager itself uses. */
    readonly middleware?: readonly [...TMiddleware];
    /** In bytes, before any encoding. */
    readonly size?: number;
    readonly uriTemplate?: never;
  };

/** What a content provider of a resource template is called with. */
export interface ResourceTemplateCall<
  TVariable extends string = string,
  TContext extends object = object,
  /** Those that a URI need not have. */
  TOptional extends string = never,
> extends ResourceCall<TContext> {
  /** The variables in the URI, decoded. */
  readonly variables: VariableValues<TVariable, TOptional>;
}

/** The values of variables by their names. */
type VariableValues<TVariable extends string, TOptional extends string> = [TOptional] extends [never]
  ? Readonly<Record<TVariable, string>>
  : Readonly<Record<Exclude<TVariable, TOptional>, string>> & Readonly<Partial<Record<TOptional, string>>>;

/** Things a client can read under all URIs that fit a template. */
export interface ResourceTemplateDefinition<
  TTemplate extends string = string,
  TContext extends object = object,
  TMiddleware extends readonly AnyMiddleware[] = readonly [],
> extends ResourceDefinitionBase {
  /** With `{name}` for one segment of the path, `{+name}` for anything, `{?name}` for a query: `notes://{user}/{+path}{?draft}`. */
  readonly uriTemplate: TTemplate;
  readonly uri?: never;
  /** What stands around the content provider and the completers, outermost first; inside what the manager itself uses. */
  readonly middleware?: readonly [...TMiddleware];
  /** Helps whoever fills in the variables. */
  readonly complete?: Completers<TemplateVariable<TTemplate>, TContext & AddedBy<TMiddleware>>;
  /** Returns the content of one URI, each time it is read. */
  readonly contentProvider: (
    call: ResourceTemplateCall<
      TemplateVariable<TTemplate>,
      TContext & AddedBy<TMiddleware>,
      OptionalVariable<TTemplate>
    >,
  ) => ResourceReturn | Promise<ResourceReturn>;
}

/** A definition of any resource template that runs with the given context. */
export interface AnyResourceTemplateDefinition<
  TContext extends object = object,
> extends ResourceDefinitionBase {
  /** The template of its URIs. */
  readonly uriTemplate: string;
  readonly uri?: never;
  /** Runs around the content provider and the completers, outermost first. */
  readonly middleware?: readonly AnyMiddleware<TContext>[];
  /** `never`: middleware may have added to the context. */
  readonly complete?: Completers<string, never>;
  /** `never`: the variables are those of the template beside it. */
  readonly contentProvider: (call: {
    readonly uri: string;
    readonly variables: never;
    readonly context: ToolContext<TContext>;
  }) => ResourceReturn | Promise<ResourceReturn>;
}

/** A definition of any resource or resource template: what lists of definitions hold. */
export type AnyResourceDefinition<TContext extends object = object> =
  | ResourceDefinition<TContext>
  | AnyResourceTemplateDefinition<TContext>;
